import SQLite

extension PhotoIndex {
  /// Takes the indexes away that only queries need, if there is no photo yet.
  ///
  /// Until `endFirstLoad`, which the next opening makes up for after a crash, queries are right but
  /// slow, as they would be with few rows anyway.
  package func beginFirstLoad() throws {
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM photo)") == 0 else { return }
    try connection.transaction {
      for sql in deferredIndexesOfVersion1 {
        try connection.execute("DROP INDEX IF EXISTS \(indexName(sql))")
      }
    }
  }

  /// Makes what `beginFirstLoad` took away, a few indexes a transaction.
  package func endFirstLoad() throws {
    try restoreDeferredIndexes(connection)
  }
}

/// Makes the deferred indexes, as far as they are missing.
func restoreDeferredIndexes(_ connection: Connection) throws {
  let names = deferredIndexesOfVersion1.map { "'\(indexName($0))'" }.joined(separator: ", ")
  let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name IN (\(names))"
  guard try connection.integer(sql) != Int64(deferredIndexesOfVersion1.count) else { return }
  do {
    // In memory, sorting what goes into the index of a million photos would take some 60 MB.
    try connection.execute("PRAGMA temp_store = FILE")
    defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
    try makeDeferredIndexes(connection)
  } catch {
    // Where no files for that can be made, there all the same.
    try makeDeferredIndexes(connection)
  }
  // Dropping an index drops what was known of it.
  try connection.transaction { try connection.execute(statisticsOfVersion1) }
}

private func makeDeferredIndexes(_ connection: Connection) throws {
  var rest = deferredIndexesOfVersion1[...]
  while !rest.isEmpty {
    // Each transaction waits for the disk, and lets others wait who want to write.
    try connection.transaction {
      let end = ContinuousClock.now + .milliseconds(30)
      while ContinuousClock.now < end, let sql = rest.popFirst() { try connection.execute(sql) }
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
