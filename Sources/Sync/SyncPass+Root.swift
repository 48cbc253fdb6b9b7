import IndexStore
import Library
import Linux
import Model

/// How much of what the index knows must be on another file system for that to be taken for a copy
/// of the root.
private let copyShare = 0.95

extension SyncPass {
  /// The root's tree; nil when the root is not there, or something else is there.
  mutating func openRoot() async throws -> RootTree? {
    let known = try await index.knownRoot(root.id)
    let tree: RootTree
    let presence: RootPresence
    do throws(SystemError) {
      tree = try RootTree(path: root.path, rules: root.rules, attention: attention, clock: clock)
      presence = try RootPresence(of: tree, known: known)
    } catch {
      try await goOffline(error.message)
      return nil
    }
    switch presence {
    case .absent(let reason):
      try await goOffline(reason)
      return nil
    case .there(let identity):
      try await keepIdentity(identity, known)
      return tree
    case .other(let identity, let reason):
      guard try await isAccepted() else {
        try await refuse(identity, reason)
        return nil
      }
      try await moveStates(to: identity, from: known)
      try await index.setFileSystem(of: root.id, identity.text)
      return tree
    }
  }

  mutating func goOffline(_ reason: String) async throws {
    summary.result = .offline(reason: reason)
    try await index.setState(of: root.id, .offline, reason)
  }

  private mutating func refuse(_ identity: RootIdentity, _ reason: String) async throws {
    let reason =
      "\(reason), without the photos that it had; nothing was read or removed. Mount the right "
      + "disk; if this is the root from now on: "
      + "photoindexd --rescan --accept-filesystem \(shellWord(root.name))"
    summary.result = .refused(identity)
    summary.held = reason
    try await index.setState(of: root.id, .held, reason)
  }

  /// What was known may say more: udev, say, does not answer everywhere.
  private func keepIdentity(_ identity: RootIdentity, _ known: KnownRoot) async throws {
    guard identity.text != nil || !known.hasRows else { return }
    try await index.setFileSystem(of: root.id, identity.text)
  }

  private func isAccepted() async throws -> Bool {
    if settings.acceptsFileSystem { return true }
    let rows = try await index.presentCount(in: root.id)
    guard rows > 0 else { return true }
    let tree = try RootTree(path: root.path, rules: root.rules, clock: clock)
    return Double(try await countCopies(in: tree)) >= copyShare * Double(rows)
  }

  /// How many rows have a file there of their path, size and time, be that rounded to FAT's 2 s.
  private func countCopies(in tree: RootTree) async throws -> Int {
    var copies = 0
    var waiting = [RelativePath.root]
    while let path = waiting.popLast() {
      try Task.checkCancellation()
      guard let listing = try? tree.list(path) else { continue }
      waiting += listing.subdirectories.map { path.appending($0) }
      guard !listing.photos.isEmpty else { continue }
      let known = try await index.photos(in: path, of: root.id, [.present])
      let found = Dictionary(
        listing.photos.map { ($0.name, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
      copies += known.count { row in
        guard let file = found[row.path.name], file.size == row.fingerprint.size else {
          return false
        }
        let shift = file.modified - row.fingerprint.modified
        return shift >= .seconds(-2) && shift <= .seconds(2)
      }
    }
    return copies
  }

  /// From now on the root's directories are seen on the new file system, those apart that lie on
  /// one of their own. The root's own state comes last: until then, all is done once more.
  private mutating func moveStates(to identity: RootIdentity, from known: KnownRoot) async throws {
    guard let old = states[.root]?.fileSystem else { return }
    let moved = states.values.filter { $0.fileSystem == old }.sorted { $0.path > $1.path }.map {
      DirectoryState(
        path: $0.path, changeToken: nil, contentToken: nil,
        fileSystem: identity.fileSystem.description, modified: $0.modified, entries: $0.entries)
    }
    try await index.store(moved, of: root.id)
    for state in moved { states[state.path] = state }
  }
}
