import SQLite

extension PhotoIndex {
  /// Of these rows the present ones that another present row, of any root that is still scanned, has
  /// inode, size and modification time in common with; with all those, oldest first.
  package func twins(
    of ids: some Sequence<Int64> & Sendable
  ) throws -> [(row: PhotoMatch, twins: [PhotoMatch])] {
    try ids.compactMap { id in
      // Nearly always there is none.
      guard try connection.first(hasTwin, [.integer(id)]) == 1,
        let row = try photos(withIDs: [id]).first
      else { return nil }
      return (row, try photos(selectTwins, [.integer(id), .integer(nowInSeconds)]))
    }
  }

  /// Makes one row of two that were the same file all along: the older one takes over what the
  /// younger one knows of the file, its path, and what the user said of it.
  package func merge(_ younger: Int64, into older: Int64) throws {
    try connection.transaction {
      // Missing first: that sets its path free, and tells the feed that it goes.
      try connection.run(missPhoto, [.integer(younger), .integer(nowInSeconds)])
      for sql in clearOlder { try connection.run(sql, [.integer(older)]) }
      for sql in takeOver { try connection.run(sql, [.integer(younger), .integer(older)]) }
      try connection.run(deletePhoto, [.integer(younger)])
    }
  }
}

/// Present rows with the inode, size and time of the present row ?1.
private let isTwin = """
  missing_since IS NULL AND excluded_since IS NULL AND id <> ?1
  AND (inode, size, mtime_ns) = (SELECT inode, size, mtime_ns FROM photo
    WHERE id = ?1 AND missing_since IS NULL AND excluded_since IS NULL)
  AND +root_id IN (SELECT id FROM root WHERE state <> 'detached')
  """

private let hasTwin = SQL("SELECT EXISTS (SELECT 1 FROM photo WHERE \(isTwin))")
private let selectTwins = SQL(
  "SELECT \(knownColumns(now: 2)) FROM photo WHERE \(isTwin) ORDER BY id")

private let tablesOfFile = ["exposure", "keyword", "text", "sidecar", "retry"]

private let clearOlder = tablesOfFile.map { SQL("DELETE FROM \($0) WHERE photo_id = ?") }

/// From the row ?1 to the row ?2. Their bytes are the same, so that a hash of either is right, and
/// what the older says of time and place stands until it is derived anew.
private let takeOver =
  handOns
  + [
    """
    UPDATE photo SET (\(movingColumns.joined(separator: ", "))) =
        (SELECT \(movingColumns.joined(separator: ", ")) FROM photo WHERE id = ?1),
      (\(allHashColumns.joined(separator: ", "))) =
        (SELECT \(allHashColumns.map { "coalesce(twin.\($0), photo.\($0))" }.joined(separator: ", "))
          FROM photo AS twin WHERE twin.id = ?1),
      removal_held_since = NULL, derive_due = 1
    WHERE id = ?2
    """,
    "UPDATE hash_history SET photo_id = ?2 WHERE photo_id = ?1",
    "UPDATE OR REPLACE heir SET photo_id = ?2 WHERE photo_id = ?1",
    "DELETE FROM heir WHERE gone_id IN (?1, ?2)",
    "UPDATE photo SET companion_of = ?2 WHERE companion_of = ?1",
  ].map(SQL.init)
  + tablesOfFile.map { SQL("UPDATE \($0) SET photo_id = ?2 WHERE photo_id = ?1") }

private let allHashColumns = hashColumns + ["hashed_at"]

private let movingColumns =
  ["root_id", "device_id", "device_pending", "hash_due", "nearby_photo_id", "sidecar_state"]
  + ["companion_of", "companion_evidence"] + pathColumns
  + stampColumns + fileColumns
