package import Model
import SQLite

/// How changes of a root come to be known.
package enum WatchState: String, Hashable, Sendable {
  /// All of it is watched.
  case full
  /// Some directories are not, and are looked at now and then.
  case partial
  /// All is looked at now and then, for changes can happen there that nobody tells.
  case polled
}

extension PhotoIndex {
  /// Remembers how a root is watched; nil: not at all.
  package func setWatch(of root: Int64, _ state: WatchState?, _ reason: String?) throws {
    try connection.run(
      updateWatch, [.integer(root), Value(state?.rawValue), Value(reason)])
  }

  /// When the next failed reading in one of these roots is to be tried again; one of which only the
  /// hash failed as well, or not.
  package func nextRetry(in roots: [Int64], hashes: Bool) throws -> Int64? {
    var next: Int64?
    for root in roots {
      try connection.run(selectNextRetry, [.integer(root), Value(hashes)]) { row in
        if let due = row.integerOrNull(0) { next = min(next ?? due, due) }
      }
    }
    return next
  }

  /// The directories of the root in which something may still have to be hashed, and how many
  /// entries each has.
  package func unhashedDirectories(
    of root: Int64
  ) throws -> [(path: RelativePath, entries: Int)] {
    var directories: [(path: RelativePath, entries: Int)] = []
    try connection.run(selectUnhashed, [.integer(root)]) { row in
      directories.append((RelativePath(bytes: row.blob(0) ?? []), Int(row.integer(1))))
    }
    return directories
  }
}

private let updateWatch = SQL(
  """
  UPDATE root SET watch = ?2, watch_reason = ?3
  WHERE id = ?1 AND (watch, watch_reason) IS NOT (?2, ?3)
  """)

private let selectNextRetry = SQL(
  """
  SELECT min(next_attempt_at) FROM retry JOIN photo ON photo.id = retry.photo_id
  WHERE root_id = ?1 AND (?2 OR lacks <> 'hash')
    AND missing_since IS NULL AND excluded_since IS NULL AND \(isAwake)
  """)

private let selectUnhashed = SQL(
  """
  SELECT directory_bytes, entries FROM sync_state
  WHERE root_id = ?1 AND content_token IS NULL AND is_hashed = 0 AND \(isAwake)
  ORDER BY directory_bytes
  """)
