import SQLite

extension PhotoIndex {
  /// Forgets the changes that are older than so many seconds, up to the first that is not: a clock
  /// that was wrong for a while makes the feed longer, never shorter.
  ///
  /// The last one of them stays, so that a token for it still holds.
  package func compactFeed(keeping seconds: Int64) throws {
    let firstYoung = try connection.integer(
      "SELECT seq FROM change WHERE at >= ? ORDER BY seq LIMIT 1",
      [.integer(nowInSeconds - seconds)])
    let floor = try connection.integer(
      "SELECT max(seq) FROM change WHERE seq < ?", [.integer(firstYoung ?? .max)])
    guard let floor else { return }
    while try connection.integer("SELECT min(seq) FROM change") ?? floor < floor {
      try connection.transaction {
        try connection.run(deleteChanges, [.integer(floor)])
      }
    }
  }
}

/// Some thousand at a time, for others may be waiting to write.
private let deleteChanges = SQL(
  """
  DELETE FROM change
  WHERE seq < ?1 AND seq < (SELECT min(seq) FROM change) + 5000
  """)
