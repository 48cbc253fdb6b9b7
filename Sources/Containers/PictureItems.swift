import Linux

/// What a `meta` box says of the items in a file: which there are, where their bytes are, and how the
/// primary one is shown.
struct PictureItems {
  private(set) var primary: UInt64 = 0
  private(set) var types: [UInt64: FourCharacters] = [:]
  private var packets: [UInt64] = []
  private(set) var references: [FourCharacters: [UInt64: [UInt64]]] = [:]
  private var locations: [UInt64: ItemLocation] = [:]
  private var properties: [(type: FourCharacters, content: ArraySlice<UInt8>)] = []
  private var associations: [UInt64: [Int]] = [:]
  /// Where the bytes are that stand in the `meta` box itself.
  private var data: Range<Int64>?
  private let fileSize: Int64

  init(
    in meta: Box, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    fileSize = file.sizeWhenOpened
    // Behind version and flags.
    let content = min(meta.payload.lowerBound + 4, meta.payload.upperBound)
    var walk = BoxWalk(content..<meta.payload.upperBound, of: file)
    while let box = try walk.next(in: &window, of: file) {
      switch box.type {
      case "idat": data = box.payload
      case "pitm", "iinf", "iref", "iloc", "iprp":
        guard let bytes = try window.bytes(of: [box.payload], of: file) else { continue }
        take(box.type, bytes[...])
      default: break
      }
    }
  }

  private mutating func take(_ type: FourCharacters, _ bytes: ArraySlice<UInt8>) {
    switch type {
    case "pitm":
      var cursor = VersionedCursor(bytes)
      primary = cursor.identifier() ?? 0
    case "iinf":
      let found = itemTypes(bytes)
      (types, packets) = (found.types, found.packets)
    case "iref": references = itemReferences(bytes)
    case "iloc": locations = itemLocations(bytes)
    default: takeProperties(bytes)
    }
  }

  private mutating func takeProperties(_ bytes: ArraySlice<UInt8>) {
    var cursor = ByteCursor(bytes)
    while let box = cursor.box() {
      if box.type == "ipco" {
        var list = ByteCursor(box.content)
        while let property = list.box() { properties.append(property) }
      } else if box.type == "ipma" {
        // An item is in no more than one of them (ISO/IEC 23008-12, 9.3.1).
        associations.merge(itemAssociations(box.content)) { first, _ in first }
      }
    }
  }

  /// The properties of an item in the order in which they apply.
  func properties(
    of item: UInt64
  ) -> [(type: FourCharacters, content: ArraySlice<UInt8>)] {
    (associations[item] ?? []).compactMap { index in
      // They are counted from 1.
      properties.indices.contains(index - 1) ? properties[index - 1] : nil
    }
  }

  /// The item with the EXIF of the primary picture, or else the first with any.
  var exif: UInt64? { describing(types.filter { $0.value == "Exif" }.map(\.key)) }

  /// That with the XMP, likewise.
  var xmp: UInt64? { describing(packets) }

  private func describing(_ items: [UInt64]) -> UInt64? {
    let candidates = items.sorted()
    let described = references["cdsc"] ?? [:]
    return candidates.first { described[$0]?.contains(primary) == true } ?? candidates.first
  }

  /// Where the bytes of an item are in the file, in their order; nil where the item has none.
  func ranges(of item: UInt64) -> [Range<Int64>]? { ranges(of: item, depth: 0) }

  private func ranges(of item: UInt64, depth: Int) -> [Range<Int64>]? {
    // An item within others is in few pieces, and so are those, for each piece costs a walk.
    guard let location = locations[item],
      location.construction != 2 && depth == 0 || location.extents.count <= 64
    else { return nil }
    var ranges: [Range<Int64>] = []
    for extent in location.extents {
      guard let source = source(of: extent, location.construction, item, depth),
        let part = slice(source, extent)
      else { return nil }
      ranges += part
      // No item is in more pieces than a picture has tiles.
      guard ranges.count <= 4096 else { return nil }
    }
    return ranges.isEmpty ? nil : ranges
  }

  /// In what the offset of an extent counts.
  private func source(
    of extent: ItemLocation.Extent, _ construction: UInt64, _ item: UInt64, _ depth: Int
  ) -> [Range<Int64>]? {
    switch construction {
    case 0: return [0..<(extent.length == 0 ? fileSize : .max)]
    case 1: return data.map { [$0] }
    case 2:
      // One of the items that this one refers to, counted from 1, and not itself one in others.
      let items = references["iloc"]?[item] ?? []
      let index = max(extent.index, 1) - 1
      guard depth == 0, index < items.count else { return nil }
      return ranges(of: items[Int(index)], depth: 1)
    default: return nil
    }
  }
}

/// The bytes of an extent among those of its source; nil where they are not all there. Length 0 is
/// all that is left.
private func slice(_ source: [Range<Int64>], _ extent: ItemLocation.Extent) -> [Range<Int64>]? {
  var skip = Int64(clamping: extent.offset)
  var wanted = extent.length == 0 ? Int64.max : Int64(clamping: extent.length)
  var parts: [Range<Int64>] = []
  for range in source where wanted > 0 {
    let length = range.upperBound - range.lowerBound
    guard skip < length else {
      skip -= length
      continue
    }
    let start = range.lowerBound + skip
    let count = min(wanted, range.upperBound - start)
    parts.append(start..<(start + count))
    (skip, wanted) = (0, wanted - count)
  }
  return wanted == 0 || extent.length == 0 ? parts : nil
}
