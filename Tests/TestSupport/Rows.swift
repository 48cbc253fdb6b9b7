import Model
package import SQLite

extension Connection {
  /// The rows as the `sqlite3` shell shows them: columns with `|` between them, NULL as nothing.
  package func rows(_ sql: String, _ values: [Value] = []) throws -> [String] {
    var rows: [String] = []
    try query(sql, values) { row in
      rows.append(row.values.map(\.words).joined(separator: "|"))
    }
    return rows
  }

  /// What the view `photos` shows, but for what an index made anew may give otherwise.
  package func contents() throws -> [String] {
    let given: Set = [
      "id", "local_identifier", "device_id", "place_id", "is_favorite", "rating", "companion_of",
    ]
    let columns = try rows("SELECT name FROM pragma_table_info('photos')")
      .filter { !given.contains($0) }
    return try rows("SELECT \(columns.joined(separator: ", ")) FROM photos ORDER BY path")
  }

  /// What is beside the present photos, and what that says of them.
  package func besides() throws -> [String] {
    let present = "JOIN photos ON photos.id = photo_id"
    return try [
      "SELECT path, sidecar.file, sidecar.size, mtime_ns, kind, raw, note FROM sidecar \(present) ORDER BY 1, 2, 5",
      "SELECT path, keyword, source FROM keyword \(present) ORDER BY 1, 2, 3",
      "SELECT path, kind, language, source, text FROM text \(present) ORDER BY 1, 2, 3, 4",
      """
      SELECT photo.path, photo.rating, photo.content_identifier, photo.has_motion,
        photo.companion_evidence, picture.path
      FROM photos JOIN photo USING (id) LEFT JOIN photo AS picture ON picture.id = photo.companion_of
      ORDER BY 1
      """,
      "SELECT * FROM companion_due",
    ].flatMap { try rows($0) }
  }

  /// All tokens of all directories.
  package func tokens() throws -> [String] {
    try rows("SELECT directory, hex(change_token), hex(content_token) FROM sync_state ORDER BY 1")
  }

  /// What SQLite finds wrong with the file, and references that lead nowhere.
  package func faults() throws -> [String] {
    try rows("PRAGMA integrity_check").filter { $0 != "ok" } + rows("PRAGMA foreign_key_check")
  }
}

extension Value {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .blob(let bytes): printable(bytes)
    case .null: ""
    }
  }
}
