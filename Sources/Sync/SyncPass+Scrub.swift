import Decoding
package import IndexStore
import Library
import Linux
import Model

/// How many files are verified at a time, before anybody asks whether to go on.
private let filesAtATime = 16

/// How many of a pass's files are to be compared with their hashes.
package struct Scrub: Hashable, Sendable {
  package let files: Int
  /// Only those that somebody has touched.
  package let onlyTouched: Bool

  package init(files: Int, onlyTouched: Bool) {
    self.files = files
    self.onlyTouched = onlyTouched
  }
}

extension PhotoIndex {
  /// What a person's wish to have files verified comes to: what is due by the interval, at the first
  /// time that of a day, but one at least; or without one all.
  package func scrub(of root: Int64, _ interval: Duration?) throws -> Scrub {
    guard let interval else { return Scrub(files: try hashedCount(in: root), onlyTouched: false) }
    let due = try scrubShare(
      of: root, interval: max(1, interval.components.seconds), credit: 86_400)
    return Scrub(files: max(1, due), onlyTouched: false)
  }
}

extension SyncPass {
  /// Reads files whole, those first whose turn it is, and tells which are not what they were.
  mutating func scrubFiles(_ tree: RootTree) async throws {
    guard let scrub = settings.scrub else { return }
    // None has two turns.
    let total = min(scrub.files, try await index.hashedCount(in: root.id))
    var left = total
    var changed: Set<RelativePath> = []
    while left > 0, !isResting, settings.mayHash() {
      try Task.checkCancellation()
      let batch = try await index.photosToVerify(
        in: root.id, count: min(left, filesAtATime), onlyDue: scrub.onlyTouched)
      guard !batch.isEmpty else { break }
      left -= batch.count
      try await verify(batch, tree, &changed)
      report(.verifying(done: total - left, of: total))
    }
    try await forgetContentTokens(of: changed)
  }

  private mutating func verify(
    _ batch: [PhotoToVerify], _ tree: RootTree, _ changed: inout Set<RelativePath>
  ) async throws {
    let lane = max(1, (batch.count + settings.workers - 1) / settings.workers)
    let (countsInodes, decoder) = (root.countsInodes, decoder)
    var results: [Verification] = []
    try await withThrowingTaskGroup(of: [Verification].self) { group in
      for start in stride(from: 0, to: batch.count, by: lane) {
        let part = batch[start..<min(start + lane, batch.count)]
        group.addTask(executorPreference: BlockingExecutor.shared) {
          try await Sync.verify(part, tree, decoder, countsInodes: countsInodes)
        }
      }
      for try await done in group { results += done }
    }
    // One that was given up in the middle of a file says nothing.
    try Task.checkCancellation()
    summary.verified += results.count
    summary.filesRead += results.count
    summary.counts.bytesRead += results.reduce(0) { $0 + $1.bytesRead }
    try await index.markVerified(results.filter { $0.finding == .same }.map(\.photo.id))
    try await index.markTried(results.filter { $0.finding == .notNow }.map(\.photo.id))
    for result in results { try await note(result, tree, &changed) }
    try await noteDiskErrors()
  }

  private mutating func note(
    _ result: Verification, _ tree: RootTree, _ changed: inout Set<RelativePath>
  ) async throws {
    let photo = result.photo
    switch result.finding {
    case .same, .notNow: return
    case .corrupt(let found):
      try await index.suspect(photo.id, .corrupt, found: found)
      noteSuspect(photo.path, .corrupt)
    case .unreadable(let failure):
      try await index.suspect(photo.id, .damaged, found: nil)
      report(.failed(photo.path, failure))
      noteSuspect(photo.path, .damaged)
      if failure.reason == .io, let place = states[photo.path.directory]?.fileSystem {
        addDiskErrors(1, on: place)
      }
    case .replaced(let hashes):
      try await index.replaceHashes(of: photo.id, by: hashes)
      try await readAgain(photo, tree)
      noteSuspect(photo.path, .replaced)
      changed.insert(photo.path.directory)
    }
  }

  mutating func noteSuspect(_ path: RelativePath, _ kind: SuspectKind) {
    summary.suspects[kind, default: 0] += 1
    report(.suspect(path, kind))
  }

  /// What the file says of itself may be something else, too.
  private mutating func readAgain(_ photo: KnownPhoto, _ tree: RootTree) async throws {
    let directory = photo.path.directory
    guard let listing = try? tree.list(directory) else { return }
    let counts = countsInodes(listing.fileSystem)
    let task = ReadTask(
      path: photo.path, fingerprint: photo.fingerprint, purpose: .again(photo),
      sidecars: PhotoSidecars(of: photo.path.name, among: Sidecars(listing), countsInodes: counts))
    let settings = self.reader(isLastLook: true, counts)
    let read = try await settings.read([task], directory: directory, number: 0, of: tree)
    summary.counts.bytesRead += read.bytesRead
    for case .write(let writes) in read.outcomes { try await apply(writes) }
  }

  private mutating func forgetContentTokens(of directories: Set<RelativePath>) async throws {
    let all = Set(directories.flatMap { $0.ancestors + [$0] })
    let open = all.compactMap { states[$0] }.map { $0.with(changeToken: $0.changeToken) }
    guard !open.isEmpty else { return }
    try await index.store(open, of: root.id)
    for state in open { states[state.path] = state }
  }
}

/// What came of comparing a file with its hash.
private struct Verification: Sendable {
  enum Finding: Equatable {
    case same
    /// It is not as the last look saw it, or may not be read; the next one tells.
    case notNow
    case corrupt(Hash)
    case replaced(FileHashes)
    case unreadable(ReadFailure)
  }

  let photo: KnownPhoto
  let finding: Finding
  let bytesRead: Int64
}

private func verify(
  _ photos: ArraySlice<PhotoToVerify>, _ tree: RootTree, _ decoder: any Decoder,
  countsInodes: Bool?
) async throws -> [Verification] {
  var results: [Verification] = []
  for photo in photos { results.append(try await verify(photo, tree, countsInodes, decoder)) }
  return results
}

private func verify(
  _ item: PhotoToVerify, _ tree: RootTree, _ countsInodes: Bool?, _ decoder: any Decoder
) async throws -> Verification {
  let photo = item.photo
  var count: Int64 = 0
  func verification(_ finding: Verification.Finding) -> Verification {
    Verification(photo: photo, finding: finding, bytesRead: count)
  }
  do {
    let directory = try tree.open(photo.path.directory)
    let file = SharedFile(try tree.file(at: photo.path, in: directory))
    let before = try file.file.status().fingerprint
    guard isOf(photo, before) else { return verification(.notNow) }
    var hashes = try await digest(file, decoder, &count)
    if hashes.content != photo.contentHash {
      // Memory and cables make mistakes as well; the disk is asked once more.
      let again = try await digest(file, decoder, &count)
      guard again.content == hashes.content || again.content == photo.contentHash else {
        let failure = ReadFailure(.io, message: "two readings of the file gave two contents")
        return verification(.unreadable(failure))
      }
      hashes = again
    }
    let after = try file.file.status().fingerprint
    guard after == before else { return verification(.notNow) }
    guard hashes.content != photo.contentHash else { return verification(.same) }
    let keepsInodes = try directory.fileSystem().keepsInodes
    let counts = countsInodes ?? keepsInodes
    let isTouched =
      item.isDue
      || counts
        && (after.changed != photo.fingerprint.changed
          || after.inode != photo.fingerprint.inode)
    return verification(isTouched ? .replaced(hashes) : .corrupt(hashes.content))
  } catch let error as SystemError {
    return verification(finding(of: .system(error)))
  } catch let error as DecoderFailure {
    return verification(finding(of: error))
  }
}

private func finding(of failure: DecoderFailure) -> Verification.Finding {
  guard let failure = ReadFailure(failure), failure.reason == .io else { return .notNow }
  return .unreadable(failure)
}

/// From the disk: what the kernel remembers of the file tells nothing of that.
private func digest(
  _ file: SharedFile, _ decoder: any Decoder, _ count: inout Int64
) async throws -> FileHashes {
  file.file.forgetCached()
  defer { file.file.forgetCached() }
  let found = try await decoder.digests(of: [DecoderInput(file, suffix: "")])
  count += file.file.sizeWhenOpened
  return try found[0].get()
}

private func isOf(_ photo: KnownPhoto, _ now: Fingerprint) -> Bool {
  now.size == photo.fingerprint.size && now.modified == photo.fingerprint.modified
}
