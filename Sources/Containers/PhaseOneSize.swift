import Linux

/// Where the maker's own directory in a Phase One or Leaf raw is, behind a mark that follows the
/// header of the TIFF; nil in any other file.
func phaseOneDirectory(
  of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> (offset: Int64, isBigEndian: Bool)? {
  let head = window.bytes[try window.range(at: 8, 12, of: file)]
  let isBigEndian = head.starts(with: "MMMMRaw".utf8)
  guard head.count == 12,
    isBigEndian || head.starts(with: "IIII".utf8) && head.dropFirst(5).starts(with: "waR".utf8)
  else { return nil }
  // It counts from the mark.
  return (8 + Int64(unsigned(head.suffix(4), isBigEndian: isBigEndian)), isBigEndian)
}

/// The size of the picture, of which the directories of the TIFF say nothing: they describe
/// previews.
func phaseOneSize(
  at directory: (offset: Int64, isBigEndian: Bool), of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) -> (width: Int, height: Int)? {
  func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    unsigned(bytes, isBigEndian: directory.isBigEndian)
  }
  var rest = window.bytes[try window.range(at: directory.offset, 8 + 16 * entryLimit, of: file)]
  let count = min(Int(number(rest.prefix(4))), entryLimit)
  rest = rest.dropFirst(8)
  var size = (width: UInt64?.none, height: UInt64?.none)
  for _ in 0..<count where rest.count >= 16 {
    // Number, format, length, value.
    let value = number(rest.dropFirst(12).prefix(4))
    switch number(rest.prefix(4)) {
    case 0x10c: size.width = value
    case 0x10d: size.height = value
    default: break
    }
    rest = rest.dropFirst(16)
  }
  return pixels(size.width, size.height)
}

private let entryLimit = 512
