import Linux

/// Reads a Sigma raw: the header has the size; the tags are those of a JPEG, which the directory
/// at the end of the file names. The oldest have none.
func readX3F(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let size = file.sizeWhenOpened
  let head = Array(window.bytes[try window.range(at: 0, 40, of: file)])
  let link = Array(window.bytes[try window.range(at: max(size - 4, 0), 4, of: file)])
  guard head.count == 40, link.count == 4 else { return Container(isCut: true) }
  let directory = Int64(unsigned(link[...], isBigEndian: false))
  guard let entries = try entries(at: directory, of: file, &window) else {
    return Container(isCut: true)
  }
  var container = Container()
  // Each may be as long to read as a file of its own; real ones have two or three.
  for entry in entries.prefix(8) where !container.hasBlock {
    // A section has 28 bytes of its own before the picture.
    let mark = window.bytes[try window.range(at: entry + 28, 2, of: file)]
    guard mark.elementsEqual([0xff, Marker.startOfImage]) else { continue }
    container = try readJPEG(at: entry + 28, of: file, &window, &block)
  }
  let isNew = unsigned(head.dropFirst(4).prefix(4), isBigEndian: false) >= 4 << 16
  let fields = head.dropFirst(isNew ? 16 : 28)
  (container.width, container.height) = (nil, nil)
  container.setSize(
    width: unsigned(fields.prefix(4), isBigEndian: false),
    height: unsigned(fields.dropFirst(4).prefix(4), isBigEndian: false))
  return container
}

/// Where the pictures are; nil where there is no directory, since the file is cut before it.
private func entries(
  at offset: Int64, of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> [Int64]? {
  let head = window.bytes[try window.range(at: offset, 12, of: file)]
  guard head.count == 12, head.starts(with: "SECd".utf8) else { return nil }
  let count = min(unsigned(head.suffix(4), isBigEndian: false), 256)
  var rest = window.bytes[try window.range(at: offset + 12, Int(count) * 12, of: file)]
  var offsets: [Int64] = []
  while rest.count >= 12 {
    if rest.dropFirst(8).prefix(4).elementsEqual("IMA2".utf8) {
      offsets.append(Int64(unsigned(rest.prefix(4), isBigEndian: false)))
    }
    rest = rest.dropFirst(12)
  }
  return offsets
}
