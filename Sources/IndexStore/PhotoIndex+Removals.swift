package import Model
import SQLite

extension PhotoIndex {
  /// The rows that would have turned missing, but that their root is held.
  package func heldRemovals(of root: Int64) throws -> [Int64: RelativePath] {
    var rows: [Int64: RelativePath] = [:]
    try connection.run(selectHeld, [.integer(root)]) { row in
      rows[row.integer(0)] = RelativePath(bytes: row.blob(1) ?? [])
    }
    return rows
  }

  package func holdRemovals(of ids: [Int64]) throws {
    try run(holdRemoval, of: ids, [.integer(nowInSeconds)])
  }

  package func releaseRemovals(of ids: [Int64]) throws {
    try run(releaseRemoval, of: ids, [])
  }

  private func run(_ sql: SQL, of ids: [Int64], _ values: [Value]) throws {
    try inShortTransactions(ids) { try connection.run(sql, [.integer($0)] + values) }
  }

  package func presentCount(in root: Int64) throws -> Int {
    Int(try connection.integer(countPresent, [.integer(root)]) ?? 0)
  }

  /// The rows that turned missing in the last 24 hours, but for those that somebody has confirmed.
  ///
  /// A clock that was put back makes a removal or a confirmation lie in the future: the one still
  /// counts then, and the other does not.
  package func recentRemovals(of root: Int64) throws -> Int {
    let now = nowInSeconds
    let values: [Value] = [.integer(root), .integer(now - 86_400), .integer(now)]
    return Int(try connection.integer(countRecent, values) ?? 0)
  }

  /// What is missing by now does not count as a removal of this day any more.
  package func confirmRemovals(of root: Int64) throws {
    try connection.run(confirmRemovalsOfRoot, [.integer(root), .integer(nowInSeconds)])
  }
}

private let selectHeld = SQL(
  """
  SELECT id, path_key FROM photo
  WHERE root_id = ? AND removal_held_since IS NOT NULL AND missing_since IS NULL
  """)

/// What a rule left out is in no view that it could go from.
private let holdRemoval = SQL(
  """
  UPDATE photo SET removal_held_since = ?2
  WHERE id = ?1 AND removal_held_since IS NULL AND excluded_since IS NULL
  """)
private let releaseRemoval = SQL("UPDATE photo SET removal_held_since = NULL WHERE id = ?")

private let countPresent = """
  SELECT count(*) FROM photo
  WHERE root_id = ? AND missing_since IS NULL AND excluded_since IS NULL
  """

private let countRecent = """
  SELECT count(*) FROM photo JOIN root ON root.id = root_id
  WHERE root_id = ?1 AND missing_since IS NOT NULL AND missing_since > ?2
    AND (removals_confirmed_at IS NULL OR removals_confirmed_at > ?3
      OR missing_since > removals_confirmed_at)
  """

private let confirmRemovalsOfRoot = SQL("UPDATE root SET removals_confirmed_at = ?2 WHERE id = ?1")
