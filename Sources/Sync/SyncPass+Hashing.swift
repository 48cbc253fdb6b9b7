import Decoding
import IndexStore
import Library
import Linux
import Model

/// Files that one task hashes: a few, since each is read whole.
private let filesPerTask = 16

extension SyncPass {
  /// Whether this pass is to hash at all.
  var hashes: Bool { settings.hashesNow && settings.contentHashing != .off }

  /// Computes the hashes that are missing, directory by directory, then the content tokens.
  ///
  /// After the rows, because a library that can be searched in a minute and hashed in an hour is
  /// of more use than one that can be searched in an hour.
  mutating func hashContents(_ tree: RootTree) async throws {
    let isFull = settings.contentHashing == .full
    let open = survey.directories.indices.filter {
      states[survey.directories[$0].path]?.contentToken == nil
    }
    // A video, here or below, may be all that keeps a directory from having a token.
    let unhashed = open.filter { isFull || states[survey.directories[$0].path]?.isHashed != true }
    let total = unhashed.reduce(0) { $0 + survey.directories[$1].photoCount }
    var own: [Int: Token] = [:]
    var done = 0
    var hashed: [RelativePath] = []
    for number in unhashed where !isResting {
      try Task.checkCancellation()
      let result = try await hashDirectory(number, tree)
      own[number] = result.token
      if result.isHashed { hashed.append(survey.directories[number].path) }
      done += survey.directories[number].photoCount
      report(.hashing(done: done, of: total))
    }
    let isChanged = !announced.isEmpty || !hashed.isEmpty
    let sums = try await contentSums(own, open, isChanged: isChanged)
    guard isChanged || !sums.isEmpty else { return }
    try await index.markHashed(hashed, of: root.id)
    try await index.storeContentTokens(sums, of: root.id)
  }

  /// The content tokens of the open directories that have one now, and of all above the survey.
  private func contentSums(
    _ own: [Int: Token], _ open: [Int], isChanged: Bool
  ) async throws -> [(RelativePath, Token?)] {
    var hasher = ContentTokenHasher()
    var sums = ContentSums(states: states)
    var found: [(RelativePath, Token?)] = []
    for node in nodes(open) {
      switch node {
      case .listed(let number):
        let path = survey.directories[number].path
        let token = sum(of: number, own[number], sums, &hasher)
        sums.computed[path] = .some(token)
        if token != nil { found.append((path, token)) }
      case .above(let path, let children):
        guard isChanged || !found.isEmpty else { continue }
        let token = try await sum(above: path, children, sums, &hasher)
        sums.computed[path] = .some(token)
        found.append((path, token))
      }
    }
    return found
  }

  private enum Node {
    case listed(Int)
    case above(RelativePath, children: [RelativePath])
  }

  /// What the survey listed and is open, and all above it, the deepest first.
  private func nodes(_ open: [Int]) -> [Node] {
    guard !survey.isWhole else { return open.reversed().map { .listed($0) } }
    let tops = survey.directories.filter { $0.parent == nil }.map(\.path)
    var above = Set(tops.flatMap(\.ancestors)).filter {
      survey.number(of: $0) == nil && states[$0] != nil
    }.reduce(into: [RelativePath: [RelativePath]]()) { $0[$1] = [] }
    for path in states.keys where !path.isRoot { above[path.directory]?.append(path) }
    let listed = open.map { (survey.directories[$0].path.components.count, Node.listed($0)) }
    let others = above.map { ($0.components.count, Node.above($0, children: $1)) }
    return (listed + others).sorted { $0.0 > $1.0 }.map(\.1)
  }

  /// The token of a directory from its photos' sum and its sub-directories' tokens; nil while a
  /// hash below is missing, or a row is kept without its file.
  private func sum(
    of number: Int, _ own: Token?, _ sums: ContentSums, _ hasher: inout ContentTokenHasher
  ) -> Token? {
    let found = survey.directories[number]
    guard var token = own, !keptOpen.contains(number),
      !survey.unreadable.contains(where: { $0.parent == number })
    else { return nil }
    for path in found.subdirectories.map({ survey.directories[$0].path }) + found.unlisted {
      guard let below = sums[path] else { return nil }
      token += hasher.directory(path.name, below)
    }
    return token
  }

  /// The token of a directory above the survey, whose own photos did not change.
  private func sum(
    above path: RelativePath, _ children: [RelativePath], _ sums: ContentSums,
    _ hasher: inout ContentTokenHasher
  ) async throws -> Token? {
    // One that must be looked at again may have rows that nobody could check.
    guard states[path]?.isOpen == false else { return nil }
    var token = Token.empty
    for row in try await index.photos(in: path, of: root.id, [.present]) {
      guard let hash = row.contentHash else { return nil }
      token += hasher.photo(row.path.name, hash)
    }
    for child in children {
      guard let below = sums[child] else { return nil }
      token += hasher.directory(child.name, below)
    }
    return token
  }

  /// Hashes what has no hash yet; returns the sum over the directory's photos, if all have one,
  /// and whether all have one that are to have one.
  private mutating func hashDirectory(
    _ number: Int, _ tree: RootTree
  ) async throws -> (token: Token?, isHashed: Bool) {
    let path = survey.directories[number].path
    let rows = try await index.photos(in: path, of: root.id, [.present])
    let wanted = rows.filter { $0.contentHash == nil || $0.hashRetry == .due }
    let unhashed = wanted.filter { isHashed($0) && $0.hashRetry != .waiting }
    let unwanted = rows.filter { $0.hashRetry == .due && !isHashed($0) }
    if !unwanted.isEmpty { try await index.forgetHashFailures(unwanted.map(\.id)) }
    guard unhashed.isEmpty || settings.mayHash() else {
      summary.hashesLeft += unhashed.count
      return (nil, false)
    }
    let hashes = try await hash(unhashed, in: number, tree)
    var hasher = ContentTokenHasher()
    var token: Token? = .empty
    for row in rows {
      if let hash = row.contentHash ?? hashes[row.id] {
        token? += hasher.photo(row.path.name, hash)
      } else {
        token = nil
      }
    }
    let isWaiting = rows.contains { $0.hashRetry == .waiting && $0.contentHash == nil }
    return (token, hashes.count == unhashed.count && !isWaiting)
  }

  private func isHashed(_ row: KnownPhoto) -> Bool {
    settings.contentHashing == .full || row.mediaType?.hasPrefix("video/") != true
  }

  private mutating func hash(
    _ rows: [KnownPhoto], in directory: Int, _ tree: RootTree
  ) async throws -> [Int64: Hash] {
    let path = survey.directories[directory].path
    let counts = countsInodes(survey.directories[directory].fileSystem)
    var hashes: [Int64: Hash] = [:]
    try await withThrowingTaskGroup(of: Digested.self) { group in
      var running = 0
      for start in stride(from: 0, to: rows.count, by: filesPerTask) {
        try Task.checkCancellation()
        if running >= min(2 * settings.workers, mostBatches), let done = try await group.next() {
          running -= 1
          try await store(done, in: directory, &hashes)
        }
        guard !isResting else { break }
        guard start == 0 || settings.mayHash() else {
          summary.hashesLeft += rows.count - start
          break
        }
        let batch = rows[start..<min(start + filesPerTask, rows.count)]
        let decoder = decoder
        group.addTask(executorPreference: BlockingExecutor.shared) {
          try await digests(of: batch, in: path, tree, countsInodes: counts, decoder)
        }
        running += 1
      }
      for try await done in group { try await store(done, in: directory, &hashes) }
    }
    return hashes
  }

  private mutating func store(
    _ digested: Digested, in directory: Int, _ hashes: inout [Int64: Hash]
  ) async throws {
    let results = digested.results
    for (row, failure) in digested.failures + digested.deaths {
      report(.failed(row.path, failure))
    }
    addDiskErrors(digested.failures.count { $0.failure.reason == .io }, in: directory)
    try await noteDiskErrors()
    try await index.store(results)
    try await index.storeHashFailures(digested.failures.map { ($0.row.id, $0.failure) })
    for result in results {
      hashes[result.id] = result.hashes.content
      summary.counts.bytesRead += result.fingerprint.size
    }
    summary.filesRead += results.count
    summary.hashed += results.count
  }
}

/// Content tokens: those that this pass found, else those that are known.
private struct ContentSums {
  let states: [RelativePath: DirectoryState]
  var computed: [RelativePath: Token?] = [:]

  subscript(path: RelativePath) -> Token? { computed[path] ?? states[path]?.contentToken }
}

/// What came of reading files whole.
private struct Digested: Sendable {
  var results: [PhotoHashes] = []
  var failures: [(row: KnownPhoto, failure: ReadFailure)] = []
  /// Those of which only the picture's hash is not known.
  var deaths: [(row: KnownPhoto, failure: ReadFailure)] = []

  mutating func note(_ failure: DecoderFailure, _ row: KnownPhoto) {
    if let failure = ReadFailure(failure) { failures.append((row, failure)) }
  }
}

/// Reads the files whole; one that changed since its row was written, or cannot be read, has no
/// digest this time.
private func digests(
  of rows: ArraySlice<KnownPhoto>, in path: RelativePath, _ tree: RootTree,
  countsInodes: Bool, _ decoder: any Decoder
) async throws -> Digested {
  var digested = Digested()
  let files = open(rows, in: path, tree, countsInodes: countsInodes, &digested)
  let found = try await decoder.digests(of: files.map { DecoderInput($0.file, suffix: "") })
  for (open, found) in zip(files, found) {
    let row = open.row
    switch found {
    case .success(let digests) where isStill(row, open.file.file, countsInodes):
      digested.results.append(
        PhotoHashes(
          id: row.id, fingerprint: row.fingerprint, hashes: digests,
          isRetry: row.hashRetry != nil))
      if let failure = digests.failure { digested.deaths.append((row, failure)) }
    case .success: break
    case .failure(let failure): digested.note(failure, row)
    }
  }
  return digested
}

private func open(
  _ rows: ArraySlice<KnownPhoto>, in path: RelativePath, _ tree: RootTree, countsInodes: Bool,
  _ digested: inout Digested
) -> [(row: KnownPhoto, file: SharedFile)] {
  guard let directory = try? tree.open(path) else { return [] }
  var files: [(row: KnownPhoto, file: SharedFile)] = []
  for row in rows {
    do throws(SystemError) {
      let file = try tree.file(at: row.path, in: directory)
      guard isStill(row, file, countsInodes) else { continue }
      files.append((row, SharedFile(file)))
    } catch {
      digested.note(.system(error), row)
    }
  }
  return files
}

/// Two files of one size can be written, and exchanged, within one tick of the clock.
private func isStill(
  _ row: KnownPhoto, _ file: borrowing OpenFile, _ countsInodes: Bool
) -> Bool {
  guard let now = try? file.status().fingerprint else { return false }
  return now.size == row.fingerprint.size && now.modified == row.fingerprint.modified
    && (!countsInodes || now.inode == row.fingerprint.inode)
}
