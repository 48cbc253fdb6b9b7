/// A box of ISO/IEC 14496-12, 4.2. Its name is in Latin-1: `©` is one byte.
package func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let content = parts.flatMap { $0 }
  return big(content.count + 8, 4) + latin(type) + content
}

/// One with a version and flags.
package func fullBox(
  _ type: String, version: UInt8 = 0, flags: Int = 0, _ parts: [UInt8]...
) -> [UInt8] {
  box(type, [version], big(flags, 3), parts.flatMap { $0 })
}

/// A number, most significant byte first.
package func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

package func latin(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

/// A HEIC with one picture of coded bytes, or with four of them in a grid.
package struct HEIFFixture {
  package var brand = "heic"
  package var width = 4032
  package var height = 3024
  /// The content of the `Exif` item; nil for none.
  package var exif: [UInt8]?
  /// Where the bytes of the EXIF are: 0 in the file, 1 in `idat`, 2 in another item.
  package var construction = 0
  /// Properties that follow the size, such as `irot`.
  package var turns: [[UInt8]] = []
  /// The content of the property with the configuration of the decoder, and how often the picture has
  /// that property.
  package var configuration: [UInt8] = [1, 2, 3, 4]
  package var configurationUses = 1
  /// Further entries that give properties to items, and further boxes of `iprp`.
  package var moreAssociations: [[UInt8]] = []
  package var moreProperties: [[UInt8]] = []
  package var isGrid = false
  package var hasSize = true
  package var isExifFirst = false
  package var picture: [UInt8] = Array(repeating: 0xc0, count: 400)
  /// Items with EXIF of other pictures, which stand before the right one.
  package var otherExif: [[UInt8]] = []
  /// The content of an item with XMP, and what that says it is.
  package var packet: [UInt8]?
  package var packetType = "application/rdf+xml"

  package init(exif: TIFFFixture? = nil) {
    self.exif = exif.map { HEIFFixture.item($0) }
  }

  /// As most writers make it: the distance to the TIFF, which is that of `Exif\0\0`.
  package static func item(_ tiff: TIFFFixture) -> [UInt8] {
    big(6, 4) + latin("Exif\0\0") + tiff.bytes
  }

  private struct Item {
    let number: Int
    let type: String
    let content: [UInt8]
    var construction = 0
  }

  private var items: [Item] {
    let type = brand == "avif" ? "av01" : "hvc1"
    var items = [Item(number: 1, type: isGrid ? "grid" : type, content: isGrid ? grid : picture)]
    if isGrid {
      for tile in 2...5 { items.append(Item(number: tile, type: type, content: picture)) }
    }
    for (index, exif) in otherExif.enumerated() {
      items.append(Item(number: 10 + index, type: "Exif", content: exif))
    }
    if let exif {
      items.append(Item(number: 20, type: "Exif", content: exif, construction: construction))
      // With some bytes before and behind those that the EXIF consists of.
      if construction == 2 {
        items.append(Item(number: 30, type: "data", content: [1, 2, 3] + exif + [4, 5]))
      }
    }
    if let packet { items.append(Item(number: 40, type: "mime", content: packet)) }
    return items
  }

  /// Version, flags for sizes of 16 bits, rows and columns less 1, size.
  private var grid: [UInt8] { [0, 0, 1, 1] + big(width, 2) + big(height, 2) }

  package var bytes: [UInt8] {
    let head = box("ftyp", latin(brand), big(0, 4), latin("mif1"), latin(brand))
    let stored = items.filter { $0.construction == 0 }
    let ordered = isExifFirst ? stored.reversed() : stored
    var (offsets, data) = ([Int: Int](), [UInt8]())
    for item in ordered {
      offsets[item.number] = data.count
      data += item.content
    }
    // The offsets have four bytes each, so that the length does not depend on them.
    let length = meta(offsets, base: 0).count
    return head + meta(offsets, base: head.count + length + 8) + box("mdat", data)
  }

  private func meta(_ offsets: [Int: Int], base: Int) -> [UInt8] {
    let entries = items.map { item in
      let content = item.type == "mime" ? latin(packetType + "\0") : []
      return fullBox(
        "infe", version: 2, big(item.number, 2), big(0, 2), latin(item.type), [0], content)
    }
    return fullBox(
      "meta", fullBox("hdlr", big(0, 4), latin("pict"), big(0, 12), [0]),
      fullBox("pitm", big(1, 2)), locations(offsets, base: base),
      fullBox("iinf", big(entries.count, 2), entries.flatMap { $0 }), references, properties,
      box("idat", construction == 1 ? [9, 9] + (exif ?? []) : []))
  }

  private func locations(_ offsets: [Int: Int], base: Int) -> [UInt8] {
    var list: [UInt8] = [0x44, 0x04] + big(items.count, 2)
    for item in items {
      list += big(item.number, 2) + big(item.construction, 2) + big(0, 2) + big(1, 2)
      let offset = [0: base + (offsets[item.number] ?? 0), 1: 2, 2: 3][item.construction] ?? 0
      list += big(item.construction == 2 ? 1 : 0, 4) + big(offset, 4) + big(item.content.count, 4)
    }
    return fullBox("iloc", version: 1, list)
  }

  private var references: [UInt8] {
    var list: [UInt8] = []
    for index in otherExif.indices {
      list += box("cdsc", big(10 + index, 2), big(1, 2), big(2, 2))
    }
    if exif != nil { list += box("cdsc", big(20, 2), big(1, 2), big(1, 2)) }
    if packet != nil { list += box("cdsc", big(40, 2), big(1, 2), big(1, 2)) }
    if construction == 2 { list += box("iloc", big(20, 2), big(1, 2), big(30, 2)) }
    if isGrid { list += box("dimg", big(1, 2), big(4, 2), (2...5).flatMap { big($0, 2) }) }
    return fullBox("iref", list)
  }

  /// Property 1 is the configuration of the decoder, 2 the size of a tile, 3 that of the picture.
  private var properties: [UInt8] {
    let configuration = box(brand == "avif" ? "av1C" : "hvcC", configuration)
    let tile = fullBox("ispe", big(512, 4), big(512, 4))
    let size = fullBox("ispe", big(width, 4), big(height, 4))
    let uses = Array(repeating: 1, count: configurationUses)
    let own = uses + (hasSize ? [3] : []) + turns.indices.map { 4 + $0 }
    let count = (isGrid ? 5 : 1) + moreAssociations.count
    var list = big(count, 4) + big(1, 2) + [UInt8(own.count)]
    list += own.map { 0x80 | UInt8($0) }
    if isGrid { for item in 2...5 { list += big(item, 2) + [2, 1, 2] } }
    return box(
      "iprp", box("ipco", configuration, tile, size, turns.flatMap { $0 }),
      fullBox("ipma", list + moreAssociations.flatMap { $0 }), moreProperties.flatMap { $0 })
  }
}
