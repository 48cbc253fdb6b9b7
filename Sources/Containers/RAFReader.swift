import Linux
import Model

/// Reads a Fujifilm raw: the tags are those of the JPEG in it, the size stands in records of the
/// maker's. Both are found by offsets in the header.
func readRAF(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let head = Array(window.bytes[try window.range(at: 84, 16, of: file)])
  guard head.count == 16 else { return Container(isCut: true) }
  func offset(_ index: Int) -> Int64 {
    Int64(unsigned(head.dropFirst(index).prefix(4), isBigEndian: true))
  }
  let jpeg = offset(0)
  let mark = window.bytes[try window.range(at: jpeg, 2, of: file)]
  guard mark.count == 2 else { return Container(isCut: true) }
  var container = Container()
  if mark.elementsEqual([0xff, Marker.startOfImage]) {
    container = try readJPEG(at: jpeg, of: file, &window, &block)
  }
  (container.width, container.height) = (nil, nil)
  if !container.isCut { try takeRecords(at: offset(8), &container, of: file, &window) }
  return container
}

/// Records of a number, a length, and so many bytes: of the picture without borders if it is
/// there, else of the whole sensor, the height stands before the width.
private func takeRecords(
  at offset: Int64, _ container: inout Container, of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) {
  var rest = window.bytes[try window.range(at: offset, 16 * 1024, of: file)]
  func take(_ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return unsigned(rest.prefix(count), isBigEndian: true)
  }
  guard let count = take(4), count <= 256 else { return }
  var sizes: [UInt64: (width: UInt64, height: UInt64)] = [:]
  for _ in 0..<count {
    // With the last ones cut off, the better size may be among them.
    guard let number = take(2), let length = take(2), rest.count >= length else { return }
    if length == 4, let height = take(2), let width = take(2) {
      sizes[number] = (width, height)
    } else {
      rest = rest.dropFirst(Int(length))
    }
  }
  if let size = sizes[croppedSize] ?? sizes[fullSize] {
    container.setSize(width: size.width, height: size.height)
  }
}

private let fullSize: UInt64 = 0x100
private let croppedSize: UInt64 = 0x111
