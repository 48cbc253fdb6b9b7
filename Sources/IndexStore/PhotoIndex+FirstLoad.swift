import SQLite

extension PhotoIndex {
  /// Takes the indexes away that only queries need, if there is no photo yet.
  ///
  /// Until `endFirstLoad`, which the next opening makes up for after a crash, queries are right but
  /// slow, as they would be with few rows anyway.
  package func beginFirstLoad() throws {
    // A new index has none of them yet.
    guard try !holdsPhotos(connection), try missingIndexes(connection).count < deferredIndexes.count
    else { return }
    try connection.transaction {
      for index in deferredIndexes {
        try connection.execute("DROP INDEX IF EXISTS \(index.name)")
      }
    }
  }

  /// Makes what `beginFirstLoad` took away, a few indexes a transaction. Meanwhile the log's content
  /// goes into the database file, by a connection of its own.
  package func endFirstLoad() async throws {
    guard try !missingIndexes(connection).isEmpty else { return }
    async let checkpoint: Void = checkpointBeside(path)
    try makeDeferredIndexes(connection)
    // What of it did not succeed is left for the writer's own.
    try? await checkpoint
  }
}

private struct DeferredIndex {
  let name: Substring
  let sql: String
}

private let deferredIndexes = deferredIndexesOfVersion1.map {
  DeferredIndex(name: indexName($0), sql: $0)
}

/// Makes the deferred indexes that a first load, which did not get to its end, has left missing.
func restoreDeferredIndexes(_ connection: Connection) throws {
  if try holdsPhotos(connection) { try makeDeferredIndexes(connection) }
}

private func holdsPhotos(_ connection: Connection) throws -> Bool {
  try connection.integer("SELECT EXISTS (SELECT 1 FROM photo)") == 1
}

private func checkpointBeside(_ path: String) async throws {
  let connection = try Connection(path: path, .readWrite)
  connection.keepLogFiles()
  try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
}

/// Makes the deferred indexes, as far as they are missing.
private func makeDeferredIndexes(_ connection: Connection) throws {
  let missing = try missingIndexes(connection)
  guard !missing.isEmpty else { return }
  do {
    // In memory, sorting what goes into the index of a million photos would take some 60 MB.
    try connection.execute("PRAGMA temp_store = FILE")
    defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
    try make(missing, connection)
  } catch {
    // Where no files for that can be made, there all the same.
    try make(try missingIndexes(connection), connection)
  }
}

private func missingIndexes(_ connection: Connection) throws -> [DeferredIndex] {
  var there: Set<String> = []
  try connection.run(selectIndexes) { there.insert($0.text(0) ?? "") }
  return deferredIndexes.filter { !there.contains(String($0.name)) }
}

private let selectIndexes = SQL(
  "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('photo', 'exposure')")

private func make(_ missing: [DeferredIndex], _ connection: Connection) throws {
  var rest = missing[...]
  while !rest.isEmpty {
    // Each transaction waits for the disk, and lets others wait who want to write.
    try connection.transaction {
      let end = ContinuousClock.now + .milliseconds(60)
      while ContinuousClock.now < end, let index = rest.popFirst() {
        try connection.execute(index.sql)
      }
      // Dropping an index drops what was known of it.
      if rest.isEmpty { try connection.execute(statisticsOfVersion1) }
    }
  }
}

/// The word before ON.
private func indexName(_ sql: String) -> Substring {
  let words = sql.split(whereSeparator: \.isWhitespace)
  guard let on = words.firstIndex(of: "ON"), on > 0 else {
    preconditionFailure("an index has a name")
  }
  return words[on - 1]
}
