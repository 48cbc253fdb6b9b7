import SQLite

/// A root on a file system whose disk may be dying.
package struct RestingRoot: Hashable, Sendable {
  package let id: Int64
  package let name: String
}

extension PhotoIndex {
  /// Remembers that so many readings failed on a file system, be they of other passes or programs.
  /// When they are too many for an hour, nothing that lies there is read again or hashed until
  /// `resume`; returns the roots to which that happens now.
  package func noteDiskErrors(_ count: Int, on fileSystem: String) throws -> [RestingRoot] {
    let (place, now) = (Value.text(fileSystem), Value.integer(nowInSeconds))
    return try connection.transaction {
      // One that lies in the future is of a clock that was put back.
      try connection.run(forgetOldDiskErrors, [now])
      for _ in 0..<min(count, mostDiskErrors) {
        try connection.run(insertDiskError, [place, now])
      }
      let failed = try connection.integer(countDiskErrors, [place]) ?? 0
      guard failed >= mostDiskErrors else { return [] }
      var roots: [RestingRoot] = []
      try connection.run(putRootsToRest, [place, now]) { row in
        roots.append(RestingRoot(id: row.integer(0), name: row.text(1) ?? ""))
      }
      return roots
    }
  }

  /// Whether nothing in the root is to be read again or hashed.
  package func isResting(_ root: Int64) throws -> Bool {
    try connection.integer(hasDiskErrors, [.integer(root)]) == 1
  }

  /// A person has looked at the disk: its root is read again. Returns whether it was held for that.
  package func resume(_ root: Int64) throws -> Bool {
    try connection.transaction {
      guard try isResting(root) else { return false }
      try connection.run(forgetDiskErrorsOfRoot, [.integer(root)])
      try connection.run(wakeRoot, [.integer(root)])
      return true
    }
  }
}

/// So many within an hour are not of single files.
package let mostDiskErrors = 20

/// Whether the root ?1 is not held for disk errors.
let isAwake = "(SELECT disk_errors_since IS NULL FROM root WHERE id = ?1)"

private let forgetOldDiskErrors = SQL(
  "DELETE FROM disk_error WHERE at <= ?1 - 3600 OR at > ?1")
private let insertDiskError = SQL("INSERT INTO disk_error VALUES (?, ?)")
private let countDiskErrors = "SELECT count(*) FROM disk_error WHERE filesystem = ?"
private let hasDiskErrors = "SELECT disk_errors_since IS NOT NULL FROM root WHERE id = ?"

private let putRootsToRest = SQL(
  """
  UPDATE root SET disk_errors_since = ?2
  WHERE disk_errors_since IS NULL
    AND id IN (SELECT root_id FROM sync_state WHERE filesystem = ?1)
  RETURNING id, name
  """)

private let forgetDiskErrorsOfRoot = SQL(
  """
  DELETE FROM disk_error
  WHERE filesystem IN (SELECT filesystem FROM sync_state WHERE root_id = ?)
  """)

private let wakeRoot = SQL(
  """
  UPDATE root SET disk_errors_since = NULL,
    state = iif(state = 'held', 'online', state),
    state_reason = iif(state = 'held', NULL, state_reason)
  WHERE id = ?
  """)
