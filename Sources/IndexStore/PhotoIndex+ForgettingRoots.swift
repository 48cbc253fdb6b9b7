import SQLite

extension PhotoIndex {
  package func rename(_ root: Int64, to name: String) throws {
    try changeRoots { try connection.run(renameRoot, [.integer(root), .text(name)]) }
  }

  /// How many photos with marks of the user would be lost with the root, since no other root has a
  /// copy that takes the marks over.
  package func marksOnlyIn(_ root: Int64) throws -> Int {
    Int(try connection.integer(countOwnMarks, [.integer(root)]) ?? 0)
  }

  /// Deletes all that the index has of a root, a little at a time, and returns how many photos that
  /// were. What the user said of them goes on to the copies in other roots.
  package func forget(_ root: Int64) throws -> Int {
    var count = 0
    // A pass that was under way may have added some.
    while true {
      let deleted = try deletePhotos(selectPhotosOfRoot, [.integer(root)])
      guard deleted > 0 else { break }
      count += deleted
    }
    for sql in deletesOfRoot {
      while try connection.integer(sql.rest, [.integer(root)]) == 1 {
        _ = try politely { try connection.run(sql.delete, [.integer(root)]) }
      }
    }
    try connection.run(deleteRoot, [.integer(root)])
    return count
  }

  /// Deletes the missing rows of a root, those with marks of the user, too.
  package func forgetMissing(of root: Int64) throws -> (count: Int, marked: Int) {
    let marked = Int(try connection.integer(countMarkedMissing, [.integer(root)]) ?? 0)
    return (try deletePhotos(selectMissingOfRoot, [.integer(root)]), marked)
  }

  private func deletePhotos(_ select: SQL, _ values: [Value]) throws -> Int {
    var count = 0
    var last: Int64 = 0
    while true {
      var ids: [Int64] = []
      try connection.run(select, values + [.integer(last), .integer(1000)]) {
        ids.append($0.integer(0))
      }
      guard let end = ids.last else { return count }
      last = end
      count += ids.count
      try inShortTransactions(ids) { try delete($0) }
    }
  }

  private func delete(_ id: Int64) throws {
    try handOnMarks(of: id)
    try connection.run(withdrawGuessesFrom, [.integer(id)])
    try connection.run(deleteAnyPhoto, [.integer(id)])
  }
}

private let renameRoot = SQL("UPDATE root SET name = ?2 WHERE id = ?1")

private let countOwnMarks = """
  SELECT count(*) FROM photo
  WHERE root_id = ?1 AND \(isMarkedByUser) AND NOT EXISTS (
    SELECT 1 FROM photo AS twin
    WHERE twin.content_start = photo.content_start AND twin.content_hash = photo.content_hash
      AND twin.root_id <> ?1 AND photo.size > 0
      AND twin.missing_since IS NULL AND twin.excluded_since IS NULL)
  """

private let countMarkedMissing = """
  SELECT count(*) FROM photo
  WHERE root_id = ? AND missing_since IS NOT NULL AND \(isMarkedByUser)
  """

/// In the order of the table, so that no row is looked at twice.
private let selectPhotosOfRoot = SQL(
  "SELECT id FROM photo NOT INDEXED WHERE root_id = ? AND id > ? ORDER BY id LIMIT ?")
private let selectMissingOfRoot = SQL(
  """
  SELECT id FROM photo
  WHERE root_id = ? AND missing_since IS NOT NULL AND id > ? ORDER BY id LIMIT ?
  """)

private let withdrawGuessesFrom = SQL(withdrawal(where: "nearby_photo_id = ?"))
private let deleteAnyPhoto = SQL("DELETE FROM photo WHERE id = ?")

/// Of each table what is left, and how some of it is deleted.
private let deletesOfRoot = [
  ("sync_state", "directory_bytes"), ("unreadable", "directory_bytes"),
  ("scan", "id"), ("scan_day", "number"),
].map { table, key in
  (
    rest: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE root_id = ?)",
    delete: SQL(
      """
      DELETE FROM \(table) WHERE root_id = ?1 AND \(key) IN
        (SELECT \(key) FROM \(table) WHERE root_id = ?1 LIMIT 1000)
      """)
  )
}

private let deleteRoot = SQL("DELETE FROM root WHERE id = ?")
