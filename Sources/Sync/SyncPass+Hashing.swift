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
  /// of more use than one that can be searched in an hour. Small files have been hashed by then.
  mutating func hashContents(_ tree: RootTree) async throws {
    let isFull = settings.contentHashing == .full
    let open = survey.directories.indices.filter {
      states[survey.directories[$0].path]?.contentToken == nil
    }
    // A video, here or below, may be all that keeps a directory from having a token.
    let unhashed = open.filter { isFull || states[survey.directories[$0].path]?.isHashed != true }
    let (own, hashed) = try await hash(unhashed, tree)
    let isChanged = !announced.isEmpty || !hashed.isEmpty
    let sums = try await contentSums(own, open, isChanged: isChanged)
    guard isChanged || !sums.isEmpty else { return }
    try await index.storeContentTokens(sums, hashed: hashed, of: root.id)
  }

  /// Computes the content tokens of the directories that were looked at and have nothing that is not
  /// hashed: one that only lost a file, say.
  mutating func sumContents() async throws {
    guard !announced.isEmpty else { return }
    let open = survey.directories.indices.filter {
      states[survey.directories[$0].path]?.contentToken == nil
    }
    var own: [Int: Token] = [:]
    for number in open where announced.contains(number) {
      try Task.checkCancellation()
      own[number] = try await sum(in: survey.directories[number].path)
    }
    let sums = try await contentSums(own, open, isChanged: true)
    try await index.storeContentTokens(sums, hashed: [], of: root.id)
  }

  /// The sum over a directory's own photos; nil unless each has a hash.
  private func sum(in directory: RelativePath) async throws -> Token? {
    guard let hashes = try await index.contentHashes(in: directory, of: root.id) else { return nil }
    var hasher = ContentTokenHasher()
    return hashes.reduce(into: Token.empty) { $0 += hasher.photo($1.name, $1.hash) }
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

  private func isHashed(_ row: KnownPhoto) -> Bool {
    settings.contentHashing == .full || row.mediaType?.hasPrefix("video/") != true
  }

  /// Hashes what has no hash yet; returns the sums over the photos of those directories in which all
  /// have one, and the directories in which all have one that are to have one.
  private mutating func hash(
    _ directories: [Int], _ tree: RootTree
  ) async throws -> (tokens: [Int: Token], hashed: [RelativePath]) {
    var flow = HashFlow(total: directories.reduce(0) { $0 + survey.directories[$1].photoCount })
    try await withThrowingTaskGroup(of: Digested.self) { group in
      for number in directories where !isResting {
        try Task.checkCancellation()
        let rows = try await begin(number, &flow)
        for start in stride(from: 0, to: rows.count, by: filesPerTask) {
          while flow.running >= min(2 * settings.workers, mostBatches) {
            try await takeNext(&group, &flow)
          }
          guard !isResting else { break }
          guard settings.mayHash() else {
            summary.hashesLeft += rows.count - start
            break
          }
          let task = hashTask(rows[start..<min(start + filesPerTask, rows.count)], number, tree)
          group.addTask(executorPreference: BlockingExecutor.shared) { try await task.run() }
          flow.running += 1
          flow.open[number]?.tasks += 1
        }
        release(number, &flow)
      }
      while flow.running > 0 { try await takeNext(&group, &flow) }
    }
    try await store(&flow)
    return (flow.tokens, flow.hashed)
  }

  /// Looks which photos of a directory are to be hashed.
  private mutating func begin(_ number: Int, _ flow: inout HashFlow) async throws -> [KnownPhoto] {
    let path = survey.directories[number].path
    let rows = try await index.photos(in: path, of: root.id, [.present])
    let wanted = rows.filter { $0.contentHash == nil || $0.hashRetry == .due }
    let unhashed = wanted.filter { isHashed($0) && $0.hashRetry != .waiting }
    let unwanted = rows.filter { $0.hashRetry == .due && !isHashed($0) }
    if !unwanted.isEmpty { try await index.forgetHashFailures(unwanted.map(\.id)) }
    flow.open[number] = HashedDirectory(rows: rows, unhashed: unhashed.count)
    return unhashed
  }

  private func hashTask(
    _ rows: ArraySlice<KnownPhoto>, _ number: Int, _ tree: RootTree
  ) -> HashTask {
    let found = survey.directories[number]
    return HashTask(
      rows: rows, directory: number, path: found.path, tree: tree,
      countsInodes: countsInodes(found.fileSystem), decoder: decoder, failed: failedReadings)
  }

  private mutating func takeNext(
    _ group: inout ThrowingTaskGroup<Digested, any Error>, _ flow: inout HashFlow
  ) async throws {
    guard let digested = try await group.next() else { return }
    flow.running -= 1
    try await note(digested, &flow)
    // Others are being hashed meanwhile.
    if flow.isTimeToStore { try await store(&flow) }
    release(digested.directory, &flow)
  }

  private mutating func note(_ digested: Digested, _ flow: inout HashFlow) async throws {
    for (row, failure) in digested.failures + digested.deaths {
      report(.failed(row.path, failure))
    }
    addDiskErrors(digested.diskErrors, in: digested.directory)
    try await noteDiskErrors()
    try await index.storeHashFailures(digested.failures.map { ($0.row.id, $0.failure) })
    for result in digested.results {
      flow.open[digested.directory]?.hashes[result.id] = result.hashes.content
      summary.counts.bytesRead += result.fingerprint.size
    }
    flow.waiting += digested.results
    summary.filesRead += digested.results.count
    summary.hashed += digested.results.count
  }

  private func store(_ flow: inout HashFlow) async throws {
    try await index.store(flow.waiting)
    flow.waiting = []
    flow.stored = .now
  }

  /// One task of the directory less is under way; or all are.
  private func release(_ number: Int, _ flow: inout HashFlow) {
    flow.open[number]?.tasks -= 1
    guard let directory = flow.open[number], directory.tasks == 0 else { return }
    flow.open[number] = nil
    flow.tokens[number] = directory.token
    if directory.isHashed { flow.hashed.append(survey.directories[number].path) }
    flow.done += survey.directories[number].photoCount
    report(.hashing(done: flow.done, of: flow.total))
  }
}

/// What is under way while files are hashed.
private struct HashFlow {
  let total: Int
  var done = 0
  var running = 0
  /// Those of which not all tasks are done.
  var open: [Int: HashedDirectory] = [:]
  var tokens: [Int: Token] = [:]
  var hashed: [RelativePath] = []
  /// What is to be stored: not file by file, for each commit waits for the disk.
  var waiting: [PhotoHashes] = []
  var stored = ContinuousClock.now

  /// What was reckoned longer ago than that must not be lost when the program is killed.
  var isTimeToStore: Bool { waiting.count >= 500 || .now - stored >= .seconds(1) }
}

/// A directory whose photos are being hashed.
private struct HashedDirectory {
  let rows: [KnownPhoto]
  let unhashed: Int
  var hashes: [Int64: Hash] = [:]
  /// How many are under way; one more as long as not all have begun.
  var tasks = 1

  init(rows: [KnownPhoto], unhashed: Int) {
    self.rows = rows
    self.unhashed = unhashed
  }

  /// The sum over the photos; nil unless each has a hash.
  var token: Token? {
    var hasher = ContentTokenHasher()
    var token = Token.empty
    for row in rows {
      guard let hash = row.contentHash ?? hashes[row.id] else { return nil }
      token += hasher.photo(row.path.name, hash)
    }
    return token
  }

  /// Whether each photo has a hash that is to have one.
  var isHashed: Bool {
    hashes.count == unhashed
      && !rows.contains { $0.hashRetry == .waiting && $0.contentHash == nil }
  }
}

/// Content tokens: those that this pass found, else those that are known.
private struct ContentSums {
  let states: [RelativePath: DirectoryState]
  var computed: [RelativePath: Token?] = [:]

  subscript(path: RelativePath) -> Token? { computed[path] ?? states[path]?.contentToken }
}
