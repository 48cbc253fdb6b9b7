import Linux

/// Reads Canon's raw of today, a film with pictures for frames (CR3).
func readCanonRaw(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  guard case .found(let movie) = try window.find(["moov"], of: file) else {
    return Container(isCut: true)
  }
  var container = Container()
  var walk = BoxWalk(movie.payload, of: file)
  while let box = try walk.next(in: &window, of: file) {
    if box.type == "uuid" {
      if try fill(&block, fromCanonBox: box, of: file, &window) { container.hasBlock = true }
    } else if box.type == "trak", let size = try rawSize(inTrack: box, of: file, &window),
      size.width > container.width ?? 0
    {
      // The widest is the raw; the others are previews.
      (container.width, container.height) = size
    }
  }
  container.xmp = try window.packetBox(of: file)
  return container
}

/// Canon writes three TIFFs with one directory each into a box of its own, in raws and in films.
/// Returns false when the box is another's, or has no directory.
func fill(
  _ block: inout CleanBlock, fromCanonBox box: Box, of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) -> Bool {
  let start = box.payload.lowerBound
  // What is behind a shorter box is not its own.
  guard box.payload.count >= 16,
    try window.bytes(start, atMost: 16, of: file).elementsEqual(canonIdentifier)
  else { return false }
  var parts: [(Tag.Directory, TIFFBytes)] = []
  var walk = BoxWalk((start + 16)..<box.payload.upperBound, of: file)
  while let part = try walk.next(in: &window, of: file) {
    guard let directory = canonDirectories[part.type],
      let bytes = try window.bytes(of: [part.payload], of: file)
    else { continue }
    parts.append((directory, TIFFBytes(bytes[...])))
  }
  return block.fill(from: parts)
}

/// Pixels of what a track has, the border that no picture shows among them; nil where it is not in
/// Canon's own coding.
private func rawSize(
  inTrack track: Box, of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> (width: Int, height: Int)? {
  guard let list = try window.descend(["mdia", "minf", "stbl", "stsd"], from: track, of: file),
    let bytes = try window.bytes(of: [list.payload], of: file)
  else { return nil }
  var descriptions = ByteCursor(bytes.dropFirst(8))
  guard let description = descriptions.box(), description.type == "CRAW" else { return nil }
  var parts = ByteCursor(description.content.dropFirst(videoDescriptionSize))
  while let part = parts.box() {
    guard part.type == "CMP1" else { continue }
    var cursor = ByteCursor(part.content.dropFirst(8))
    return pixels(cursor.integer(4), cursor.integer(4))
  }
  return nil
}

extension FileWindow {
  /// The first box at the end of a path of boxes in boxes.
  mutating func descend(
    _ path: [FourCharacters], from box: Box, of file: borrowing OpenFile
  ) throws(SystemError) -> Box? {
    var box = box
    for type in path {
      var walk = BoxWalk(box.payload, of: file)
      repeat {
        guard let next = try walk.next(in: &self, of: file) else { return nil }
        box = next
      } while box.type != type
    }
    return box
  }
}

private let canonIdentifier: [UInt8] = [
  0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
]

private let canonDirectories: [FourCharacters: Tag.Directory] = [
  "CMT1": .image, "CMT2": .exif, "CMT4": .gps,
]

/// What stands before the boxes in the description of a picture (Canon's has four bytes more than
/// ISO/IEC 14496-12, 12.1.3).
private let videoDescriptionSize = 82
