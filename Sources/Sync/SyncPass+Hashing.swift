import IndexStore
import Library
import Linux
import Model

/// Files that one task hashes: a few, since each is read whole.
private let filesPerTask = 16

extension SyncPass {
  /// Computes the hashes that are missing, directory by directory, then the content tokens.
  ///
  /// After the rows, because a library that can be searched in a minute and hashed in an hour is
  /// of more use than one that can be searched in an hour.
  mutating func hashContents(_ tree: RootTree) async throws {
    var tokens = survey.directories.map { states[$0.path]?.contentToken }
    let isFull = settings.contentHashing == .full
    let open = survey.directories.indices.filter { tokens[$0] == nil }
    // A video, here or below, may be all that keeps a directory from having a token.
    let unhashed = open.filter { isFull || states[survey.directories[$0].path]?.isHashed != true }
    let total = unhashed.reduce(0) { $0 + survey.directories[$1].photoCount }
    var own: [Int: Token] = [:]
    var done = 0
    var hashed: [RelativePath] = []
    for number in unhashed {
      try Task.checkCancellation()
      let result = try await hashDirectory(number, tree)
      own[number] = result.token
      if result.isHashed { hashed.append(survey.directories[number].path) }
      done += survey.directories[number].photoCount
      report(.hashing(done: done, of: total))
    }
    var hasher = ContentTokenHasher()
    for number in open.reversed() {
      tokens[number] = sum(of: number, own[number], tokens, &hasher)
    }
    let changed = open.compactMap { number in
      tokens[number].map { (survey.directories[number].path, Optional($0)) }
    }
    guard !announced.isEmpty || !changed.isEmpty || !hashed.isEmpty else { return }
    try await index.markHashed(hashed, of: root.id)
    try await index.storeContentTokens(changed, of: root.id)
    if let token = tokens.first { try await storeContentTokensAbove(token) }
  }

  /// The token of a directory from its photos' sum and its sub-directories' tokens; nil while a
  /// hash below is missing, or a row is kept without its file.
  private func sum(
    of number: Int, _ own: Token?, _ tokens: [Token?], _ hasher: inout ContentTokenHasher
  ) -> Token? {
    let found = survey.directories[number]
    guard var token = own, !keptOpen.contains(number),
      !survey.unreadable.contains(where: { $0.parent == number })
    else { return nil }
    for child in found.subdirectories {
      guard let below = tokens[child] else { return nil }
      token += hasher.directory(survey.directories[child].path.name, below)
    }
    return token
  }

  /// Hashes what has no hash yet; returns the sum over the directory's photos, if all have one,
  /// and whether all have one that are to have one.
  private mutating func hashDirectory(
    _ number: Int, _ tree: RootTree
  ) async throws -> (token: Token?, isHashed: Bool) {
    let path = survey.directories[number].path
    let rows = try await index.photos(in: path, of: root.id).filter { $0.state == .present }
    let unhashed = rows.filter { $0.contentHash == nil && isHashed($0) }
    guard unhashed.isEmpty || settings.mayHash() else {
      summary.hashesLeft += unhashed.count
      return (nil, false)
    }
    let hashes = try await hash(unhashed, in: path, tree)
    var hasher = ContentTokenHasher()
    var token: Token? = .empty
    for row in rows {
      if let hash = row.contentHash ?? hashes[row.id] {
        token? += hasher.photo(row.path.name, hash)
      } else {
        token = nil
      }
    }
    return (token, hashes.count == unhashed.count)
  }

  private func isHashed(_ row: KnownPhoto) -> Bool {
    settings.contentHashing == .full || row.mediaType?.hasPrefix("video/") != true
  }

  private mutating func hash(
    _ rows: [KnownPhoto], in path: RelativePath, _ tree: RootTree
  ) async throws -> [Int64: Hash] {
    var hashes: [Int64: Hash] = [:]
    try await withThrowingTaskGroup(of: [PhotoHashes].self) { group in
      var running = 0
      for start in stride(from: 0, to: rows.count, by: filesPerTask) {
        try Task.checkCancellation()
        if running >= 2 * settings.workers, let done = try await group.next() {
          running -= 1
          try await store(done, &hashes)
        }
        let batch = rows[start..<min(start + filesPerTask, rows.count)]
        group.addTask(executorPreference: BlockingExecutor.shared) {
          digests(of: batch, in: path, tree)
        }
        running += 1
      }
      for try await done in group { try await store(done, &hashes) }
    }
    return hashes
  }

  private mutating func store(
    _ results: [PhotoHashes], _ hashes: inout [Int64: Hash]
  ) async throws {
    try await index.store(results)
    for result in results {
      hashes[result.id] = result.hashes.content
      summary.counts.bytesRead += result.fingerprint.size
    }
    summary.filesRead += results.count
    summary.hashed += results.count
  }

  /// The directories above the scope, whose own photos and other children did not change.
  private func storeContentTokensAbove(_ scopeToken: Token?) async throws {
    var hasher = ContentTokenHasher()
    var child = (path: scope, token: scopeToken)
    for path in scope.ancestors.reversed() {
      // One that must be looked at again may have rows that nobody could check.
      var token: Token? = states[path]?.changeToken == nil ? nil : .empty
      for row in try await index.photos(in: path, of: root.id) where row.state == .present {
        if let hash = row.contentHash {
          token? += hasher.photo(row.path.name, hash)
        } else {
          token = nil
        }
      }
      for state in states.values where state.path.directory == path && !state.path.isRoot {
        if let below = state.path == child.path ? child.token : state.contentToken {
          token? += hasher.directory(state.path.name, below)
        } else {
          token = nil
        }
      }
      try await index.storeContentTokens([(path, token)], of: root.id)
      child = (path, token)
    }
  }
}

/// Reads the files whole; one that changed since its row was written, or cannot be read, has no
/// digest this time.
private func digests(
  of rows: ArraySlice<KnownPhoto>, in path: RelativePath, _ tree: RootTree
) -> [PhotoHashes] {
  guard let directory = try? tree.open(path) else { return [] }
  var digester = FileDigester()
  var results: [PhotoHashes] = []
  for row in rows {
    guard let file = try? tree.file(at: row.path, in: directory), isStill(row, file) else {
      continue
    }
    guard let (hashes, _) = try? digester.digest(file), isStill(row, file) else { continue }
    results.append(PhotoHashes(id: row.id, fingerprint: row.fingerprint, hashes: hashes))
  }
  return results
}

private func isStill(_ row: KnownPhoto, _ file: borrowing OpenFile) -> Bool {
  guard let now = try? file.status().fingerprint else { return false }
  return now.size == row.fingerprint.size && now.modified == row.fingerprint.modified
}
