import Linux

/// Reads a picture in items: HEIC, HEIF or AVIF (ISO/IEC 23008-12 and 14496-12, 8.11).
func readHEIF(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  switch try window.find(["meta", "moov"], of: file) {
  case .cut: return Container(isCut: true)
  case .none: return Container()
  // A sequence of pictures need not have items.
  case .found(let box) where box.type == "moov":
    return try readMovie(of: file, &window, &block)
  case .found(let box):
    let items = try PictureItems(in: box, of: file, &window)
    return try readPicture(items, of: file, &window, &block)
  }
}

private func readPicture(
  _ items: PictureItems, of file: borrowing OpenFile, _ window: inout FileWindow,
  _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let pixels = try items.size(of: file, &window)
  var container = Container(width: pixels?.width, height: pixels?.height)
  container.orientation = items.orientation?.number
  if let ranges = items.xmp.flatMap({ items.ranges(of: $0) }) {
    container.xmp = try window.packet(at: ranges, of: file)
  }
  guard let ranges = items.exif.flatMap({ items.ranges(of: $0) }) else { return container }
  container.hasBlock = try fill(&block, fromExif: ranges, of: file, &window)
  // What is cut off behind the tags, such as a thumbnail, does not matter.
  let isCut = ranges.contains { $0.upperBound > file.sizeWhenOpened }
  if isCut && (!container.hasBlock || block.isIncomplete) { return Container(isCut: true) }
  return container
}

/// Fills the block from EXIF that stands at these places, as far as they are in the file. Returns false
/// when it has no directory.
func fill(
  _ block: inout CleanBlock, fromExif ranges: [Range<Int64>], of file: borrowing OpenFile,
  _ window: inout FileWindow
) throws(SystemError) -> Bool {
  let there = ranges.map { $0.clamped(to: 0..<file.sizeWhenOpened) }
  guard let bytes = try window.bytes(of: there, of: file), let tiff = tiff(inExifItem: bytes[...])
  else { return false }
  return block.fill(from: TIFFBytes(tiff))
}

/// The TIFF in an `Exif` item. Four bytes say how far behind them it begins (ISO/IEC 23008-12, A.2.1):
/// mostly behind `Exif\0\0`, which counts as distance. Some writers leave out the four bytes, or
/// count wrong.
func tiff(inExifItem bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  var cursor = ByteCursor(bytes)
  let distance = cursor.integer(4).map { Int(clamping: $0) } ?? 0
  let header = Array("Exif\0\0".utf8)
  for start in [cursor.rest.dropFirst(distance), bytes, cursor.rest] {
    let tiff = start.starts(with: header) ? start.dropFirst(header.count) : start
    if tiff.starts(with: [0x49, 0x49, 0x2a, 0]) || tiff.starts(with: [0x4d, 0x4d, 0, 0x2a]) {
      return tiff
    }
  }
  return nil
}
