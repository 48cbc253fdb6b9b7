import IndexStore
import Library
import Linux
import Model

/// Directories that are gone, and others that came with everything in and below them as it was there:
/// names, sizes, times and inodes, as their change tokens tell.
///
/// Of a renamed tree a million photos are moved so without a look at any of them.
struct MovedTrees: Sendable {
  struct Tree: Sendable {
    let move: TreeMove
    /// The number in the survey of the one that came.
    let number: Int
    /// Both with all that lies below them, by their paths from there.
    fileprivate(set) var old: [RelativePath]
    let new: [Int]
    let photos: Int
  }

  /// By the path of the one that is gone, as far as the survey tells; none lies in another.
  fileprivate(set) var candidates: [RelativePath: Tree] = [:]
  /// Those of which a listing has shown that they are gone.
  var found: [Tree] = []
  /// What was known of the directories that came, by their new paths.
  var states: [RelativePath: DirectoryState] = [:]
}

extension SyncPass {
  /// Looks for the directories that are gone and the new ones with equal tokens. A token tells of
  /// everything below as well, so that the rename of a tree is one of its top alone.
  func movedTrees(_ tokens: [Token?]) -> MovedTrees {
    guard hasRows else { return MovedTrees() }
    var arrivals: [Token: [Int]] = [:]
    for number in dirty where states[survey.directories[number].path]?.isOpen ?? true {
      if let token = tokens[number] { arrivals[token, default: []].append(number) }
    }
    guard !arrivals.isEmpty else { return MovedTrees() }
    let vanished = vanishedDirectories().sorted { $0.components.count < $1.components.count }
    var tops: [RelativePath: Int] = [:]
    var below: [RelativePath: [RelativePath]] = [:]
    for path in vanished {
      if let top = path.ancestors.first(where: { tops[$0] != nil }) {
        below[top, default: []].append(path)
      } else if let token = states[path]?.changeToken, let found = arrivals[token],
        found.count == 1
      {
        tops[path] = found[0]
        below[path] = [path]
      }
    }
    let claims = Dictionary(grouping: tops, by: \.value)
    var trees = MovedTrees()
    for (path, number) in tops where claims[number]?.count == 1 && !isWithin(number, claims) {
      trees.candidates[path] = tree(path, below[path] ?? [], number)
    }
    return trees
  }

  private func vanishedDirectories() -> [RelativePath] {
    let found = Set(survey.directories.map(\.path))
    return states.keys.filter { !found.contains($0) && survey.covers($0) }
  }

  /// Whether it lies in another that is claimed, which happens with copies of hard links alone.
  private func isWithin(_ number: Int, _ claims: [Int: [(key: RelativePath, value: Int)]]) -> Bool {
    var above = survey.directories[number].parent
    while let number = above {
      if claims[number] != nil { return true }
      above = survey.directories[number].parent
    }
    return false
  }

  /// nil unless all of it lies on one file system whose inodes count.
  private func tree(
    _ path: RelativePath, _ old: [RelativePath], _ number: Int
  ) -> MovedTrees.Tree? {
    let top = survey.directories[number]
    guard let move = TreeMove(from: path, to: top.path), countsInodes(top.fileSystem) else {
      return nil
    }
    var new: [Int] = []
    var next = [number]
    while let number = next.popLast() {
      let found = survey.directories[number]
      guard found.unlisted.isEmpty, found.fileSystem == top.fileSystem else { return nil }
      new.append(number)
      next += found.subdirectories
    }
    let photos = new.reduce(0) { $0 + survey.directories[$1].photoCount }
    let fileSystem = top.fileSystem.description
    guard photos > 0, old.allSatisfy({ states[$0]?.fileSystem == fileSystem }) else { return nil }
    return MovedTrees.Tree(move: move, number: number, old: old, new: new, photos: photos)
  }

  /// Those of the candidates in or below a directory that is gone, as the listing above it shows, whose
  /// rows can go with them.
  mutating func treesMoved(
    from path: RelativePath, below listing: AdmittedListing, at directory: RelativePath
  ) async throws -> [RelativePath] {
    guard !listing.isMarkedExcluded, countsInodes(listing.fileSystem) else { return [] }
    var moved: [RelativePath] = []
    for (old, tree) in movedTrees.candidates where old.isWithin(path) {
      guard isEvident(old, below: listing, at: directory),
        try await index.isWhole(tree.move, photos: tree.photos, of: root.id)
      else { continue }
      movedTrees.found.append(tree)
      moved.append(old)
    }
    for old in moved { movedTrees.candidates[old] = nil }
    return moved
  }

  /// Moves the rows of all those trees, directory by directory.
  mutating func moveTrees() async throws {
    var isAnyUnclear = false
    for tree in movedTrees.found {
      if try await isClear(tree) {
        try await move(tree)
      } else {
        try await remember(tree)
        isAnyUnclear = true
      }
    }
    if isAnyUnclear { gone.stamps.sort() }
    guard !movedTrees.states.isEmpty else { return }
    hasRows = true
    let due = try await directoriesWithDueRetries()
    let moved = movedTrees.states
    dirty.removeAll { number in
      let path = survey.directories[number].path
      return moved[path] != nil && !due.contains(path)
        && attention?.filesBeingWritten(in: path).isEmpty ?? true
    }
  }

  /// Whether no other row that is gone may be one of its files, as it may with hard links.
  private func isClear(_ tree: MovedTrees.Tree) async throws -> Bool {
    guard !gone.stamps.isEmpty else { return true }
    let stamps = gone.stamps
    var last: RelativePath?
    while true {
      try Task.checkCancellation()
      let rows = try await index.photos(in: .below(tree.move.old), of: root.id, after: last)
      guard let end = rows.last else { return true }
      guard rows.allSatisfy({ stamps.rows(like: $0.fingerprint).isEmpty }) else { return false }
      last = end.path
    }
  }

  /// Its rows are gone like others, whose files are looked for one by one.
  private mutating func remember(_ tree: MovedTrees.Tree) async throws {
    var last: RelativePath?
    while true {
      try Task.checkCancellation()
      let rows = try await index.photos(in: .below(tree.move.old), of: root.id, after: last)
      guard let end = rows.last else { return }
      for row in rows { noteVanished(row) }
      last = end.path
    }
  }

  private mutating func move(_ tree: MovedTrees.Tree) async throws {
    // What is cut short in the middle must not look as if nothing had happened to the old directory.
    let states = states
    try await index.store(tree.old.compactMap { states[$0]?.withoutTokens }, of: root.id)
    while true {
      try Task.checkCancellation()
      let stint = try await index.move(tree.move, of: root.id, rows: transactionSize.rows)
      guard stint.rows > 0 else { break }
      summary.counts.moved += stint.rows
      transactionSize.adapt(to: stint)
    }
    for number in tree.new {
      let path = survey.directories[number].path
      let old = RelativePath(
        bytes: tree.move.old.bytes + path.bytes.dropFirst(tree.move.new.bytes.count))
      movedTrees.states[path] = states[old]
    }
  }
}
