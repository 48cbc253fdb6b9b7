import Folding
import Model
import SQLite

extension PhotoIndex {
  func placeValues(_ placed: PlacedAt?) throws -> [Value] {
    guard let placed, let id = try id(ofPlace: placed.unit) else { return [.null, .null, .null] }
    return [.integer(id), .text(placed.source.rawValue), Value(placed.distance)]
  }

  /// The row of an atlas unit, made with those of the units around it when first met.
  private func id(ofPlace unit: Int) throws -> Int64? {
    if let known = placeIDs[unit] { return known }
    guard let chain = catalog?.places(around: unit), !chain.isEmpty else { return nil }
    var ids: [Int64] = []
    for depth in chain.indices {
      if let known = placeIDs[chain[depth].unit] {
        ids.append(known)
        continue
      }
      ids.append(try store(chain[...depth], parent: ids.last))
      for ancestor in ids {
        try connection.run(insertAncestor, [.integer(ancestor), .integer(ids[depth])])
      }
      placeIDs[chain[depth].unit] = ids[depth]
    }
    return ids.last
  }

  /// Stores the last place of a chain; those before it are around it.
  private func store(_ chain: ArraySlice<PlaceDescription>, parent: Int64?) throws -> Int64 {
    guard let place = chain.last else { preconditionFailure("a chain has a place") }
    let key: [Value] = [.text(place.source), .text(place.level), .text(place.code)]
    let names: [Value] = [
      "country", "admin1", "admin2", "admin3", "admin4", "admin5", "custom",
    ].map { level in Value(chain.last { $0.level == level }?.name) }
    let words = chain.flatMap { $0.names.map(\.name) + [$0.name] }
    try connection.run(
      upsertPlace,
      key + [
        Value(parent), .text(place.name), .text(place.label), Value(place.position?.latitude),
        Value(place.position?.longitude), .text(distinctWords(words)),
      ] + names)
    var id: Int64 = 0
    try connection.run(selectPlace, key) { id = $0.integer(0) }
    try connection.run(deletePlaceNames, [.integer(id)])
    for name in place.names {
      try connection.run(
        insertPlaceName,
        [.integer(id), .text(name.language), .text(name.kind.rawValue), .text(name.name)])
    }
    return id
  }
}

/// What a search for a place may hit: each name once, folded.
private func distinctWords(_ names: [String]) -> String {
  var seen: Set<String> = []
  return names.map(searchText).filter { seen.insert($0).inserted }.joined(separator: " ")
}

private let upsertPlace = SQL(
  """
  INSERT INTO place (source, level, code, parent_id, name, label, latitude, longitude, search,
    country, admin1, admin2, admin3, admin4, admin5, custom)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
  ON CONFLICT (source, level, code) DO UPDATE SET parent_id = ?4, name = ?5, label = ?6,
    latitude = ?7, longitude = ?8, search = ?9, country = ?10, admin1 = ?11, admin2 = ?12,
    admin3 = ?13, admin4 = ?14, admin5 = ?15, custom = ?16
  """)

private let selectPlace = SQL(
  "SELECT id FROM place WHERE source = ? AND level = ? AND code = ?")

private let deletePlaceNames = SQL("DELETE FROM place_name WHERE place_id = ?")

private let insertPlaceName = SQL(
  "INSERT INTO place_name (place_id, language, kind, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

private let insertAncestor = SQL(
  "INSERT INTO place_ancestor (ancestor_id, place_id) VALUES (?, ?) ON CONFLICT DO NOTHING")
