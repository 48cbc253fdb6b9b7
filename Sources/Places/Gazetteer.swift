import Model

/// All units and zones of the sources, countries first, in the order of the files.
struct Gazetteer {
  private(set) var units: [Draft] = []
  private(set) var zones: [(timeZone: String, country: Int?)] = []
  private(set) var countryCount = 0
  private(set) var firstAdmin1 = 0
  private(set) var firstKorea = 0
  /// The units that others name as their parent: countries, and the inner levels of Korea.
  private var parents: [String: Int] = [:]
  private var taken: Set<Key> = []

  private struct Key: Hashable {
    let source: Unit.Source
    let level: Unit.Level
    let code: String
  }

  /// A unit before it has a number.
  struct Draft {
    let source: Unit.Source
    /// Which of the user's own files it is from.
    var file = 0
    let level: Unit.Level
    let parent: Int?
    let point: Position
    let texts: [(key: String, value: String)]
  }

  init(_ files: AtlasFiles) throws(GeoJSONError) {
    try appendUnits(files.units.allProperties)
    firstAdmin1 = units.count
    for properties in files.admin1.allProperties {
      try append(properties, .admin1, .admin1, parentProperty: "country")
    }
    firstKorea = units.count
    for properties in files.korea.allProperties {
      try append(properties, .korea, try properties.level(), parentProperty: "parent")
    }
    for properties in files.zones.allProperties {
      let country = try properties.optionalText("country")
      zones.append(
        (
          try properties.text("tzid"),
          try country.map { code throws(GeoJSONError) in
            let index = try parent(code, of: properties, "country")
            guard units[index].level == .country else {
              throw properties.unknown("country", code, "a unit of the level country")
            }
            return index
          }
        ))
    }
  }

  private mutating func appendUnits(_ all: [FeatureProperties]) throws(GeoJSONError) {
    let levels = try all.map { properties throws(GeoJSONError) in try properties.level() }
    // From the large to the small, so that each finds its parent, whatever the order of the file.
    for level in Unit.Level.allCases where level != .custom {
      for (properties, found) in zip(all, levels) where found == level {
        let source: Unit.Source = level == .country ? .zones : .korea
        let code = try properties.text("code")
        guard parents[code] == nil else {
          throw properties.collection.error(
            .repeated(property: "property \"code\"", value: printable(code.utf8)),
            in: properties.feature)
        }
        try append(properties, source, level, parentProperty: level == .country ? nil : "parent")
        parents[code] = units.count - 1
      }
      if level == .country { countryCount = units.count }
    }
  }

  private mutating func append(
    _ properties: FeatureProperties, _ source: Unit.Source, _ level: Unit.Level,
    parentProperty: String?
  ) throws(GeoJSONError) {
    let code = try properties.text("code")
    guard taken.insert(Key(source: source, level: level, code: code)).inserted else {
      throw properties.collection.error(
        .repeated(property: "property \"code\"", value: printable(code.utf8)),
        in: properties.feature)
    }
    var parent: Int?
    if let parentProperty {
      let parentCode = try properties.text(parentProperty)
      let index = try self.parent(parentCode, of: properties, parentProperty)
      guard units[index].level < level else {
        throw properties.unknown(
          parentProperty, parentCode, "a unit of a larger level than its own")
      }
      parent = index
    }
    units.append(
      Draft(
        source: source, level: level, parent: parent, point: try properties.point(),
        texts: try properties.unitTexts(code, source)))
  }

  private func parent(
    _ code: String, of properties: FeatureProperties, _ property: String
  ) throws(GeoJSONError) -> Int {
    guard let index = parents[code] else {
      throw properties.unknown(property, code, "a code of units.geojson")
    }
    return index
  }
}

extension FeatureProperties {
  fileprivate func level() throws(GeoJSONError) -> Unit.Level {
    let text = try text("level")
    guard let level = Unit.Level(rawValue: text), level != .custom else {
      throw unknown("level", text, "\"country\" or \"admin1\" to \"admin5\"")
    }
    return level
  }

  /// All names, in an order that depends on the file alone.
  func unitTexts(
    _ code: String, _ source: Unit.Source
  ) throws(GeoJSONError) -> [(key: String, value: String)] {
    let name = try text("name")
    var names = try names()
    // What Korean sources call a place is its Korean name.
    if source == .korea, names["ko"] == nil { names["ko"] = name }
    var texts = [(TextKey.code, code), (TextKey.name, name)]
    texts += names.sorted { $0.key < $1.key }.map { (TextKey.officialPrefix + $0.key, $0.value) }
    if let administrative = try optionalText("hangjeong") {
      texts.append((TextKey.administrative, administrative))
    }
    if let iso = try optionalText("iso") { texts.append((TextKey.iso, iso)) }
    return texts + (try self.texts("alias")).map { (TextKey.alias, $0) }
  }
}

/// The keys of a unit's texts in the atlas.
enum TextKey {
  static let code = "code"
  static let name = "name"
  static let officialPrefix = "name:"
  static let administrative = "administrative"
  static let alias = "alias"
  static let iso = "iso"
}
