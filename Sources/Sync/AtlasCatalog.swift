package import IndexStore
package import Places

/// Describes the units of an atlas to the index, in the configured languages.
package struct AtlasCatalog: PlaceCatalog {
  private let atlas: Atlas
  private let languages: [String]

  package init(_ atlas: Atlas, languages: [String]) {
    self.atlas = atlas
    self.languages = languages
  }

  package func parent(of unit: Int) -> Int? { atlas.parent(of: unit) }

  package func unitsByKey() -> [PlaceKey: Int] {
    var units: [PlaceKey: Int] = [:]
    for number in 0..<atlas.unitCount {
      let unit = atlas.unit(number)
      units[PlaceKey(source: unit.sourceName, level: unit.level.rawValue, code: unit.code)] = number
    }
    return units
  }

  package func place(of number: Int) -> PlaceDescription {
    let unit = atlas.unit(number)
    let local = unit.names.values.contains(unit.name) ? [] : [("", unit.name)]
    let kept = unit.names.filter {
      unit.source == .own || languages.contains($0.key) || commonLanguages.contains($0.key)
    }
    let official = kept.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + local
    let names =
      official.map { PlaceDescription.Name(language: $0.0, kind: .official, name: $0.1) }
      + (unit.administrativeName.map { [name($0, .administrative)] } ?? [])
      + unit.aliases.map { name($0, .alias) }
    return PlaceDescription(
      source: unit.sourceName, level: unit.level.rawValue, code: unit.code,
      name: unit.name(in: languages),
      position: unit.point, names: names)
  }

  /// The 행정동 and its like are known in Korean alone.
  private func name(_ text: String, _ kind: PlaceDescription.Name.Kind) -> PlaceDescription.Name {
    PlaceDescription.Name(language: "ko", kind: kind, name: text)
  }
}

/// Kept whatever is configured, for people of these languages share libraries.
private let commonLanguages: Set<String> = ["en", "ja", "ko"]

extension Unit {
  /// What the index knows its source by: of the user's own places, the name of their file.
  fileprivate var sourceName: String { file ?? source.rawValue }
}
