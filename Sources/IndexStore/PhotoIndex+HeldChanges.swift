package import Model
import SQLite

extension PhotoIndex {
  /// The rows that keep what was known of their files, although these are no photos of their types
  /// any more, since a person has to look at so many.
  package func heldChanges(of root: Int64) throws -> [Int64: RelativePath] {
    var rows: [Int64: RelativePath] = [:]
    try connection.run(selectHeldChanges, [.integer(root)]) { row in
      rows[row.integer(0)] = RelativePath(bytes: row.blob(1) ?? [])
    }
    return rows
  }

  package func holdChanges(of ids: [Int64]) throws {
    for batch in batches(of: ids) {
      try connection.transaction {
        for id in batch {
          try connection.run(
            upsertSuspect,
            [
              .integer(id), .text(SuspectKind.damaged.rawValue), .null, .integer(nowInSeconds),
              .integer(1),
            ])
        }
      }
    }
  }

  package func releaseChanges(of ids: [Int64]) throws {
    for batch in batches(of: ids) {
      try connection.transaction {
        for id in batch { try connection.run(releaseChange, [.integer(id)]) }
      }
    }
  }

  /// How many files were damaged within a day, but for what somebody has confirmed.
  package func recentDamage(of root: Int64) throws -> Int {
    let now = nowInSeconds
    let values: [Value] = [.integer(root), .integer(now - 86_400), .integer(now)]
    return Int(try connection.integer(countRecentDamage, values) ?? 0)
  }
}

private let selectHeldChanges = SQL(
  """
  SELECT photo_id, path_key FROM suspect CROSS JOIN photo ON photo.id = photo_id
  WHERE is_held = 1 AND root_id = ? AND missing_since IS NULL AND excluded_since IS NULL
  """)

private let releaseChange = SQL("DELETE FROM suspect WHERE photo_id = ? AND is_held = 1")

private let countRecentDamage = """
  SELECT count(*) FROM suspect CROSS JOIN photo ON photo.id = photo_id
    CROSS JOIN root ON root.id = root_id
  WHERE root_id = ?1 AND kind = 'damaged' AND is_held = 0 AND found_at > ?2
    AND (removals_confirmed_at IS NULL OR removals_confirmed_at > ?3
      OR found_at > removals_confirmed_at)
  """
