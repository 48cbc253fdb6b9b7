import Linux

/// A packet that is not larger than any that a photo has, and all there; else nil.
func packet(
  _ range: Range<Int64>, of file: borrowing OpenFile
) throws(SystemError) -> [UInt8]? {
  guard range.count <= packetLimit else { return nil }
  var bytes = [UInt8](repeating: 0, count: range.count)
  return try file.read(at: range.lowerBound, into: &bytes) == bytes.count ? bytes : nil
}

/// A named part of a PNG or RIFF file.
struct Chunk {
  let name: String
  /// Where its data are; the file may end before them.
  let range: Range<Int64>
}

extension FileWindow {
  /// PNG, 3rd edition, 5.3: length, name, data, checksum. Returns nil where the file ends.
  mutating func pngChunk(
    at position: Int64, of file: borrowing OpenFile
  ) throws(SystemError) -> Chunk? {
    let head = bytes[try range(at: position, 8, of: file)]
    guard head.count == 8 else { return nil }
    let length = unsigned(head.prefix(4), isBigEndian: true)
    return Chunk(
      name: String(decoding: head.suffix(4), as: UTF8.self),
      range: (position + 8)..<(position + 8 + Int64(length)))
  }

  /// RIFF: name, length, data, and a byte more where the length is odd.
  mutating func riffChunk(
    at position: Int64, of file: borrowing OpenFile
  ) throws(SystemError) -> Chunk? {
    let head = bytes[try range(at: position, 8, of: file)]
    guard head.count == 8 else { return nil }
    let length = unsigned(head.suffix(4), isBigEndian: false)
    return Chunk(
      name: String(decoding: head.prefix(4), as: UTF8.self),
      range: (position + 8)..<(position + 8 + Int64(length)))
  }
}
