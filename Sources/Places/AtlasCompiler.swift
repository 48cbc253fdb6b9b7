import Model

/// Turns the four GeoJSON files into the words of an atlas.
struct AtlasCompiler {
  private var words = [UInt32](repeating: 0, count: AtlasFormat.headerSize)
  private var texts = TextWriter()

  static func compile(_ contents: consuming [[UInt8]]) throws(GeoJSONError) -> [UInt32] {
    var compiler = AtlasCompiler()
    var files = try AtlasFiles(consume contents)
    try compiler.compile(&files)
    return compiler.words
  }

  /// The words of units alone, and of the layer of their areas.
  static func compile(_ units: [Gazetteer.Draft], own areas: [Rings]) -> [UInt32] {
    var compiler = AtlasCompiler()
    compiler.append(units)
    compiler.set(.ownLayer, compiler.words.count)
    compiler.words.append(contentsOf: LayerBuilder.layer(areas))
    return compiler.words
  }

  /// Each file goes when its layer is there, so that no two of them take memory beside a layer.
  private mutating func compile(_ files: inout AtlasFiles) throws(GeoJSONError) {
    let gazetteer = try Gazetteer(files)
    files.units = nil
    set(.countryCount, gazetteer.countryCount)
    set(.firstAdmin1, gazetteer.firstAdmin1)
    set(.firstKorea, gazetteer.firstKorea)
    appendZones(gazetteer)
    append(gazetteer.units)
    try appendLayer(.zoneLayer, &files.zones)
    try appendLayer(.admin1Layer, &files.admin1)
    try appendLayer(.koreaLayer, &files.korea)
  }

  private mutating func appendZones(_ gazetteer: Gazetteer) {
    let records = gazetteer.zones.flatMap { zone in
      [texts.offset(of: zone.timeZone, in: &words), UInt32((zone.country ?? -1) + 1)]
    }
    set(.zones, words.count)
    set(.zoneCount, gazetteer.zones.count)
    words.append(contentsOf: records)
  }

  private mutating func append(_ units: [Gazetteer.Draft]) {
    let records = units.flatMap { unit in
      let pairs = unit.texts.flatMap { text in
        [texts.offset(of: text.key, in: &words), texts.offset(of: text.value, in: &words)]
      }
      defer { words.append(contentsOf: pairs) }
      return [
        UInt32(unit.file) << 16
          | UInt32(Unit.Source.allCases.firstIndex(of: unit.source) ?? 0) << 8
          | UInt32(unit.level.rank), UInt32((unit.parent ?? -1) + 1),
        UInt32(bitPattern: unit.point.x), UInt32(bitPattern: unit.point.y),
        UInt32(words.count), UInt32(unit.texts.count),
      ]
    }
    set(.units, words.count)
    set(.unitCount, units.count)
    words.append(contentsOf: records)
  }

  private mutating func appendLayer(
    _ field: AtlasFormat.Field, _ collection: inout FeatureCollection?
  ) throws(GeoJSONError) {
    set(field, words.count)
    let rings = try collection.allProperties.map { properties throws(GeoJSONError) in
      try properties.rings()
    }
    collection = nil
    let layer = LayerBuilder.layer(rings)
    // Left to itself, the array takes twice what it needs while the old one is still there.
    words.reserveCapacity(words.count + layer.count)
    words.append(contentsOf: layer)
  }

  private mutating func set(_ field: AtlasFormat.Field, _ value: Int) {
    words[AtlasFormat.fields + field.rawValue] = UInt32(value)
  }
}
