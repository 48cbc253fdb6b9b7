import Linux

/// Where the coded picture is in a file of boxes, apart from all that is said about it.
struct PictureExtents {
  /// What belongs to the picture but may stand anywhere: how it is coded, and in which order its parts
  /// stand in the file.
  var preface: [UInt8] = []
  /// In the order of the file, and apart from each other.
  let ranges: [Range<Int64>]

  /// Returns nil where a part is not in the file, or two share bytes.
  init?(_ parts: [Range<Int64>], of file: borrowing OpenFile) {
    // Where there are no bytes there is no picture, nor an order.
    let parts = parts.filter { !$0.isEmpty }
    let order = parts.indices.sorted { parts[$0].lowerBound < parts[$1].lowerBound }
    ranges = order.map { parts[$0] }
    guard let last = ranges.last, last.upperBound <= file.sizeWhenOpened,
      zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
    else { return nil }
    for (index, range) in zip(order, ranges) {
      append(index)
      append(range.count)
    }
  }

  mutating func append(_ number: Int) {
    preface += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension FileWindow {
  /// The extents of the picture in the file that was opened; nil for a file of another kind, and for
  /// one that is not whole.
  mutating func pictureExtents(
    of file: borrowing OpenFile
  ) throws(SystemError) -> PictureExtents? {
    guard let type = try mediaType(of: file, named: "", in: &self) else { return nil }
    switch Format.of(type)?.container {
    case .heif: return try itemExtents(of: file)
    case .movie, .canonRaw: return try boxExtents(["mdat"], of: file)
    case .jpegXL: return try codestreamExtents(["jxlc", "jxlp"], of: file)
    case .jpeg2000: return try codestreamExtents(["jp2c"], of: file)
    case .jpeg, .png, .webp, .gif, .bmp, .tiff, .cr2, .raf, .mrw, .x3f, .unread, nil: return nil
    }
  }

  /// The content of the file's own boxes of these types.
  private mutating func boxExtents(
    _ types: Set<FourCharacters>, of file: borrowing OpenFile
  ) throws(SystemError) -> PictureExtents? {
    var (parts, walk) = ([Range<Int64>](), BoxWalk(file))
    while let box = try walk.next(in: &self, of: file) {
      if types.contains(box.type) { parts.append(box.payload) }
    }
    return walk.isAtEnd ? PictureExtents(parts, of: file) : nil
  }

  /// A codestream without boxes around it is the file.
  private mutating func codestreamExtents(
    _ types: Set<FourCharacters>, of file: borrowing OpenFile
  ) throws(SystemError) -> PictureExtents? {
    guard try bytes(0, atMost: 1, of: file).first == 0xff else {
      return try boxExtents(types, of: file)
    }
    return PictureExtents([0..<file.sizeWhenOpened], of: file)
  }

  /// The primary picture, and those that it is made from.
  private mutating func itemExtents(
    of file: borrowing OpenFile
  ) throws(SystemError) -> PictureExtents? {
    guard case .found(let box) = try find(["meta"], of: file) else { return nil }
    let items = try PictureItems(in: box, of: file, &self)
    var parts: [Range<Int64>] = []
    var coding: [UInt8] = []
    for item in items.partsOfPrimary {
      guard let ranges = items.ranges(of: item) else { return nil }
      parts += ranges
      guard parts.count <= 4096 else { return nil }
      for property in items.properties(of: item) where codings.contains(property.type) {
        // One property may be said to be that of every item, and many times.
        guard coding.count + property.content.count <= codingLimit else { return nil }
        coding += property.content
      }
    }
    var extents = PictureExtents(parts, of: file)
    extents?.preface += coding
    return extents
  }
}

extension PictureItems {
  /// The primary item, the items that it is made from (`dimg`), and those that these are made from.
  fileprivate var partsOfPrimary: [UInt64] {
    var (items, seen, index) = ([primary], Set([primary]), 0)
    while index < items.count, items.count <= 4096 {
      items += (references["dimg"]?[items[index]] ?? []).filter { seen.insert($0).inserted }
      index += 1
    }
    return items
  }
}

/// Properties without which the bytes of an item are not a picture.
private let codings: Set<FourCharacters> = ["hvcC", "av1C", "ispe"]

/// Many times what those of a picture of thousands of tiles are together.
private let codingLimit = 4 << 20
