import Linux

/// Reads the chunks of a WebP (RFC 9649, section 2). The size is that of the canvas, or where
/// there is none that of the one picture.
func readWebP(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  var container = Container()
  var hasExif = false
  let size = file.sizeWhenOpened
  let riff = try window.riffChunk(at: 0, of: file)?.range ?? 0..<0
  var position: Int64 = 12
  for _ in 0..<chunkLimit where position < riff.upperBound {
    guard let chunk = try window.riffChunk(at: position, of: file),
      chunk.range.upperBound <= size
    else {
      container.isCut = !hasExif
      return container
    }
    if chunk.name == "EXIF", !container.hasBlock {
      hasExif = true
      container.hasBlock = try readTags(inTIFF: chunk.range, of: file, &window, &block)
    } else if chunk.name == "XMP ", container.xmp == nil {
      container.xmp = try packet(chunk.range, of: file)
    } else if container.width == nil {
      try takeSize(chunk, &container, of: file, &window)
    }
    position = chunk.range.upperBound + Int64(chunk.range.count % 2)
  }
  return container
}

private func takeSize(
  _ chunk: Chunk, _ container: inout Container, of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) {
  guard chunk.range.count >= 10 || chunk.name == "VP8L" && chunk.range.count >= 5 else { return }
  let head = window.bytes[try window.range(at: chunk.range.lowerBound, 10, of: file)]
  func number(_ offset: Int, _ count: Int) -> UInt64 {
    unsigned(head.dropFirst(offset).prefix(count), isBigEndian: false)
  }
  switch chunk.name {
  case "VP8X": container.setSize(width: number(4, 3) + 1, height: number(7, 3) + 1)
  case "VP8 ":
    // Behind the tag of the frame a start code, then 14 bits of size and two of scale (RFC 6386).
    guard number(3, 3) == 0x2a019d else { return }
    container.setSize(width: number(6, 2) & 0x3fff, height: number(8, 2) & 0x3fff)
  case "VP8L":
    guard number(0, 1) == 0x2f else { return }
    let bits = number(1, 4)
    container.setSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
  default: break
  }
}

/// Each picture of an animation is a chunk.
private let chunkLimit = 1 << 16
