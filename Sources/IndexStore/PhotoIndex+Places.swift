import Folding
import Model
import SQLite

/// A place that has its row, with what the rows of the places within it take over.
struct StoredPlace: Sendable {
  let id: Int64
  /// Those around it and itself, the country first.
  let chain: [Int64]
  /// Their names, likewise.
  let names: [String]
  let nameOfLevel: [String: String]
  /// What a search may hit, folded, each once.
  let words: [String]
}

extension PhotoIndex {
  /// Appends the values of `placeColumns`.
  func append(_ placed: PlacedAt?, to values: inout ValueList) throws {
    guard let placed, let catalog else {
      for _ in placeColumns { values.append(.null) }
      return
    }
    values.append(try storedPlace(of: placed.unit, catalog).id)
    values.append(placeSources.code(of: placed.source.rawValue))
    values.append(placed.distance)
    values.append(placed.margin)
    values.append(try placed.neighbour.map { try storedPlace(of: $0, catalog).id })
  }

  /// Gives all places that have a row the names that the atlas has for them now, some hundred a
  /// transaction. A place that the atlas no longer knows keeps its row.
  package func refreshPlaces() throws {
    // To find the units again by their keys takes a while, which a new index need not spend.
    guard let catalog, try connection.integer("SELECT EXISTS (SELECT 1 FROM place)") == 1 else {
      return
    }
    let units = catalog.unitsByKey()
    var known: [Int] = []
    try connection.run(selectPlaces) { row in
      let key = PlaceKey(
        source: row.text(0) ?? "", level: row.text(1) ?? "", code: row.text(2) ?? "")
      if let unit = units[key] { known.append(unit) }
    }
    for start in stride(from: 0, to: known.count, by: 200) {
      try withoutCachesOnFailure {
        try connection.transaction {
          for unit in known[start..<min(start + 200, known.count)] {
            _ = try storedPlace(of: unit, catalog)
          }
        }
      }
    }
  }

  /// The row of a place, made if the atlas has it; nil if neither knows it.
  func id(of key: PlaceKey) throws -> Int64? {
    var id: Int64?
    let values: [Value] = [.text(key.source), .text(key.level), .text(key.code)]
    try connection.run(selectPlace, values) { id = $0.integer(0) }
    if let id { return id }
    guard let catalog else { return nil }
    let units = unitsByKey ?? catalog.unitsByKey()
    unitsByKey = units
    return try units[key].map { try storedPlace(of: $0, catalog).id }
  }

  /// The row of an atlas unit, made with those of the units around it when first met.
  private func storedPlace(of unit: Int, _ catalog: any PlaceCatalog) throws -> StoredPlace {
    if let known = places[unit] { return known }
    let parent = try catalog.parent(of: unit).map { try storedPlace(of: $0, catalog) }
    let place = try store(catalog.place(of: unit), within: parent)
    places[unit] = place
    return place
  }

  private func store(
    _ place: PlaceDescription, within parent: StoredPlace?
  ) throws -> StoredPlace {
    var names = parent?.nameOfLevel ?? [:]
    let chainNames = (parent?.names ?? []) + [place.name]
    names[place.level] = place.name
    var words = parent?.words ?? []
    for word in ([place.name] + place.names.map(\.name)).map(searchText)
    where !words.contains(word) { words.append(word) }
    let key: [Value] = [.text(place.source), .text(place.level), .text(place.code)]
    let known = try connection.first(selectPlace, key)
    try connection.run(
      known == nil ? insertPlace : updatePlace,
      key + [
        Value(parent?.id), .text(place.name), .text(placeLabel(chainNames)),
        Value(place.position?.latitude),
        Value(place.position?.longitude), .text(words.joined(separator: " ")),
      ] + levels.map { Value(names[$0]) })
    let id = known ?? connection.lastInsertedRow
    if known != nil { try connection.run(deletePlaceNames, [.integer(id)]) }
    try insert(place.names, of: id)
    let chain = (parent?.chain ?? []) + [id]
    try insertAncestors.run(
      chain.map { ancestor in row(ancestor) { $0.append(id) } }, on: connection)
    return StoredPlace(
      id: id, chain: chain, names: chainNames, nameOfLevel: names, words: words)
  }

  private func insert(_ names: [PlaceDescription.Name], of place: Int64) throws {
    try insertPlaceNames.run(
      names.map { name in
        row(place) {
          $0.append(name.language)
          $0.append(name.kind.rawValue)
          $0.append(name.name)
        }
      }, on: connection)
  }
}

private let levels = ["country", "admin1", "admin2", "admin3", "admin4", "admin5", "custom"]

private let insertPlace = SQL(
  """
  INSERT INTO place (source, level, code, parent_id, name, label, latitude, longitude, search,
    country, admin1, admin2, admin3, admin4, admin5, custom)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
  """)
private let updatePlace = SQL(
  """
  UPDATE place SET parent_id = ?4, name = ?5, label = ?6, latitude = ?7, longitude = ?8, search = ?9,
    country = ?10, admin1 = ?11, admin2 = ?12, admin3 = ?13, admin4 = ?14, admin5 = ?15, custom = ?16
  WHERE source = ?1 AND level = ?2 AND code = ?3
  """)

private let selectPlace = SQL(
  "SELECT id FROM place WHERE source = ? AND level = ? AND code = ?")

private let selectPlaces = SQL("SELECT source, level, code FROM place ORDER BY id")

private let deletePlaceNames = SQL("DELETE FROM place_name WHERE place_id = ?")

private let insertPlaceNames = Insertion(
  "INSERT INTO place_name (place_id, language, kind, name)", columns: 4, rows: [8, 4, 2, 1],
  "ON CONFLICT DO NOTHING")

private let insertAncestors = Insertion(
  "INSERT INTO place_ancestor (ancestor_id, place_id)", columns: 2, rows: [4, 2, 1],
  "ON CONFLICT DO NOTHING")
