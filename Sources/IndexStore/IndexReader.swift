import Linux
package import Model
import SQLite

/// Looks into an index without ever writing to it.
package final class IndexReader {
  let connection: Connection

  /// Opens an index that is there.
  package init(path: String) throws {
    connection = try openForReading(path)
  }

  package func meta(_ key: String) throws -> String? {
    try connection.text("SELECT value FROM meta WHERE key = ?", [.text(key)])
  }

  package func roots() throws -> [RootStatus] {
    var roots: [RootStatus] = []
    try connection.query(selectRootStatus) { row in
      roots.append(
        RootStatus(
          id: row.integer(0), name: row.text(1) ?? "", path: row.blob(2) ?? [],
          state: row.text(3) ?? "", reason: row.text(4), photos: Int(row.integer(5)),
          hashed: Int(row.integer(6)), placed: Int(row.integer(7)), missing: Int(row.integer(8)),
          lastScanAt: row.integerOrNull(9), lastResult: row.text(10),
          unreadable: Int(row.integer(11)), watch: row.text(12), watchReason: row.text(13)))
    }
    return roots
  }

  /// How many photos wait for another attempt, by reason.
  package func pendingByReason() throws -> [(reason: String, count: Int)] {
    var counts: [(reason: String, count: Int)] = []
    try connection.query("SELECT reason, count(*) FROM pending GROUP BY reason ORDER BY reason") {
      counts.append(($0.text(0) ?? "", Int($0.integer(1))))
    }
    return counts
  }

  /// How many photos are not what they were, by kind.
  package func suspectsByKind() throws -> [(kind: String, count: Int)] {
    var counts: [(kind: String, count: Int)] = []
    try connection.query("SELECT kind, count(*) FROM suspects GROUP BY kind ORDER BY kind") {
      counts.append(($0.text(0) ?? "", Int($0.integer(1))))
    }
    return counts
  }

  /// The time zones that the user named, with how many rows name each.
  package func zonesOfUser() throws -> [(zone: String, rows: Int)] {
    let sql = """
      SELECT zone, count(*) FROM
        (SELECT zone FROM photo_time UNION ALL SELECT zone FROM device_clock)
      WHERE zone IS NOT NULL GROUP BY zone ORDER BY zone
      """
    var zones: [(zone: String, rows: Int)] = []
    try connection.query(sql) { zones.append(($0.text(0) ?? "", Int($0.integer(1)))) }
    return zones
  }

  /// How many hashes wait for being verified.
  package func hashesDue() throws -> Int {
    let sql = """
      SELECT count(*) FROM root JOIN photo ON photo.root_id = root.id AND hash_due = 1
        AND content_hash IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL
      WHERE root.state <> 'detached'
      """
    return Int(try connection.integer(sql) ?? 0)
  }

  package func count(_ table: String) throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)
  }

  /// The rows of a path, the present one first.
  package func explain(_ path: RelativePath, in root: Int64) throws -> [ExplainedRow] {
    var rows: [ExplainedRow] = []
    try connection.query(selectExplained, [.integer(root), .blob(path.bytes)]) { row in
      rows.append(
        ExplainedRow(
          id: row.integer(0), state: row.text(1) ?? "", stateSince: row.integerOrNull(2),
          mediaType: row.text(3), device: row.text(4), takenLocal: row.text(5), place: row.text(6),
          failure: row.text(7).map {
            ExplainedFailure(
              reason: $0, message: row.text(8) ?? "",
              attempts: Int(row.integer(9)), nextAttemptAt: row.integerOrNull(10))
          }))
    }
    return rows
  }

  /// Why a sidecar of the photo at `path` says nothing; nil where it was read, or is not known.
  package func sidecarNote(
    _ sidecar: Sidecar, of path: RelativePath, in root: Int64
  ) throws -> String? {
    let values: [Value] = [.integer(root), .blob(path.bytes), .blob(sidecar.name)]
    return try connection.text(selectSidecarNote, values)
  }

  /// Why a directory's rows are kept although it could not be listed.
  package func unreadableReason(_ directories: [RelativePath], in root: Int64) throws -> String? {
    for directory in directories {
      let sql = "SELECT message FROM unreadable WHERE root_id = ? AND directory_bytes = ?"
      if let message = try connection.text(sql, [.integer(root), .blob(directory.bytes)]) {
        return "\(directory): \(message)"
      }
    }
    return nil
  }
}

private func openForReading(_ path: String) throws -> Connection {
  do {
    return try open(path, .readOnly)
  } catch let error as SQLiteError where error.isCannotOpen && !hasLogFiles(path) {
    // On a file system that is mounted read-only SQLite cannot make the files it wants beside this
    // one, which whoever writes an index has.
    return try open(path, .immutable)
  }
}

private func open(_ path: String, _ mode: Connection.Mode) throws -> Connection {
  let connection = try Connection(path: path, mode)
  connection.wait(forLocks: 5_000)
  try refuseForeign(connection, at: path)
  return connection
}

private func hasLogFiles(_ path: String) -> Bool {
  let log = (try? fileSize(at: Array((path + "-wal").utf8))) ?? nil
  let shared = (try? fileSize(at: Array((path + "-shm").utf8))) ?? nil
  return log ?? 0 > 0 || shared != nil
}

/// Throws when the path holds something that is no index, or a newer one. A file that is missing
/// or empty will become one.
package func refuseForeignIndex(at path: String) throws {
  guard let size = try indexSize(at: path), size > 0 else { return }
  do {
    _ = try IndexReader(path: path)
  } catch let error as SQLiteError {
    // Somebody was killed who had just begun to make an index; the writer sees to it, and looks
    // again.
    guard error.needsRollback || error.isCorrupt else { throw error }
  }
}

/// The size of the file at an index's path; nil when nothing is there.
package func indexSize(at path: String) throws -> Int64? {
  do throws(SystemError) {
    return try fileSize(at: Array(path.utf8))
  } catch {
    throw error.isNoRegularFile ? IndexError.foreignFile(path: path) : error
  }
}

/// A root with what there is to say of it.
package struct RootStatus: Sendable {
  package let id: Int64
  package let name: String
  package let path: [UInt8]
  package let state: String
  package let reason: String?
  package let photos: Int
  package let hashed: Int
  package let placed: Int
  package let missing: Int
  package let lastScanAt: Int64?
  package let lastResult: String?
  package let unreadable: Int
  /// How the service watches it; nil when none does.
  package let watch: String?
  package let watchReason: String?
}

/// What the index knows of a path.
package struct ExplainedRow: Sendable {
  package let id: Int64
  /// present, missing or excluded.
  package let state: String
  package let stateSince: Int64?
  package let mediaType: String?
  package let device: String?
  package let takenLocal: String?
  package let place: String?
  package let failure: ExplainedFailure?
}

package struct ExplainedFailure: Sendable {
  package let reason: String
  package let message: String
  package let attempts: Int
  /// nil: given up.
  package let nextAttemptAt: Int64?
}

private let present = "missing_since IS NULL AND excluded_since IS NULL"

private let selectRootStatus = """
  SELECT root.id, root.name, coalesce(root.path_bytes, CAST(root.path AS BLOB)), root.state,
    root.state_reason,
    (SELECT count(*) FROM photo WHERE root_id = root.id AND \(present)),
    (SELECT count(content_hash) FROM photo WHERE root_id = root.id AND \(present)),
    (SELECT count(place_id) FROM photo WHERE root_id = root.id AND \(present)),
    (SELECT count(*) FROM photo WHERE root_id = root.id AND missing_since IS NOT NULL),
    root.last_scan_at,
    (SELECT result FROM scan WHERE root_id = root.id AND finished_at IS NOT NULL
      ORDER BY finished_at DESC, id DESC LIMIT 1),
    (SELECT count(*) FROM unreadable WHERE root_id = root.id), root.watch, root.watch_reason
  FROM root ORDER BY root.name
  """

private let selectSidecarNote = """
  SELECT note FROM sidecar JOIN photo ON photo.id = photo_id
  WHERE root_id = ?1 AND path_key = ?2 AND missing_since IS NULL AND excluded_since IS NULL
    AND coalesce(file_bytes, CAST(file AS BLOB)) = ?3
  """

private let selectExplained = """
  SELECT photo.id,
    CASE WHEN excluded_since IS NOT NULL THEN 'excluded'
      WHEN missing_since IS NOT NULL THEN 'missing' ELSE 'present' END,
    coalesce(excluded_since, missing_since), media_type, device.name, taken_local, place.label,
    retry.reason, retry.message, retry.attempts, retry.next_attempt_at
  FROM photo
  LEFT JOIN device ON device.id = device_id
  LEFT JOIN place ON place.id = place_id
  LEFT JOIN retry ON retry.photo_id = photo.id
  WHERE root_id = ?1 AND path_key = ?2
  ORDER BY missing_since IS NOT NULL, excluded_since IS NOT NULL, photo.id DESC
  """
