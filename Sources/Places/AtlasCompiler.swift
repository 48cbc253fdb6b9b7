import Model

/// Turns the four GeoJSON files into the words of an atlas.
struct AtlasCompiler {
  private var words = [UInt32](repeating: 0, count: AtlasFormat.headerSize)
  private var texts = TextWriter()

  static func compile(
    _ contents: [[UInt8]], _ fingerprints: [Fingerprint]
  ) throws(GeoJSONError) -> [UInt32] {
    var compiler = AtlasCompiler()
    try compiler.compile(try AtlasFiles(contents))
    compiler.setDigest(AtlasSources.digest(of: contents))
    stamp(&compiler.words, fingerprints)
    return compiler.words
  }

  /// Records which files the atlas stands for, and seals it.
  static func stamp(_ words: inout [UInt32], _ fingerprints: [Fingerprint]) {
    words.replaceSubrange(
      AtlasFormat.fingerprints..<AtlasFormat.fields, with: AtlasFormat.words(of: fingerprints))
    AtlasFormat.seal(&words)
  }

  private mutating func compile(_ files: AtlasFiles) throws(GeoJSONError) {
    let gazetteer = try Gazetteer(files)
    set(.countryCount, gazetteer.countryCount)
    set(.firstAdmin1, gazetteer.firstAdmin1)
    set(.firstKorea, gazetteer.firstKorea)
    appendZones(gazetteer)
    appendUnits(gazetteer)
    try appendLayer(.zoneLayer, files.zones)
    try appendLayer(.admin1Layer, files.admin1)
    try appendLayer(.koreaLayer, files.korea)
  }

  private mutating func appendZones(_ gazetteer: Gazetteer) {
    let records = gazetteer.zones.flatMap { zone in
      [texts.offset(of: zone.timeZone, in: &words), UInt32((zone.country ?? -1) + 1)]
    }
    set(.zones, words.count)
    set(.zoneCount, gazetteer.zones.count)
    words.append(contentsOf: records)
  }

  private mutating func appendUnits(_ gazetteer: Gazetteer) {
    let records = gazetteer.units.flatMap { unit in
      let pairs = unit.texts.flatMap { text in
        [texts.offset(of: text.key, in: &words), texts.offset(of: text.value, in: &words)]
      }
      defer { words.append(contentsOf: pairs) }
      return [
        UInt32(Unit.Source.allCases.firstIndex(of: unit.source) ?? 0) << 8
          | UInt32(unit.level.rank), UInt32((unit.parent ?? -1) + 1),
        UInt32(bitPattern: unit.point.x), UInt32(bitPattern: unit.point.y),
        UInt32(words.count), UInt32(unit.texts.count),
      ]
    }
    set(.units, words.count)
    set(.unitCount, gazetteer.units.count)
    words.append(contentsOf: records)
  }

  private mutating func appendLayer(
    _ field: AtlasFormat.Field, _ collection: FeatureCollection
  ) throws(GeoJSONError) {
    set(field, words.count)
    let rings = try collection.allProperties.map { properties throws(GeoJSONError) in
      try properties.rings()
    }
    words.append(contentsOf: LayerBuilder.layer(rings))
  }

  private mutating func set(_ field: AtlasFormat.Field, _ value: Int) {
    words[AtlasFormat.fields + field.rawValue] = UInt32(value)
  }

  private mutating func setDigest(_ digest: Hash) {
    for index in 0..<8 {
      words[AtlasFormat.digest + index] =
        digest.bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension AtlasFormat {
  /// The words that record a set of files, as they stand in the header.
  static func words(of fingerprints: [Fingerprint]) -> [UInt32] {
    fingerprints.flatMap { fingerprint in
      [
        UInt64(bitPattern: fingerprint.size), UInt64(bitPattern: fingerprint.modified.nanoseconds),
        UInt64(bitPattern: fingerprint.changed.nanoseconds), fingerprint.inode,
      ]
    }.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32(truncatingIfNeeded: $0 >> 32)] }
  }
}
