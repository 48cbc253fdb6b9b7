import Model
import SQLite

/// What a pass over a root did: a row of `scan`.
package struct ScanCounts: Hashable, Sendable {
  package var directories = 0
  package var files = 0
  package var added = 0
  package var updated = 0
  package var moved = 0
  package var removed = 0
  package var pending = 0
  package var bytesRead: Int64 = 0

  package init() {}
}

extension PhotoIndex {
  package func beginScan(of root: Int64, kind: String) throws -> Int64 {
    let now = nowInSeconds
    try connection.withoutSync {
      try connection.transaction {
        try connection.run(deleteOldScans, [.integer(now - 90 * 86_400)])
        try connection.run(insertScan, [.integer(root), .text(kind), .integer(now)])
      }
    }
    return connection.lastInsertedRow
  }

  package func finishScan(
    _ id: Int64, of root: Int64, result: String, _ counts: ScanCounts
  ) throws {
    try connection.transaction {
      try connection.run(
        updateScan,
        [
          .integer(id), .integer(nowInSeconds), .text(result), Value(counts.directories),
          Value(counts.files), Value(counts.added), Value(counts.updated), Value(counts.moved),
          Value(counts.removed), Value(counts.pending), .integer(counts.bytesRead),
        ])
      try connection.run(updateLastScan, [.integer(root), .integer(nowInSeconds)])
    }
  }

  /// How many present photos of the root wait for another attempt.
  package func pendingCount(in root: Int64) throws -> Int {
    Int(try connection.integer(countPending, [.integer(root)]) ?? 0)
  }
}

private let deleteOldScans = SQL("DELETE FROM scan WHERE started_at < ?")
private let insertScan = SQL("INSERT INTO scan (root_id, kind, started_at) VALUES (?, ?, ?)")
private let updateScan = SQL(
  """
  UPDATE scan SET finished_at = ?2, result = ?3, directories = ?4, files = ?5, added = ?6,
    updated = ?7, moved = ?8, removed = ?9, pending = ?10, bytes_read = ?11
  WHERE id = ?1
  """)
private let updateLastScan = SQL("UPDATE root SET last_scan_at = ?2 WHERE id = ?1")
private let countPending = """
  SELECT count(*) FROM retry JOIN photo ON photo.id = retry.photo_id
  WHERE root_id = ? AND missing_since IS NULL AND excluded_since IS NULL
  """
