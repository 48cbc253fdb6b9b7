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

  /// Makes what `beginFirstLoad` took away, each index in a transaction of its own.
  package func endFirstLoad() throws {
    try restoreDeferredIndexes(connection)
  }
}

/// Makes the deferred indexes, as far as they are missing.
func restoreDeferredIndexes(_ connection: Connection) throws {
  let names = deferredIndexesOfVersion1.map { "'\(indexName($0))'" }.joined(separator: ", ")
  let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name IN (\(names))"
  guard try connection.integer(sql) != Int64(deferredIndexesOfVersion1.count) else { return }
  for sql in deferredIndexesOfVersion1 {
    try connection.transaction { try connection.execute(sql) }
  }
  // Dropping an index drops what was known of it.
  try connection.transaction { try connection.execute(statisticsOfVersion1) }
}

/// The word before ON.
private func indexName(_ sql: String) -> Substring {
  let words = sql.split(whereSeparator: \.isWhitespace)
  guard let on = words.firstIndex(of: "ON"), on > 0 else {
    preconditionFailure("an index has a name")
  }
  return words[on - 1]
}
