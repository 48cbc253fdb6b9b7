package import Model
import SQLite

/// What the index remembers of a directory: a row of `sync_state`.
package struct DirectoryState: Hashable, Sendable {
  package let path: RelativePath
  /// nil: look again.
  package let changeToken: Token?
  /// nil: a hash below is missing.
  package let contentToken: Token?
  /// Nothing of its own photos is left to be hashed, videos aside. Storing a state forgets it.
  package let isHashed: Bool
  package let fileSystem: String
  package let modified: Timestamp
  package let entries: Int

  package init(
    path: RelativePath, changeToken: Token?, contentToken: Token?,
    isHashed: Bool = false, fileSystem: String, modified: Timestamp, entries: Int
  ) {
    self.path = path
    self.changeToken = changeToken
    self.contentToken = contentToken
    self.isHashed = isHashed
    self.fileSystem = fileSystem
    self.modified = modified
    self.entries = entries
  }
}

/// A directory that could not be listed, or whose file system is not the one it was.
package struct UnreadableDirectory: Hashable, Sendable {
  package let path: RelativePath
  package let errorNumber: Int?
  package let message: String

  package init(path: RelativePath, errorNumber: Int?, message: String) {
    self.path = path
    self.errorNumber = errorNumber
    self.message = message
  }
}

extension PhotoIndex {
  package func directoryStates(of root: Int64) throws -> [RelativePath: DirectoryState] {
    var states: [RelativePath: DirectoryState] = [:]
    try connection.run(selectStates, [.integer(root)]) { row in
      let path = RelativePath(bytes: row.blob(0) ?? [])
      states[path] = DirectoryState(
        path: path,
        changeToken: row.blob(1).flatMap { Token(bytes: $0) },
        contentToken: row.blob(2).flatMap { Token(bytes: $0) },
        isHashed: row.integer(6) == 1,
        fileSystem: row.text(3) ?? "",
        modified: Timestamp(nanoseconds: row.integer(4)),
        entries: Int(row.integer(5))
      )
    }
    return states
  }

  /// Where a directory's photos were last seen; nil if it is not known.
  package func fileSystem(of directory: RelativePath, in root: Int64) throws -> String? {
    var fileSystem: String?
    try connection.run(selectFileSystem, [.integer(root), .blob(directory.bytes)]) {
      fileSystem = $0.text(0)
    }
    return fileSystem
  }

  /// Stores the states as they are given, tokens included.
  ///
  /// Does not wait for the disk, as nothing does that only says where to look: should a power cut take it
  /// back, then with all rows that are written after it, and a pass looks at those directories again.
  package func store(_ states: [DirectoryState], of root: Int64) throws {
    try connection.withoutSync {
      try inShortTransactions(states) { try store($0, of: root) }
    }
  }

  private func store(_ state: DirectoryState, of root: Int64) throws {
    try connection.run(
      upsertState,
      [
        .integer(root), .blob(state.path.bytes), .text(indexSpelling(of: state.path)),
        Value(state.changeToken?.bytes), Value(state.contentToken?.bytes),
        .text(state.fileSystem), .integer(state.modified.nanoseconds),
        .integer(Int64(state.entries)), .integer(nowInSeconds),
      ])
  }

  /// Stores content tokens, and that in the directories `hashed` nothing is left to be hashed until they
  /// change.
  package func storeContentTokens(
    _ tokens: [(RelativePath, Token?)], hashed: [RelativePath], of root: Int64
  ) throws {
    let marks = hashed.map { path -> (SQL, [Value]) in
      (markHashedState, [.integer(root), .blob(path.bytes)])
    }
    let updates = tokens.map { path, token -> (SQL, [Value]) in
      (updateContentToken, [.integer(root), .blob(path.bytes), Value(token?.bytes)])
    }
    try connection.withoutSync {
      try inShortTransactions(marks + updates) { sql, values in try connection.run(sql, values) }
    }
  }

  package func removeStates(of directories: [RelativePath], root: Int64) throws {
    try inShortTransactions(directories) {
      try connection.run(deleteState, [.integer(root), .blob($0.bytes)])
    }
  }

  /// Makes `unreadable` hold exactly these directories, of those that the pass was to look at.
  package func setUnreadable(
    _ directories: [UnreadableDirectory], of root: Int64,
    where wasLookedAt: @Sendable (RelativePath) -> Bool
  ) throws {
    try connection.transaction {
      var gone: [RelativePath] = []
      try connection.run(selectUnreadable, [.integer(root)]) { row in
        gone.append(RelativePath(bytes: row.blob(0) ?? []))
      }
      let still = Set(directories.map(\.path))
      for path in gone where !still.contains(path) && wasLookedAt(path) {
        try connection.run(deleteUnreadable, [.integer(root), .blob(path.bytes)])
      }
      for directory in directories {
        try connection.run(
          upsertUnreadable,
          [
            .integer(root), .blob(directory.path.bytes), .text(indexSpelling(of: directory.path)),
            Value(directory.errorNumber), .text(directory.message), .integer(nowInSeconds),
          ])
      }
    }
  }
}

/// Enough to make a commit pay, few enough that it stays far below the 100 ms of the contract.
package func batches<Element>(of elements: [Element]) -> [ArraySlice<Element>] {
  stride(from: 0, to: elements.count, by: 500).map {
    elements[$0..<min($0 + 500, elements.count)]
  }
}

private let selectStates = SQL(
  """
  SELECT directory_bytes, change_token, content_token, filesystem, mtime_ns, entries, is_hashed
  FROM sync_state WHERE root_id = ?
  """)

private let selectFileSystem = SQL(
  "SELECT filesystem FROM sync_state WHERE root_id = ?1 AND directory_bytes = ?2")

private let upsertState = SQL(
  """
  INSERT INTO sync_state (root_id, directory_bytes, directory, change_token, content_token,
    filesystem, mtime_ns, entries, scanned_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
  ON CONFLICT (root_id, directory_bytes) DO UPDATE SET change_token = ?4, content_token = ?5,
    is_hashed = 0, filesystem = ?6, mtime_ns = ?7, entries = ?8, scanned_at = ?9
  """)

private let updateContentToken = SQL(
  "UPDATE sync_state SET content_token = ?3 WHERE root_id = ?1 AND directory_bytes = ?2")

private let markHashedState = SQL(
  "UPDATE sync_state SET is_hashed = 1 WHERE root_id = ?1 AND directory_bytes = ?2")

private let deleteState = SQL(
  "DELETE FROM sync_state WHERE root_id = ?1 AND directory_bytes = ?2")

private let selectUnreadable = SQL("SELECT directory_bytes FROM unreadable WHERE root_id = ?")

private let deleteUnreadable = SQL(
  "DELETE FROM unreadable WHERE root_id = ?1 AND directory_bytes = ?2")

private let upsertUnreadable = SQL(
  """
  INSERT INTO unreadable (root_id, directory_bytes, directory, errno, message, since)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (root_id, directory_bytes) DO UPDATE SET errno = ?4, message = ?5
  """)
