/// Where the bytes of an item are.
struct ItemLocation {
  struct Extent {
    let index: UInt64
    let offset: UInt64
    let length: UInt64
  }

  /// 0: in the file; 1: in the `idat` box; 2: in other items.
  let construction: UInt64
  let extents: [Extent]
}

/// Behind the version and the flags that many boxes begin with.
struct VersionedCursor {
  let version: UInt64
  let flags: UInt64
  var cursor: ByteCursor

  /// Where the four bytes are missing, nothing follows them.
  init(_ bytes: ArraySlice<UInt8>) {
    cursor = ByteCursor(bytes)
    version = cursor.integer(1) ?? 0
    flags = cursor.integer(3) ?? 0
  }

  /// The number of an item, which version 1 of several boxes widens.
  mutating func identifier() -> UInt64? { cursor.integer(version == 0 ? 2 : 4) }
}

/// What a file says of its items (ISO/IEC 14496-12, 8.11.6).
struct ItemTypes {
  var types: [UInt64: FourCharacters] = [:]
  /// Those that are XMP.
  var packets: [UInt64] = []
}

/// Entries before version 2 have no type, and no picture has them.
func itemTypes(_ bytes: ArraySlice<UInt8>) -> ItemTypes {
  var list = VersionedCursor(bytes)
  guard list.identifier() != nil else { return ItemTypes() }
  var found = ItemTypes()
  while let entry = list.cursor.box() {
    var cursor = VersionedCursor(entry.content)
    guard entry.type == "infe", cursor.version >= 2,
      let item = cursor.cursor.integer(cursor.version == 2 ? 2 : 4),
      cursor.cursor.integer(2) != nil, let type = cursor.cursor.integer(4)
    else { continue }
    let kind = FourCharacters(code: UInt32(truncatingIfNeeded: type))
    found.types[item] = kind
    // A name, then the type of the content, each with a NUL at its end.
    let content = cursor.cursor.rest.drop { $0 != 0 }.dropFirst()
    if kind == "mime", content.prefix(while: { $0 != 0 }).elementsEqual(packetType) {
      found.packets.append(item)
    }
  }
  return found
}

private let packetType = Array("application/rdf+xml".utf8)

/// To which items others refer, in one way: `cdsc` describes them, `dimg` is made from them, `iloc` has
/// their bytes (ISO/IEC 14496-12, 8.11.12).
func itemReferences(_ bytes: ArraySlice<UInt8>) -> [FourCharacters: [UInt64: [UInt64]]] {
  var list = VersionedCursor(bytes)
  let size = list.version == 0 ? 2 : 4
  var references: [FourCharacters: [UInt64: [UInt64]]] = [:]
  while let entry = list.cursor.box() {
    var cursor = ByteCursor(entry.content)
    guard let from = cursor.integer(size), cursor.integer(2) != nil else { continue }
    var to: [UInt64] = []
    while let item = cursor.integer(size) { to.append(item) }
    references[entry.type, default: [:]][from, default: []] += to
  }
  return references
}

/// ISO/IEC 14496-12, 8.11.3. What stands behind an entry that is not all there is not read.
func itemLocations(_ bytes: ArraySlice<UInt8>) -> [UInt64: ItemLocation] {
  var box = VersionedCursor(bytes)
  guard box.version <= 2, let sizes = box.cursor.integer(2) else { return [:] }
  let layout = LocationLayout(version: box.version, sizes: sizes)
  guard let count = box.cursor.integer(layout.isWide ? 4 : 2) else { return [:] }
  var locations: [UInt64: ItemLocation] = [:]
  // Extents may claim to take no bytes at all.
  var patience = 1 << 17
  for _ in 0..<count {
    guard patience > 0, let (item, location) = layout.location(&box.cursor) else { break }
    locations[item] = location
    patience -= location.extents.count + 1
  }
  return locations
}

/// How wide the fields of an `iloc` box are.
private struct LocationLayout {
  let version: UInt64
  let offset: Int
  let length: Int
  let base: Int
  let index: Int

  var isWide: Bool { version == 2 }

  init(version: UInt64, sizes: UInt64) {
    self.version = version
    // More than eight bytes have no meaning.
    func size(_ shift: UInt64) -> Int { min(Int(sizes >> shift & 15), 8) }
    (offset, length, base) = (size(12), size(8), size(4))
    index = version == 0 ? 0 : size(0)
  }

  func location(_ cursor: inout ByteCursor) -> (UInt64, ItemLocation)? {
    guard let item = cursor.integer(isWide ? 4 : 2),
      let construction = version == 0 ? 0 : cursor.integer(2), cursor.integer(2) != nil,
      let base = cursor.integer(base), let count = cursor.integer(2)
    else { return nil }
    var extents: [ItemLocation.Extent] = []
    for _ in 0..<count {
      guard let index = cursor.integer(index), let offset = cursor.integer(offset),
        let length = cursor.integer(length)
      else { return nil }
      let (start, overflow) = base.addingReportingOverflow(offset)
      guard !overflow else { return nil }
      extents.append(ItemLocation.Extent(index: index, offset: start, length: length))
    }
    return (item, ItemLocation(construction: construction & 15, extents: extents))
  }
}

/// ISO/IEC 23008-12, 9.3: for each item the numbers of its properties. It has one entry; of more the
/// first counts.
func itemAssociations(_ bytes: ArraySlice<UInt8>) -> [UInt64: [Int]] {
  var box = VersionedCursor(bytes)
  guard let count = box.cursor.integer(4) else { return [:] }
  let size = box.flags & 1 == 0 ? 1 : 2
  var associations: [UInt64: [Int]] = [:]
  for _ in 0..<count {
    guard let item = box.identifier(), let number = box.cursor.integer(1) else { break }
    var properties: [Int] = []
    for _ in 0..<number {
      guard let value = box.cursor.integer(size) else { break }
      // The highest bit says whether a reader must know the property.
      properties.append(Int(value & (size == 1 ? 0x7f : 0x7fff)))
    }
    if associations[item] == nil { associations[item] = properties }
  }
  return associations
}
