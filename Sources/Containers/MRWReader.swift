import Linux

/// Reads a Minolta raw: `PRD` has the size, `TTW` a TIFF with all tags.
func readMRW(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  var container = Container()
  let head = window.bytes[try window.range(at: 0, 8, of: file)]
  guard head.count == 8 else { return Container(isCut: true) }
  let end = 8 + Int64(unsigned(head.suffix(4), isBigEndian: true))
  var position: Int64 = 8
  for _ in 0..<64 where position + 8 <= end {
    let block8 = window.bytes[try window.range(at: position, 8, of: file)]
    guard block8.count == 8 else { return Container(isCut: true) }
    let name = block8.prefix(4)
    let start = position + 8
    position = start + Int64(unsigned(block8.suffix(4), isBigEndian: true))
    guard position <= file.sizeWhenOpened else { return Container(isCut: true) }
    if name.elementsEqual("\0PRD".utf8) {
      // Behind a version of eight bytes the height and width of the sensor, then of the picture.
      let size = window.bytes[try window.range(at: start + 12, 4, of: file)]
      guard size.count == 4, start + 16 <= position else { continue }
      container.setSize(
        width: unsigned(size.suffix(2), isBigEndian: true),
        height: unsigned(size.prefix(2), isBigEndian: true))
    } else if name.elementsEqual("\0TTW".utf8) {
      container.hasBlock = try readTags(inTIFF: start..<position, of: file, &window, &block)
    }
  }
  return container
}
