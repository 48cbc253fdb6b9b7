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

  /// The files of such rows, as they were when they were read.
  package func heldFiles(of root: Int64) throws -> [Int64: Fingerprint] {
    var files: [Int64: Fingerprint] = [:]
    try connection.run(selectHeldFiles, [.integer(root)]) { row in
      files[row.integer(0)] = Fingerprint(
        size: row.integer(1), modified: Timestamp(nanoseconds: row.integer(2)),
        changed: Timestamp(nanoseconds: row.integer(3)),
        inode: UInt64(bitPattern: row.integer(4)))
    }
    return files
  }

  /// Holds the changes of rows that have been read now, as these files, or before.
  package func holdChanges(_ files: [(id: Int64, file: Fingerprint)]) throws {
    try inShortTransactions(files) { id, file in
      try connection.run(
        upsertSuspect,
        [
          .integer(id), .text(SuspectKind.damaged.rawValue), .null, .integer(nowInSeconds),
          .integer(1),
        ])
      try connection.run(noteSeen, row(id) { $0.append(file) })
    }
  }

  package func releaseChanges(of ids: [Int64]) throws {
    try inShortTransactions(ids) { try connection.run(releaseChange, [.integer($0)]) }
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

private let selectHeldFiles = SQL(
  """
  SELECT photo_id, seen_size, seen_mtime_ns, seen_ctime_ns, seen_inode
  FROM suspect CROSS JOIN photo ON photo.id = photo_id
  WHERE is_held = 1 AND root_id = ? AND seen_size IS NOT NULL
  """)

private let noteSeen = SQL(
  """
  UPDATE suspect SET seen_size = ?2, seen_mtime_ns = ?3, seen_ctime_ns = ?4, seen_inode = ?5
  WHERE photo_id = ?1 AND is_held = 1
  """)

private let releaseChange = SQL("DELETE FROM suspect WHERE photo_id = ? AND is_held = 1")

private let countRecentDamage = """
  SELECT count(*) FROM suspect CROSS JOIN photo ON photo.id = photo_id
    CROSS JOIN root ON root.id = root_id
  WHERE root_id = ?1 AND kind = 'damaged' AND is_held = 0 AND found_at > ?2
    AND (removals_confirmed_at IS NULL OR removals_confirmed_at > ?3
      OR found_at > removals_confirmed_at)
  """
