import Brotli
import Linux

/// Reads a JPEG XL: a bare codestream, or one in boxes with the EXIF beside it (ISO/IEC 18181-2).
func readJPEGXL(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  var container = Container()
  if try window.bytes(0, atMost: 2, of: file).elementsEqual(JPEGXLHeader.signature) {
    container.isCut = try !container.takeCodestream(at: 0, of: file, &window)
    return container
  }
  var (hasCodestream, walk) = (false, BoxWalk(file))
  // A few bytes may claim to hold megabytes.
  var patience = 8
  while let box = try walk.next(in: &window, of: file) {
    switch box.type {
    case "jxlc", "jxlp":
      // A part has its number before it; the first has the header.
      let start = box.payload.lowerBound + (box.type == "jxlp" ? 4 : 0)
      if !hasCodestream {
        hasCodestream = try container.takeCodestream(at: start, of: file, &window)
      }
    case "Exif", "brob":
      guard box.payload.upperBound <= file.sizeWhenOpened else {
        return hasCodestream && container.hasBlock ? container : Container(isCut: true)
      }
      guard patience > 0 else { continue }
      patience -= 1
      try container.take(box, of: file, &window, &block)
    case "xml ":
      if container.xmp == nil { container.xmp = try window.packet(at: [box.payload], of: file) }
    default: break
    }
    if hasCodestream && container.hasBlock && container.xmp != nil { return container }
  }
  // EXIF may stand behind the picture.
  let isComplete = hasCodestream && (container.hasBlock || walk.isAtEnd)
  return walk.isCut && !isComplete ? Container(isCut: true) : container
}

extension Container {
  /// A box whose content is compressed begins with the type that it had.
  fileprivate mutating func take(
    _ box: Box, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    if box.type == "Exif" {
      guard !hasBlock else { return }
      hasBlock = try fill(&block, fromExif: [box.payload], of: file, &window)
      return
    }
    guard let bytes = try window.bytes(of: [box.payload], of: file) else { return }
    if !hasBlock, bytes.starts(with: "Exif".utf8),
      let exif = decompressed(Array(bytes.dropFirst(4)), atMost: 4 << 20),
      let tiff = tiff(inExifItem: exif[...])
    {
      hasBlock = block.fill(from: TIFFBytes(tiff))
    } else if xmp == nil, bytes.starts(with: "xml ".utf8) {
      xmp = decompressed(Array(bytes.dropFirst(4)), atMost: packetLimit)
    }
  }

  /// Returns false when the file ends before the codestream's size.
  fileprivate mutating func takeCodestream(
    at offset: Int64, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> Bool {
    let bytes = try window.bytes(offset, atMost: 32, of: file)
    guard let header = JPEGXLHeader(bytes) else { return bytes.count == 32 }
    (width, height) = (header.width, header.height)
    orientation = header.orientation == 1 ? nil : header.orientation
    return true
  }
}

/// What a codestream begins with (ISO/IEC 18181-1, annex D).
private struct JPEGXLHeader {
  let width: Int
  let height: Int
  /// As EXIF numbers it.
  let orientation: Int

  static let signature: [UInt8] = [0xff, 0x0a]

  /// Returns nil for bytes that do not hold all of it.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: JPEGXLHeader.signature) else { return nil }
    var bits = BitCursor(bytes.dropFirst(2))
    guard let isSmall = bits.integer(1), let height = bits.length(isSmall: isSmall == 1),
      let ratio = bits.integer(3)
    else { return nil }
    self.height = height
    if ratio == 0 {
      guard let width = bits.length(isSmall: isSmall == 1) else { return nil }
      self.width = width
    } else {
      let (numerator, denominator) = ratios[ratio - 1]
      width = height * numerator / denominator
    }
    guard let isDefault = bits.integer(1) else { return nil }
    if isDefault == 1 {
      orientation = 1
      return
    }
    guard let hasExtraFields = bits.integer(1) else { return nil }
    guard hasExtraFields == 1 else {
      orientation = 1
      return
    }
    guard let code = bits.integer(3) else { return nil }
    orientation = code + 1
  }
}

private let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

/// Reads numbers, lowest bit first.
private struct BitCursor {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  mutating func integer(_ count: Int) -> Int? {
    guard position + count <= 8 * bytes.count else { return nil }
    var value = 0
    for bit in 0..<count {
      let byte = bytes[bytes.startIndex + (position + bit) / 8]
      value |= Int(byte >> UInt8((position + bit) % 8) & 1) << bit
    }
    position += count
    return value
  }

  mutating func length(isSmall: Bool) -> Int? {
    if isSmall { return integer(5).map { 8 * ($0 + 1) } }
    guard let selector = integer(2) else { return nil }
    return integer([9, 13, 18, 30][selector]).map { $0 + 1 }
  }
}
