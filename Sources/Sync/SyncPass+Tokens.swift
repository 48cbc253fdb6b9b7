import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  /// Stores the tokens of the directories that were looked at, and of all above them.
  mutating func storeTokens() async throws {
    let kept = Set(summary.unreadable.map(\.path))
    keepOpen(kept.union(heldDirectories).union(unreadDirectories))
    let tokens = survey.tokens(&hasher, states)
    var changed: [DirectoryState] = []
    for number in announced.sorted() {
      let found = survey.directories[number]
      let isKept = kept.contains(found.path)
      let state = DirectoryState(
        path: found.path,
        changeToken: tokens.listed[number],
        // Moved with all that is in it; what lies above is no part of it.
        contentToken: tokens.listed[number].flatMap { _ in
          movedTrees.states[found.path]?.contentToken
        },
        fileSystem: isKept
          ? states[found.path]?.fileSystem ?? found.fileSystem.description
          : found.fileSystem.description,
        modified: found.modified,
        entries: found.entries
      )
      changed.append(state)
    }
    changed += announcedAbove.compactMap { path in
      states[path]?.with(changeToken: tokens.above[path] ?? nil)
    }
    try await index.store(changed, of: root.id)
    try await removeVanishedStates(kept.union(heldDirectories))
    for state in changed { states[state.path] = state }
  }

  /// Directories whose rows are kept without their files are looked at by each pass: the reason
  /// must stay to be seen, and what file system they were on must not be forgotten. Where even
  /// the directory is gone, the one above it stands for it.
  private mutating func keepOpen(_ kept: Set<RelativePath>) {
    guard !kept.isEmpty else { return }
    let numbers = Dictionary(
      uniqueKeysWithValues: survey.directories.enumerated().map { ($1.path, $0) })
    for path in kept {
      let nearest = (path.ancestors + [path]).last { numbers[$0] != nil }
      if let number = nearest.flatMap({ numbers[$0] }) {
        keptOpen.insert(number)
        survey.directories[number].isSettled = false
      }
    }
  }

  /// Directories that are gone are forgotten, unless their rows are kept.
  private mutating func removeVanishedStates(_ kept: Set<RelativePath>) async throws {
    let found = Set(survey.directories.map(\.path))
    let unreadable = Set(survey.unreadable.map(\.path))
    let above = Set(kept.flatMap(\.ancestors))
    let vanished = states.keys.filter { path in
      !found.contains(path) && survey.covers(path) && !above.contains(path)
        && !(path.ancestors + [path]).contains { kept.contains($0) || unreadable.contains($0) }
    }
    try await index.removeStates(of: vanished, root: root.id)
    summary.vanished = vanished
    for path in vanished { states[path] = nil }
  }
}
