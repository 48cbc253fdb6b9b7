import Linux

/// Reads the chunks of a PNG or APNG (PNG, 3rd edition, section 5), of which the first usable EXIF
/// goes into `block`: an `eXIf`, which may stand behind the picture, or the text in which programs
/// kept EXIF before there was one. XMP and IPTC are in text, too.
func readPNG(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  var container = Container()
  var hasExif = false
  var position: Int64 = 8
  // A few bytes may claim to hold megabytes.
  var patience = 8
  for _ in 0..<chunkLimit {
    guard let chunk = try window.pngChunk(at: position, of: file),
      chunk.range.upperBound <= file.sizeWhenOpened
    else {
      container.isCut = !hasExif
      return container
    }
    switch chunk.name {
    case "IHDR": try takeHeader(chunk, &container, of: file, &window)
    case "eXIf" where !container.hasBlock:
      hasExif = true
      container.hasBlock = try readTags(inTIFF: chunk.range, of: file, &window, &block)
    case "tEXt", "zTXt", "iTXt":
      guard let text = try text(of: chunk, of: file, &window, &patience) else { break }
      container.xmp = container.xmp ?? text.xmp
      container.iptc = container.iptc ?? text.iptc
      guard !container.hasBlock, let tiff = text.exif else { break }
      hasExif = true
      container.hasBlock = block.fill(from: TIFFBytes(tiff[...]))
    case "IEND": return container
    default: break
    }
    position = chunk.range.upperBound + 4
  }
  return container
}

private func takeHeader(
  _ chunk: Chunk, _ container: inout Container, of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) {
  guard chunk.range.count >= 8 else { return }
  let size = window.bytes[try window.range(at: chunk.range.lowerBound, 8, of: file)]
  container.setSize(
    width: unsigned(size.prefix(4), isBigEndian: true),
    height: unsigned(size.suffix(4), isBigEndian: true))
}

/// A text that may hold metadata, which uses up `patience` be it broken or not.
private func text(
  of chunk: Chunk, of file: borrowing OpenFile, _ window: inout FileWindow,
  _ patience: inout Int
) throws(SystemError) -> PNGText? {
  let head = window.bytes[try window.range(at: chunk.range.lowerBound, 32, of: file)]
  guard patience > 0, PNGText.isMetadata(head) else { return nil }
  patience -= 1
  guard chunk.range.count <= textLimit else { return nil }
  var bytes = [UInt8](repeating: 0, count: chunk.range.count)
  guard try file.read(at: chunk.range.lowerBound, into: &bytes) == bytes.count,
    let text = PNGText(bytes, ofChunk: chunk.name)
  else { return nil }
  return text
}

/// Of a large picture every 8 KiB are a chunk of their own.
private let chunkLimit = 1 << 17

/// A profile in hexadecimal digits is twice as large as it is.
private let textLimit = 4 << 20
