import Model
import SQLite

/// Carries over what can be read of a damaged index: rows keep their ids, so that what the user wrote
/// stays with its photos. What a scan can find out again, it does.
struct Salvage {
  private let source: Connection
  private let target: Connection
  private(set) var losses: [String] = []

  init(source: Connection, target: Connection) {
    self.source = source
    self.target = target
    // Otherwise one bad line of the schema would hide all tables.
    try? source.execute("PRAGMA writable_schema = ON")
    source.wait(forLocks: 5_000)
  }

  mutating func run() throws {
    for table in tablesOfFiles { try copy(table) }
    try revivePhotos()
    try target.execute(reread)
    for table in tablesOfUser { losses += try copy(table) }
    try target.execute(mend)
    try copyObjects()
  }

  /// Returns, as lines, the rows that the new tables do not take.
  @discardableResult
  private func copy(_ table: String) throws -> [String] {
    let columns = try columns(of: table)
    guard !columns.isEmpty else { return [] }
    let names = columns.map(quoted).joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = SQL("INSERT OR REPLACE INTO \(quoted(table)) (\(names)) VALUES (\(values))")
    var refused: [String] = []
    try rows(of: table, names) { row in
      // The new index has a name of its own: what follows the feed of the old one must start anew.
      if table == "meta", [.text("index_uuid"), .text("contract_version")].contains(row[0]) {
        return
      }
      do {
        try target.run(insert, row)
      } catch let error as SQLiteError where error.isConstraint || error.isMismatch {
        refused.append("\(table): \(error.message)")
      }
    }
    return refused
  }

  /// Those that both have, and that are stored.
  private func columns(of table: String) throws -> [String] {
    let select = "SELECT name FROM pragma_table_info(?)"
    var (old, new): ([String], [String]) = ([], [])
    try? source.query(select, [.text(table)]) { old.append($0.text(0) ?? "") }
    try target.query(select, [.text(table)]) { new.append($0.text(0) ?? "") }
    return new.filter { old.contains($0) }
  }

  private func rows(
    of table: String, _ columns: String, _ body: ([Value]) throws -> Void
  ) throws {
    let select = "SELECT \(columns) FROM \(quoted(table))"
    let key = try keyWithoutRowid(of: table)
    guard key.isEmpty else {
      // From both ends, up to the damage.
      guard try !readAll(select + " ORDER BY " + key.joined(separator: ", "), body) else { return }
      let backwards = key.map { $0 + " DESC" }.joined(separator: ", ")
      _ = try readAll(select + " ORDER BY " + backwards, body)
      return
    }
    try rowidRows(of: table, columns, body)
  }

  private func keyWithoutRowid(of table: String) throws -> [String] {
    var key: [String] = []
    try target.query(
      """
      SELECT info.name FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
      WHERE list.name = ? AND list.wr = 1 AND info.pk > 0 ORDER BY info.pk
      """, [.text(table)]
    ) { key.append(quoted($0.text(0) ?? "")) }
    return key
  }

  /// Over each gap it looks for rows one by one.
  private func rowidRows(
    of table: String, _ columns: String, _ body: ([Value]) throws -> Void
  ) throws {
    let select = "SELECT rowid, \(columns) FROM \(quoted(table)) WHERE rowid"
    var last: Int64 = -1
    func take(_ row: [Value]) throws {
      // On a damaged page any number may stand.
      if case .integer(let id) = row[0] { last = max(last, id) }
      try body(Array(row.dropFirst()))
    }
    let one = SQL("\(select) = ?")
    while try !readAll("\(select) > \(last) ORDER BY rowid", take) {
      guard let row = nextRow(after: last, by: one) else { return }
      // Taken here, so that each round gets on.
      try take(row)
    }
  }

  private func nextRow(after last: Int64, by one: SQL) -> [Value]? {
    guard last < Int64.max - mostLost else { return nil }
    for number in (last + 1)...(last + mostLost) {
      var row: [Value]?
      try? source.run(one, [.integer(number)]) { row = $0.values }
      if let row { return row }
    }
    return nil
  }

  /// Whether it came to the end. Only what the source does wrong counts for damage.
  private func readAll(_ sql: String, _ body: ([Value]) throws -> Void) throws -> Bool {
    var failure: (any Error)?
    do {
      try source.query(sql) { row in
        do {
          try body(row.values)
        } catch {
          failure = error
          throw error
        }
      }
      return true
    } catch {
      if let failure { throw failure }
      return false
    }
  }

  /// Of photos whose rows cannot be read, indexes may still tell the ids and paths: the next scan
  /// reads the files for the rest.
  private func revivePhotos() throws {
    let insert = SQL(
      """
      INSERT OR IGNORE INTO photo (id, root_id, local_identifier, path, path_bytes, size, mtime_ns,
        ctime_ns, inode, reader_version, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0, 0, 0, CAST(strftime('%s', 'now') AS INTEGER))
      """)
    var identifiers: [Int64: String] = [:]
    _ = try readAll("SELECT id, local_identifier FROM photo INDEXED BY photo_local_identifier") {
      if case .integer(let id) = $0[0], case .text(let text) = $0[1] { identifiers[id] = text }
    }
    _ = try readAll(
      """
      SELECT id, root_id, path_key FROM photo INDEXED BY photo_path
      WHERE missing_since IS NULL AND excluded_since IS NULL
      """
    ) { row in
      guard case .integer(let id) = row[0], case .blob(let bytes) = row[2],
        try target.integer("SELECT 1 FROM photo WHERE id = ?", [.integer(id)]) == nil
      else { return }
      let path = RelativePath(bytes: bytes)
      let spelling = indexSpelling(of: path)
      try target.run(
        insert,
        [
          row[0], row[1], .text(identifiers[id] ?? randomIdentifier()), .text(spelling),
          Array(spelling.utf8) == bytes ? .null : .blob(bytes),
        ])
    }
  }

  /// The user's own tables, views, indexes and triggers.
  private mutating func copyObjects() throws {
    var objects: [(type: String, name: String, sql: String)] = []
    _ = try readAll(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE name LIKE 'my\\_%' ESCAPE '\\' AND sql IS NOT NULL
      ORDER BY type <> 'table', type <> 'view', rowid
      """
    ) { row in
      if case .text(let type) = row[0], case .text(let name) = row[1], case .text(let sql) = row[2]
      {
        objects.append((type, name, sql))
      }
    }
    for object in objects {
      do {
        try target.query(object.sql) { _ in }
        if object.type == "table" { losses += try copy(object.name) }
      } catch let error as SQLiteError where error.isOfStatement {
        losses.append("\(object.name): \(error.message)")
      }
    }
  }
}

/// As many rows as are looked for behind the last one that could be read.
private let mostLost: Int64 = 200_000

private let tablesOfFiles = [
  "meta", "root", "device", "place", "place_name", "place_ancestor", "photo", "lens", "exposure",
  "keyword", "text", "hash_history", "scan_day", "suspect", "heir",
]

private let tablesOfUser = [
  "album", "album_photo", "photo_rating", "photo_time", "photo_place", "device_clock",
]

/// What was read from the damaged file is read from the photos again by the next scan, since no
/// reader has the version 0, and hashed again.
private let reread = """
  UPDATE photo SET reader_version = 0, hash_due = content_hash IS NOT NULL, device_pending = 0,
    removal_held_since = NULL, derive_due = 0;
  """

/// Takes away what refers to rows that could not be read.
private let mend =
  ["exposure", "keyword", "text", "hash_history", "suspect", "heir"].map {
    "DELETE FROM \($0) WHERE photo_id NOT IN (SELECT id FROM photo);"
  }.joined(separator: "\n") + """

    INSERT OR IGNORE INTO album_photo (album_id, photo_id)
      SELECT 0, id FROM photo WHERE is_favorite = 1;
    UPDATE exposure SET lens_id = 0 WHERE lens_id NOT IN (SELECT id FROM lens);
    DELETE FROM place_name WHERE place_id NOT IN (SELECT id FROM place);
    DELETE FROM place_ancestor WHERE place_id NOT IN (SELECT id FROM place)
      OR ancestor_id NOT IN (SELECT id FROM place);
    UPDATE place SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM place);
    UPDATE photo SET device_id = NULL WHERE device_id NOT IN (SELECT id FROM device);
    UPDATE photo SET place_id = NULL, \(placeSources.storedName) = NULL
      WHERE place_id NOT IN (SELECT id FROM place);
    UPDATE photo SET place_neighbour_id = NULL, place_margin_m = NULL
      WHERE place_neighbour_id NOT IN (SELECT id FROM place);
    DELETE FROM photo WHERE root_id NOT IN (SELECT id FROM root);
    DELETE FROM heir WHERE gone_id NOT IN (SELECT id FROM photo);
    DELETE FROM scan_day WHERE root_id NOT IN (SELECT id FROM root);
    """
