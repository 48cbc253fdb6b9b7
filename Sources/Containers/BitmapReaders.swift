import Linux

/// The size of a GIF's logical screen (GIF89a, 18).
func readGIF(
  of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> Container {
  let head = window.bytes[try window.range(at: 0, 10, of: file)]
  guard head.count == 10 else { return Container(isCut: true) }
  var container = Container()
  container.setSize(
    width: unsigned(head.dropFirst(6).prefix(2), isBigEndian: false),
    height: unsigned(head.suffix(2), isBigEndian: false))
  return container
}

/// The size of a Windows or OS/2 bitmap; rows from top to bottom make its height negative.
func readBMP(
  of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> Container {
  let head = window.bytes[try window.range(at: 0, 26, of: file)]
  guard head.count == 26 else { return Container(isCut: true) }
  var container = Container()
  if head[head.startIndex + 14] == 12 {
    container.setSize(
      width: unsigned(head.dropFirst(18).prefix(2), isBigEndian: false),
      height: unsigned(head.dropFirst(20).prefix(2), isBigEndian: false))
  } else {
    let height = Int32(
      truncatingIfNeeded: unsigned(head.dropFirst(22).prefix(4), isBigEndian: false))
    container.setSize(
      width: unsigned(head.dropFirst(18).prefix(4), isBigEndian: false),
      height: UInt64(height.magnitude))
  }
  return container
}
