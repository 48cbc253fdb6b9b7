import SQLite

extension PhotoIndex {
  /// Takes the indexes away that only queries need, if there is no photo yet.
  ///
  /// Until `endFirstLoad`, which the next opening makes up for after a crash, queries are right but
  /// slow, as they would be with few rows anyway.
  package func beginFirstLoad() throws {
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM photo)") == 0 else { return }
    try connection.transaction {
      for sql in queryIndexesOfVersion1 {
        try connection.execute("DROP INDEX IF EXISTS \(indexName(sql))")
      }
    }
  }

  /// Makes what `beginFirstLoad` took away, each index in a transaction of its own.
  package func endFirstLoad() throws {
    try restoreQueryIndexes(connection)
  }
}

/// Makes the indexes for queries, as far as they are missing.
func restoreQueryIndexes(_ connection: Connection) throws {
  let names = queryIndexesOfVersion1.map { "'\(indexName($0))'" }.joined(separator: ", ")
  let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name IN (\(names))"
  guard try connection.integer(sql) != Int64(queryIndexesOfVersion1.count) else { return }
  for sql in queryIndexesOfVersion1 {
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
