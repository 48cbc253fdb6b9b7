import IndexStore
import Model
import Sync
import Synchronization

/// How many files are verified before the service looks at what else there is to do.
private let filesASlice = 64

extension PhotoService {
  /// Whose turn it is to have some files compared with their hashes, when nothing else is to be done.
  func scrubTask(_ state: inout State, _ now: Instant) -> ServiceTask? {
    let due = state.roots.filter { $0.value.isOnline && $0.value.scrubDue <= now }.keys.min()
    guard let due else { return nil }
    guard state.settings.sync.mayHash() else {
      for id in state.roots.keys { state.roots[id]?.scrubDue = now + .seconds(600) }
      return nil
    }
    return .scrub(root: due)
  }

  /// Verifies some of the files that are due by now. Between their turns the disk may sleep.
  func scrub(_ root: Int64) async throws {
    guard let record = record(root) else { return }
    let settings = state.withLock { $0.settings.sync }
    let due = try await index.scrubShare(of: root, interval: settings.scrubTime)
    let scrub = Scrub(files: due, onlyTouched: settings.scrubInterval == nil)
    if due > 0, let summary = try await verify(record, scrub), summary.verified > 0 {
      return try await index.spendScrub(
        of: root, files: summary.verified, interval: settings.scrubTime)
    }
    // Nothing is left that waits for its turn.
    if due > 0 { try await index.spendScrub(of: root, files: nil, interval: settings.scrubTime) }
    state.withLock { $0.roots[root]?.scrubDue = .now + $0.settings.scrubPause }
  }

  /// What somebody asked for who waits for it.
  func scrub(
    _ record: RootRecord, _ request: ScanRequest, _ summary: inout SyncSummary
  ) async throws {
    let settings = state.withLock { $0.settings.sync }
    let root = record.served.root.id
    let total = try await index.scrub(of: root, settings.scrubInterval).files
    while summary.verified < total, settings.mayHash() {
      let rest = Scrub(files: total - summary.verified, onlyTouched: false)
      guard let slice = try await verify(record, rest), slice.verified > 0 else { break }
      try await index.spendScrub(of: root, files: slice.verified, interval: settings.scrubTime)
      summary.verified += slice.verified
      summary.counts.bytesRead += slice.counts.bytesRead
      summary.suspects.merge(slice.suspects, uniquingKeysWith: +)
      request.answer(.progress(.verifying(done: summary.verified, of: total)))
      while let urgent = nextUrgentTask() { try await perform(urgent) }
    }
  }

  /// Looks at the directories of the files first: one that was changed as it should is no suspect.
  private func verify(_ record: RootRecord, _ scrub: Scrub) async throws -> SyncSummary? {
    let count = min(scrub.files, filesASlice)
    let photos = try await index.photosToVerify(
      in: record.served.root.id, count: count, onlyDue: scrub.onlyTouched)
    guard !photos.isEmpty else { return nil }
    let directories = Set(photos.map(\.photo.path.directory))
    return try await pass(
      record, directories.map { SyncScope($0, isDeep: false) }, kind: nil,
      scrub: Scrub(files: photos.count, onlyTouched: scrub.onlyTouched))
  }
}
