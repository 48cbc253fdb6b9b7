import SQLite

extension PhotoIndex {
  /// Forgets the changes that are older than so many seconds, up to the first that is not: a clock
  /// that was wrong for a while makes the feed longer, never shorter.
  ///
  /// The last one of them stays, so that a token for it still holds. Some thousand go at a time;
  /// returns whether there are more.
  package func compactFeed(keeping seconds: Int64) throws -> Bool {
    let firstYoung = try connection.integer(
      "SELECT seq FROM change WHERE at >= ? ORDER BY seq LIMIT 1",
      [.integer(nowInSeconds - seconds)])
    let floor = try connection.integer(
      "SELECT max(seq) FROM change WHERE seq < ?", [.integer(firstYoung ?? .max)])
    guard let floor, try hasChanges(before: floor) else { return false }
    _ = try politely { try connection.run(deleteChanges, [.integer(floor)]) }
    return try hasChanges(before: floor)
  }

  private func hasChanges(before floor: Int64) throws -> Bool {
    try connection.integer("SELECT min(seq) FROM change") ?? floor < floor
  }
}

private let deleteChanges = SQL(
  """
  DELETE FROM change
  WHERE seq < ?1 AND seq < (SELECT min(seq) FROM change) + 5000
  """)
