import IndexStore
import Library
import Linux
import Metadata
import Model
import Places

/// The number of files that one task reads: enough to make a task pay, few enough to keep all
/// workers busy to the end.
private let filesPerTask = 64

/// The number of rows that one transaction writes: the more, the fewer times a page of an index
/// is written; yet no transaction may last 100 ms, for a person may be waiting to write.
struct TransactionSize: Sendable {
  private(set) var rows = 500

  mutating func adapt(to duration: Duration) {
    if duration > .milliseconds(80) { rows = max(250, rows / 2) }
    if duration < .milliseconds(30) { rows = min(2000, rows * 2) }
  }
}

extension SyncPass {
  /// Brings every dirty directory up to date, and then those again that were not at rest.
  mutating func reconcileAll(_ tree: RootTree) async throws {
    let total = dirty.reduce(0) { $0 + survey.directories[$1].photoCount }
    try await reconcile(dirty, tree, total: total, isLastLook: false)
    let unsettled = dirty.filter { !survey.directories[$0].isSettled }
    guard !unsettled.isEmpty else { return }
    // Those will be read once more.
    let openPaths = Set(unsettled.map { survey.directories[$0].path })
    candidates.removeAll { openPaths.contains($0.path.directory) }
    report(.settling(settings.settle))
    try await Task.sleep(for: settings.settle)
    try await reconcile(unsettled, tree, total: total, isLastLook: true)
  }

  private mutating func reconcile(
    _ directories: [Int], _ tree: RootTree, total: Int, isLastLook: Bool
  ) async throws {
    var looked = 0
    var waiting: [PhotoWrite] = []
    try await withThrowingTaskGroup(of: ReadBatch.self) { group in
      var running = 0
      for number in directories {
        try Task.checkCancellation()
        guard let look = try await look(at: number, tree, isLastLook: isLastLook) else { continue }
        waiting += look.plan.writes
        let batches = look.batches
        for batch in batches {
          if running >= 4 * settings.workers, let done = try await group.next() {
            running -= 1
            absorb(done, &waiting)
          }
          if waiting.count >= transactionSize.rows {
            try await apply(waiting)
            waiting = []
          }
          let reader = reader(isLastLook: isLastLook, look.countsInodes)
          group.addTask(executorPreference: BlockingExecutor.shared) {
            reader.read(batch, directory: look.path, number: number, of: tree)
          }
          running += 1
        }
        looked += look.photoCount
        report(.reading(done: looked, of: total))
      }
      for try await done in group { absorb(done, &waiting) }
    }
    try await apply(waiting)
  }

  private struct Look: Sendable {
    let path: RelativePath
    var plan: DirectoryPlan
    let photoCount: Int
    let countsInodes: Bool

    var batches: [ArraySlice<ReadTask>] {
      stride(from: 0, to: plan.reads.count, by: filesPerTask).map {
        plan.reads[$0..<min($0 + filesPerTask, plan.reads.count)]
      }
    }
  }

  /// Lists a directory afresh and plans what to do; nil when it cannot be listed any more.
  private mutating func look(
    at number: Int, _ tree: RootTree, isLastLook: Bool
  ) async throws -> Look? {
    let path = survey.directories[number].path
    guard let listing = try? tree.list(path) else {
      survey.directories[number].isSettled = false
      return nil
    }
    let known = hasRows || isLastLook ? try await index.photos(in: path, of: root.id) : []
    let counts = countsInodes(listing.fileSystem)
    let comparison = DirectoryComparison(
      settle: settings.settle, countsInodes: counts, isLastLook: isLastLook,
      sizesSought: gone.sizes, versions: versions)
    var plan = comparison.plan(listing, in: path, known: known)
    for index in plan.reads.indices { try await addLikeness(to: &plan.reads[index]) }
    for row in plan.seen { gone.vanished.remove(row) }
    hasher.countsInodes = counts
    survey.directories[number].ownToken = listing.token(&hasher)
    survey.directories[number].photoCount = listing.photos.count
    survey.directories[number].isSettled =
      !plan.isUnsettled && isAsSurveyed(listing, survey.directories[number])
    return Look(path: path, plan: plan, photoCount: listing.photos.count, countsInodes: counts)
  }

  /// A directory that came or went since the survey is for the next pass.
  private func isAsSurveyed(_ listing: AdmittedListing, _ found: SurveyedDirectory) -> Bool {
    let names = Set(found.subdirectories.map { Array(survey.directories[$0].path.name) })
    let unreadable = survey.unreadable.filter { $0.path.directory == found.path }
    return names.union(unreadable.map { Array($0.path.name) }) == Set(listing.subdirectories)
  }

  private func addLikeness(to task: inout ReadTask) async throws {
    guard case .changedContent(let row, nil) = task.purpose else { return }
    task = ReadTask(
      path: task.path, fingerprint: task.fingerprint,
      purpose: .changedContent(row, try await index.likeness(of: row.id)))
  }

  private func reader(isLastLook: Bool, _ countsInodes: Bool) -> ReaderSettings {
    ReaderSettings(
      places: places, timeZone: root.timeZone ?? settings.timeZone, versions: versions,
      countsInodes: countsInodes, isLastLook: isLastLook,
      namesTellDates: settings.namesTellDates)
  }

  private mutating func absorb(_ batch: ReadBatch, _ waiting: inout [PhotoWrite]) {
    summary.filesRead += batch.filesRead
    summary.counts.bytesRead += batch.bytesRead
    for outcome in batch.outcomes {
      switch outcome {
      case .write(let writes): waiting += writes
      case .candidate(let reading): candidates.append(reading)
      case .unsettled: survey.directories[batch.directory].isSettled = false
      }
    }
  }

  /// Writes rows, a bounded number a transaction, and counts what was done.
  ///
  /// Two writes of one file stand side by side, and a transaction may end between them: each
  /// leaves a true state.
  mutating func apply(_ writes: [PhotoWrite]) async throws {
    for write in writes { count(write) }
    var rest = writes[...]
    while !rest.isEmpty {
      let batch = rest.prefix(transactionSize.rows)
      rest = rest.dropFirst(batch.count)
      let duration = try await index.apply(Array(batch), to: root.id)
      if batch.count == transactionSize.rows { transactionSize.adapt(to: duration) }
    }
    try await index.handOnMarks(of: writes.compactMap(\.missingRow))
  }

  private mutating func count(_ write: PhotoWrite) {
    switch write {
    case .insert(let reading):
      summary.counts.added += 1
      reportFailure(of: reading)
    case .update(_, let reading, _):
      summary.counts.updated += 1
      reportFailure(of: reading)
    case .refresh: summary.counts.updated += 1
    case .leave(_, .excluded): summary.excluded += 1
    case .leave: summary.counts.removed += 1
    case .comeBack: summary.restored += 1
    }
  }

  private func reportFailure(of reading: PhotoReading) {
    if let failure = reading.failure { report(.failed(reading.path, failure)) }
  }
}

extension PhotoWrite {
  /// The row that turns missing because another photo has its path.
  fileprivate var missingRow: Int64? {
    if case .leave(let id, .missing) = self { id } else { nil }
  }
}

/// What a task that reads files needs.
struct ReaderSettings: Sendable {
  let places: Atlas?
  let timeZone: String?
  let versions: ReaderVersions
  let countsInodes: Bool
  let isLastLook: Bool
  let namesTellDates: Bool

  func read(
    _ tasks: ArraySlice<ReadTask>, directory: RelativePath, number: Int, of tree: RootTree
  ) -> ReadBatch {
    var reader = PhotoReader(self)
    let outcomes = reader.read(tasks, in: directory, of: tree)
    return ReadBatch(
      directory: number, outcomes: outcomes, filesRead: reader.filesRead,
      bytesRead: reader.bytesRead)
  }
}

/// What one such task found.
struct ReadBatch: Sendable {
  /// The directory's number in the survey.
  let directory: Int
  let outcomes: [ReadOutcome]
  let filesRead: Int
  let bytesRead: Int64
}
