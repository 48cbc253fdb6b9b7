import Linux

/// Reads a JPEG 2000: a bare codestream, or one in boxes (ISO/IEC 15444-1, annexes A and I).
func readJPEG2000(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let head = try window.bytes(0, atMost: 24, of: file)
  if head.starts(with: [0xff, 0x4f]) { return readCodestream(head) }
  var container = Container()
  var (hasCodestream, walk) = (false, BoxWalk(file))
  while let box = try walk.next(in: &window, of: file) {
    switch box.type {
    case "jp2h":
      guard let header = try window.descend(["ihdr"], from: box, of: file) else { continue }
      var cursor = ByteCursor(
        try window.bytes(header.payload.lowerBound, atMost: 8, of: file))
      let height = cursor.integer(4)
      let size = pixels(cursor.integer(4), height)
      (container.width, container.height) = (size?.width, size?.height)
    case "jp2c": hasCodestream = true
    case "uuid" where try window.isExif(box, of: file):
      guard box.payload.upperBound <= file.sizeWhenOpened else { return Container(isCut: true) }
      guard !container.hasBlock else { continue }
      let content = (box.payload.lowerBound + 16)..<box.payload.upperBound
      container.hasBlock = try fill(&block, fromExif: [content], of: file, &window)
    default: break
    }
  }
  // EXIF may stand behind the picture.
  let isComplete = hasCodestream && (container.hasBlock || walk.isAtEnd)
  return walk.isCut && !isComplete ? Container(isCut: true) : container
}

/// Start of the codestream; size segment: length, capabilities, the far corner of the picture on its
/// grid, and the near one.
private func readCodestream(_ head: ArraySlice<UInt8>) -> Container {
  var cursor = ByteCursor(head.dropFirst(8))
  guard let right = cursor.integer(4), let bottom = cursor.integer(4),
    let left = cursor.integer(4), let top = cursor.integer(4)
  else { return Container(isCut: true) }
  let size = right > left && bottom > top ? pixels(right - left, bottom - top) : nil
  return Container(width: size?.width, height: size?.height)
}

extension FileWindow {
  /// Whether the box is one of the two in which programs put EXIF.
  fileprivate mutating func isExif(
    _ box: Box, of file: borrowing OpenFile
  ) throws(SystemError) -> Bool {
    guard box.payload.count >= 16 else { return false }
    let identifier = try bytes(box.payload.lowerBound, atMost: 16, of: file)
    return identifier.elementsEqual("JpgTiffExif->JP2".utf8)
      || identifier.elementsEqual(adobeExif)
  }
}

private let adobeExif: [UInt8] = [
  0x05, 0x37, 0xcd, 0xab, 0x9d, 0x0c, 0x44, 0x31, 0xa7, 0x2a, 0xfa, 0x56, 0x1f, 0x2a, 0x11, 0x3e,
]
