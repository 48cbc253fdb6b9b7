import Linux

/// The MIME types that we tell apart, spelled as exiftool spells them.
package enum MediaType {
  package static let jpeg = "image/jpeg"
}

/// The MIME type of what begins with the bytes in the window; nil for content of no known type.
///
/// Only the bytes decide, with one exception: most makers' raws are plain TIFFs, whose kind
/// nothing but the name tells.
func mediaType(
  of file: borrowing OpenFile, named suffix: String, in window: inout FileWindow
) throws(SystemError) -> String? {
  let start = try window.range(at: 0, 64, of: file)
  if start.count >= 3, window.bytes[0] == 0xff, window.bytes[1] == 0xd8, window.bytes[2] == 0xff {
    return MediaType.jpeg
  }
  let head = Array(window.bytes[start])
  if head.dropFirst(4).starts(with: "ftyp".utf8) {
    return try fileType(at: 0, of: file, in: &window)
  }
  if let type = mediaType(ofMagic: head[...]) {
    switch type {
    case "image/png": return try pngType(of: file, in: &window)
    case "image/jp2": return try fileType(at: 12, of: file, in: &window)
    default: return type
    }
  }
  if isBitmap(head) { return "image/bmp" }
  if head.starts(with: "II".utf8) || head.starts(with: "MM".utf8) {
    return try tiffType(of: file, named: suffix.lowercased(), in: &window)
  }
  return nil
}

/// What the `ftyp` box tells; nil where the file ends in it, for the last brand may be the one that
/// tells.
private func fileType(
  at offset: Int64, of file: borrowing OpenFile, in window: inout FileWindow
) throws(SystemError) -> String? {
  let size = try window.range(at: offset, 4, of: file)
  let wanted = fileTypeSize(window.bytes[size])
  let box = try window.range(at: offset, wanted, of: file)
  return box.count == wanted ? mediaType(ofFileTypeBox: window.bytes[box]) : nil
}

/// How much of a `ftyp` box is looked at.
private func fileTypeSize(_ head: ArraySlice<UInt8>) -> Int {
  min(max(head.prefix(4).reduce(0) { $0 << 8 | Int($1) }, 16), 4096)
}

/// Whether these bytes, all of a file of no known type, can be the beginning of one whose type we
/// know: nothing at all, a start of a JPEG, or one that ends in the box that names the type.
func isCutBeforeItsType(_ head: ArraySlice<UInt8>) -> Bool {
  if head.count < 3 && head.elementsEqual([0xff, 0xd8].prefix(head.count)) { return true }
  let signature = [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0a]
  let box = head.starts(with: signature) ? head.dropFirst(signature.count) : head
  if box.count < 4 { return box.allSatisfy { $0 == 0 } }
  let name = box.dropFirst(4).prefix(4)
  return box.count < fileTypeSize(box) && box.first == 0
    && ["ftyp", "JXL ", "jP  ", "moov", "mdat", "wide", "pnot"].contains {
      $0.utf8.starts(with: name)
    }
}

/// Types that a fixed sequence of bytes at a fixed place tells.
private func mediaType(ofMagic head: ArraySlice<UInt8>) -> String? {
  for magic in magics {
    if head.dropFirst(magic.offset).starts(with: magic.bytes) { return magic.type }
  }
  return nil
}

private struct Magic {
  let offset: Int
  let bytes: [UInt8]
  let type: String

  init(_ text: String, at offset: Int = 0, _ type: String) {
    self.init(bytes: Array(text.utf8), at: offset, type)
  }

  init(bytes: [UInt8], at offset: Int = 0, _ type: String) {
    self.offset = offset
    self.bytes = bytes
    self.type = type
  }
}

private let magics: [Magic] = [
  Magic(bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"),
  Magic("WEBP", at: 8, "image/webp"),
  Magic("GIF87a", "image/gif"),
  Magic("GIF89a", "image/gif"),
  Magic(bytes: [0, 0, 0, 0x0c] + Array("JXL \r\n".utf8) + [0x87, 0x0a], "image/jxl"),
  Magic(bytes: [0xff, 0x0a], "image/jxl"),
  Magic(bytes: [0, 0, 0, 0x0c] + Array("jP  \r\n".utf8) + [0x87, 0x0a], "image/jp2"),
  Magic(bytes: [0xff, 0x4f, 0xff, 0x51, 0], "image/x-j2c"),
  Magic("FUJIFILMCCD-RAW", "image/x-fujifilm-raf"),
  Magic(bytes: [0] + Array("MRM".utf8), "image/x-minolta-mrw"),
  Magic("FOVb", "image/x-sigma-x3f"),
  Magic("HEAPCCDR", at: 6, "image/x-canon-crw"),
  Magic("IIRO", "image/x-olympus-orf"),
  Magic("IIRS", "image/x-olympus-orf"),
  Magic("MMOR", "image/x-olympus-orf"),
  Magic(bytes: Array("II".utf8) + [0xbc], "image/jxr"),
  Magic("CR", at: 8, "image/x-canon-cr2"),
  Magic(bytes: Array("II".utf8) + [0x2b, 0], "image/x-tiff-big"),
  Magic(bytes: Array("MM".utf8) + [0, 0x2b], "image/x-tiff-big"),
  // QuickTime from before there was a file type box.
  Magic("moov", at: 4, "video/quicktime"),
  Magic("mdat", at: 4, "video/quicktime"),
  Magic("wide", at: 4, "video/quicktime"),
  Magic("pnot", at: 4, "video/quicktime"),
]

/// Two letters are not much: the length of the header that follows is one of a few, too.
private func isBitmap(_ head: [UInt8]) -> Bool {
  head.starts(with: "BM".utf8) && head.count >= 18
    && [12, 16, 40, 52, 56, 64, 108, 124].contains(head[14])
    && head[15...17].elementsEqual([0, 0, 0])
}

/// Whether an animation control chunk comes before the picture (PNG, 3rd edition, 11.3.6).
private func pngType(
  of file: borrowing OpenFile, in window: inout FileWindow
) throws(SystemError) -> String {
  var position: Int64 = 8
  for _ in 0..<64 {
    let chunk = try window.range(at: position, 8, of: file)
    guard chunk.count == 8 else { break }
    let name = window.bytes[chunk.dropFirst(4)]
    if name.elementsEqual("acTL".utf8) { return "image/apng" }
    if name.elementsEqual("IDAT".utf8) { break }
    // Length, name, data, checksum.
    position += window.bytes[chunk.prefix(4)].reduce(0) { $0 << 8 | Int64($1) } + 12
  }
  return "image/png"
}
