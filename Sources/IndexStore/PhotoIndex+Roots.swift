import Model
import SQLite

/// A root as the index knows it.
package struct RootRow: Hashable, Sendable {
  package let id: Int64
  package let name: String
  package let path: [UInt8]
  package let state: RootState
  /// The zone that the root's rows were derived with.
  package let timeZone: String?
}

package enum RootState: String, Hashable, Sendable {
  case online, offline, held, detached
}

/// A root as the configuration or the command line names it.
package struct RootDeclaration: Hashable, Sendable {
  package let name: String
  package let path: [UInt8]
  package let owner: String?

  package init(name: String, path: [UInt8], owner: String?) {
    self.name = name
    self.path = path
    self.owner = owner
  }
}

/// What tells a root from another one at its path.
package struct KnownRoot: Hashable, Sendable {
  /// The identity that it had, or where only that is known, the type of its file system.
  package let fileSystem: String?
  /// Whether there is anything to lose.
  package let hasRows: Bool

  package init(fileSystem: String?, hasRows: Bool) {
    self.fileSystem = fileSystem
    self.hasRows = hasRows
  }
}

extension PhotoIndex {
  package func roots() throws -> [RootRow] {
    var roots: [RootRow] = []
    try connection.run(selectRoots) { row in
      roots.append(
        RootRow(
          id: row.integer(0),
          name: row.text(1) ?? "",
          path: row.blob(2) ?? [],
          state: RootState(rawValue: row.text(3) ?? "") ?? .detached,
          timeZone: row.text(4)
        ))
    }
    return roots
  }

  /// Makes the index know exactly these roots: a new name is a new root, a known name at another
  /// path is the same root, moved; a root that is not named any more is detached.
  package func attach(_ declarations: [RootDeclaration]) throws -> [RootRow] {
    try changeRoots {
      let known = try roots()
      for declaration in declarations { try attach(declaration, among: known) }
      let names = Set(declarations.map(\.name))
      for root in known where !names.contains(root.name) && root.state != .detached {
        try setState(of: root.id, .detached, "the configuration does not name it")
      }
      return try roots().filter { names.contains($0.name) }
    }
  }

  /// Adds a root without detaching any other.
  package func attach(_ declaration: RootDeclaration) throws -> RootRow? {
    try changeRoots {
      try attach(declaration, among: try roots())
      return try roots().first { $0.name == declaration.name }
    }
  }

  /// Changes roots in one transaction, and tells the feed what that is for their photos.
  func changeRoots<Result>(_ body: () throws -> Result) throws -> Result {
    // One change of a root at a time.
    try tellOfRoots(connection)
    let result = try connection.transaction(body)
    try tellOfRoots(connection)
    return result
  }

  private func attach(_ declaration: RootDeclaration, among known: [RootRow]) throws {
    if let twin = known.first(where: {
      $0.path == declaration.path && $0.name != declaration.name
    }) {
      throw IndexError.rootNamedTwice(
        path: printable(declaration.path), name: declaration.name, known: twin.name)
    }
    let spelling = indexSpelling(of: RelativePath(bytes: declaration.path))
    let isExact = Array(spelling.utf8) == declaration.path
    try connection.run(
      upsertRoot,
      [
        .text(declaration.name), .text(spelling), isExact ? .null : .blob(declaration.path),
        Value(declaration.owner),
      ])
  }

  package func setState(of root: Int64, _ state: RootState, _ reason: String?) throws {
    try connection.run(updateRootState, [.integer(root), .text(state.rawValue), Value(reason)])
  }

  /// A root that was not there is; one that is held stays so until its removals are settled.
  package func bringOnline(_ root: Int64) throws {
    try connection.run(bringRootOnline, [.integer(root)])
  }

  package func knownRoot(_ id: Int64) throws -> KnownRoot {
    KnownRoot(
      fileSystem: try connection.text(selectRootFileSystem, [.integer(id)]),
      hasRows: try hasPhotos(in: id))
  }

  package func setFileSystem(of root: Int64, _ identity: String?) throws {
    try connection.run(updateRootFileSystem, [.integer(root), Value(identity)])
  }

  /// Remembers the zone for rows that name none of their own. When it is another than before,
  /// the times that followed from it are derived anew, without a look at the files.
  package func setTimeZone(of root: RootRow, _ zone: String?) throws {
    guard root.timeZone != zone else { return }
    // The zone last: a crash in between repeats the marking, which does no harm.
    try markForDeriving(
      where: """
        root_id = \(root.id) AND (taken_raw IS NOT NULL OR taken_source LIKE 'name%'
          OR id IN (SELECT photo_id FROM photo_time))
        """)
    try connection.run(updateRootZone, [.integer(root.id), Value(zone)])
  }
}

private let selectRoots = SQL(
  """
  SELECT id, name, coalesce(path_bytes, CAST(path AS BLOB)), state, time_zone FROM root ORDER BY id
  """)

private let upsertRoot = SQL(
  """
  INSERT INTO root (name, path, path_bytes, owner) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (name) DO UPDATE SET path = ?2, path_bytes = ?3, owner = ?4,
    -- Elsewhere it may be another directory of the same disk.
    filesystem = iif((path, path_bytes) IS NOT (?2, ?3) AND instr(filesystem, ':') > 0,
      substr(filesystem, 1, instr(filesystem, ':') - 1), filesystem),
    state = CASE state WHEN 'detached' THEN 'online' ELSE state END,
    state_reason = CASE state WHEN 'detached' THEN NULL ELSE state_reason END
  WHERE (path, path_bytes, owner) IS NOT (?2, ?3, ?4) OR state = 'detached'
  """)

private let updateRootState = SQL(
  """
  UPDATE root SET state = ?2, state_reason = ?3
  WHERE id = ?1 AND (state, state_reason) IS NOT (?2, ?3)
  """)

private let bringRootOnline = SQL(
  "UPDATE root SET state = 'online', state_reason = NULL WHERE id = ? AND state = 'offline'")

private let selectRootFileSystem = """
  SELECT coalesce(filesystem, (SELECT filesystem FROM sync_state
    WHERE root_id = root.id AND directory_bytes = x''))
  FROM root WHERE id = ?
  """

private let updateRootFileSystem = SQL(
  "UPDATE root SET filesystem = ?2 WHERE id = ?1 AND filesystem IS NOT ?2")

private let updateRootZone = SQL("UPDATE root SET time_zone = ?2 WHERE id = ?1")
