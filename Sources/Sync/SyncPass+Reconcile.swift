import Decoding
import IndexStore
import Library
import Linux
import Metadata
import Model
import Places

/// The number of files that one task reads: enough to make a task pay, few enough to keep all
/// workers busy to the end.
private let filesPerTask = 64

/// However many workers there are, no more files may be open at a time than a process is allowed to.
let mostBatches = 8

/// Fewer files of a directory are all written by one transaction, in whatever order.
private let mostUnordered = 2000

/// How many rows may wait to be written: two transactions of the largest kind.
private let mostWaitingRows = 4000

extension SyncPass {
  /// Brings every dirty directory up to date, and then those again that were not at rest.
  mutating func reconcileAll(_ tree: RootTree) async throws {
    let total = dirty.reduce(0) { $0 + survey.directories[$1].photoCount }
    try await reconcile(dirty, tree, total: total, isLastLook: false)
    let unsettled = dirty.filter { !survey.directories[$0].isSettled }
    guard !unsettled.isEmpty else { return }
    guard settings.waitsToSettle else {
      summary.unsettled = unsettled.map { survey.directories[$0].path }
      return
    }
    // Those will be read once more.
    let openPaths = Set(unsettled.map { survey.directories[$0].path })
    forgetBroken(in: Set(unsettled))
    candidates.removeAll { openPaths.contains($0.path.directory) }
    report(.settling(settings.settle))
    try await rest(for: settings.settle)
    try await reconcile(unsettled, tree, total: total, isLastLook: true)
  }

  /// Reads with some tasks and writes with one more, so that neither waits for the other.
  mutating func reconcile(
    _ directories: [Int], _ tree: RootTree, total: Int, isLastLook: Bool
  ) async throws {
    var flow = Flow()
    var looked = 0
    try await withThrowingTaskGroup(of: StepDone.self) { group in
      for number in directories {
        try Task.checkCancellation()
        guard let look = try await look(at: number, tree, isLastLook: isLastLook) else { continue }
        queue(look.plan.writes, &flow)
        startWriting(&group, &flow)
        for batch in look.batches {
          while isFull(flow) { try await takeNext(&group, &flow) }
          let reader = reader(isLastLook: isLastLook, look.countsInodes)
          group.addTask(executorPreference: BlockingExecutor.shared) {
            .read(try await reader.read(batch, directory: look.path, number: number, of: tree))
          }
          flow.reading += 1
          startWriting(&group, &flow)
        }
        looked += look.photoCount
        report(.reading(done: looked, of: total))
      }
      while flow.reading > 0 || flow.isWriting { try await takeNext(&group, &flow) }
    }
    try await write(flow.waiting)
  }

  /// What is under way.
  private struct Flow {
    var reading = 0
    var isWriting = false
    /// What is to be written next.
    var waiting: [PhotoWrite] = []
  }

  private enum StepDone: Sendable {
    case read(ReadBatch)
    case written(rows: Int, Duration)
  }

  /// While rows are written fewer files are read, so that writing, which has but one thread, keeps up
  /// and little is left of it at the end.
  private func isFull(_ flow: Flow) -> Bool {
    let tasks = flow.isWriting ? settings.workers : 2 * settings.workers
    return flow.reading >= min(tasks, mostBatches)
      || flow.waiting.count >= mostWaitingRows
  }

  private mutating func takeNext(
    _ group: inout ThrowingTaskGroup<StepDone, any Error>, _ flow: inout Flow
  ) async throws {
    switch try await group.next() {
    case .read(let batch):
      flow.reading -= 1
      absorb(batch, &flow)
      try await noteDiskErrors()
    case .written(let rows, let duration):
      flow.isWriting = false
      transactionSize.adapt(to: duration, for: rows)
    case nil: break
    }
    startWriting(&group, &flow)
  }

  /// Two writes of one file stand side by side, and a transaction may end between them: each
  /// leaves a true state.
  private func startWriting(
    _ group: inout ThrowingTaskGroup<StepDone, any Error>, _ flow: inout Flow
  ) {
    let rows = transactionSize.rows
    guard !flow.isWriting, flow.waiting.count >= rows else { return }
    let batch = Array(flow.waiting.prefix(rows))
    flow.waiting.removeFirst(rows)
    flow.isWriting = true
    let (index, root) = (index, root.id)
    group.addTask(executorPreference: BlockingExecutor.shared) {
      .written(rows: rows, try await index.apply(batch, to: root))
    }
  }

  private mutating func queue(_ writes: [PhotoWrite], _ flow: inout Flow) {
    for write in writes { count(write) }
    flow.waiting += writes
  }

  private struct Look: Sendable {
    let path: RelativePath
    var plan: DirectoryPlan
    let photoCount: Int
    let countsInodes: Bool
    /// nil: as they stand.
    let order: [Int]?

    /// Each is made when it is asked for: in a crowded directory all together would be a second copy.
    var batches: some Sequence<[ReadTask]> {
      stride(from: 0, to: plan.reads.count, by: filesPerTask).lazy.map { start in
        (start..<min(start + filesPerTask, plan.reads.count)).map {
          plan.reads[order?[$0] ?? $0]
        }
      }
    }
  }

  /// Plans what to do in a directory; nil when it cannot be listed any more.
  private mutating func look(
    at number: Int, _ tree: RootTree, isLastLook: Bool
  ) async throws -> Look? {
    let path = survey.directories[number].path
    let listed = isLastLook ? nil : survey.listing(of: number)
    guard let listing = listed ?? (try? tree.list(path)) else {
      survey.directories[number].isSettled = false
      return nil
    }
    survey.forgetListing(of: number)
    let known = hasRows || isLastLook ? try await known(in: path, number, like: listing) : []
    let counts = countsInodes(listing.fileSystem)
    let scope = scope(at: path)
    var comparison = DirectoryComparison(
      settle: settings.settle, countsInodes: counts,
      isLastLook: isLastLook || scope?.isLastLook == true, sizesSought: gone.sizes,
      versions: versions)
    comparison.held = heldFiles
    comparison.complete = scope?.complete ?? []
    comparison.beingWritten = attention?.filesBeingWritten(in: path) ?? []
    var plan = comparison.plan(listing, in: path, known: known)
    for index in plan.reads.indices where plan.reads[index].needsLikeness {
      try await addLikeness(to: &plan.reads[index])
    }
    for row in plan.seen {
      gone.vanished.remove(row)
      gone.held.remove(row)
    }
    for row in plan.stillBroken { broken.directories[row] = number }
    broken.whole.formUnion(plan.whole)
    broken.whole.subtract(plan.stillBroken)
    if listed == nil {
      hasher.countsInodes = counts
      survey.directories[number].ownToken = listing.token(&hasher)
    }
    survey.directories[number].photoCount = listing.photos.count
    survey.directories[number].hasCompanions =
      listing.hasCompanions || known.contains(where: \.isCompanion)
    survey.directories[number].isSettled =
      !plan.isUnsettled && isAsSurveyed(listing, survey.directories[number])
    return Look(
      path: path, plan: plan, photoCount: listing.photos.count, countsInodes: counts,
      order: plan.reads.count > mostUnordered ? nameOrder(of: plan.reads) : nil)
  }

  /// The rows of the files that are there. A directory whose files are gone may have very many
  /// others, which `compare` has seen to.
  private mutating func known(
    in path: RelativePath, _ number: Int, like listing: AdmittedListing
  ) async throws -> [KnownPhoto] {
    let compared = compared.take(number, at: await index.changeCount)
    let states = compared == nil ? rowStates : [.missing]
    let first = try await index.photos(in: path, of: root.id, states, from: .first)
    var known = (compared ?? []) + first.photos
    guard var start = first.next else { return known }
    let names = Set(listing.photos.map(\.name))
    known.removeAll { !names.contains($0.path.name) }
    while true {
      let page = try await index.photos(in: path, of: root.id, states, from: start)
      known += page.photos.filter { names.contains($0.path.name) }
      guard let next = page.next else { return known }
      start = next
    }
  }

  private func scope(at path: RelativePath) -> SyncScope? {
    scopeNumbers[path].map { scopes[$0] }
  }

  /// A directory, or a failing entry, that came or went since the survey is for the next pass.
  private func isAsSurveyed(_ listing: AdmittedListing, _ found: SurveyedDirectory) -> Bool {
    let names = Set(
      (found.subdirectories.map { survey.directories[$0].path } + found.unlisted)
        .map { Array($0.name) })
    let unreadable = survey.unreadable.filter { $0.path.directory == found.path }
    return names.union(unreadable.map { Array($0.path.name) })
      == Set(listing.subdirectories).union(listing.unreadable.map { Array($0.name) })
  }

  private func addLikeness(to task: inout ReadTask) async throws {
    guard case .changedContent(let row, nil) = task.purpose else { return }
    task.purpose = .changedContent(row, try await index.likeness(of: row.id))
  }

  func reader(isLastLook: Bool, _ countsInodes: Bool) -> ReaderSettings {
    ReaderSettings(
      decoder: decoder, places: places, timeZone: root.timeZone ?? settings.timeZone,
      versions: versions, countsInodes: countsInodes, isLastLook: isLastLook,
      namesTellDates: settings.namesTellDates, hashing: hashing)
  }

  /// What is hashed together with its metadata.
  private var hashing: ReaderSettings.Hashing? {
    guard hashes, !isResting, settings.mayHash() else { return nil }
    return ReaderSettings.Hashing(
      smallFile: settings.smallFile, films: settings.contentHashing == .full)
  }

  private mutating func absorb(_ batch: ReadBatch, _ flow: inout Flow) {
    summary.filesRead += batch.filesRead
    summary.counts.bytesRead += batch.bytesRead
    addDiskErrors(batch.outcomes.count(where: \.isDiskError), in: batch.directory)
    for outcome in batch.outcomes {
      switch outcome {
      case .write(let writes): queue(writes, &flow)
      case .candidate(let reading): candidates.append(reading)
      case .broken(let row, let write):
        // What a person has said is right need not wait for the others.
        if holdsChanges {
          noteBroken(row, write, in: batch.directory)
        } else {
          queue([write], &flow)
        }
      case .unread(let write):
        unreadDirectories.insert(survey.directories[batch.directory].path)
        queue([write], &flow)
      case .unsettled: survey.directories[batch.directory].isSettled = false
      }
    }
  }

  /// Counts what is to be done, and does it.
  mutating func apply(_ writes: [PhotoWrite]) async throws {
    for write in writes { count(write) }
    try await write(writes)
  }

  /// Writes rows, a bounded number a transaction.
  private mutating func write(_ writes: [PhotoWrite]) async throws {
    var rest = writes[...]
    while !rest.isEmpty {
      let batch = rest.prefix(transactionSize.rows)
      rest = rest.dropFirst(batch.count)
      let duration = try await index.apply(Array(batch), to: root.id)
      transactionSize.adapt(to: duration, for: batch.count)
    }
  }

  private mutating func count(_ write: PhotoWrite) {
    switch write {
    case .insert(let reading):
      summary.counts.added += 1
      if reading.hashes != nil { summary.hashed += 1 }
      reportFailure(of: reading)
    case .update(_, let reading, let change):
      summary.counts.updated += 1
      if reading.hashes != nil, change == .other { summary.hashed += 1 }
      reportFailure(of: reading)
    case .refresh: summary.counts.updated += 1
    case .leave(_, .excluded): summary.excluded += 1
    case .leave: summary.counts.removed += 1
    case .comeBack: summary.restored += 1
    }
  }

  private func reportFailure(of reading: PhotoReading) {
    if let failure = reading.failure { report(.failed(reading.path, failure)) }
    for sidecar in reading.sidecars {
      guard let note = sidecar.note else { continue }
      let path = reading.path.directory.appending(sidecar.sidecar.name)
      report(.unreadSidecar(path, note))
    }
  }
}

/// The present ones first.
private let rowStates: [KnownPhoto.State] = [.present, .missing, .excluded]

/// What a task that reads files needs.
struct ReaderSettings: Sendable {
  let decoder: any Decoder
  let places: Atlas?
  let timeZone: String?
  let versions: ReaderVersions
  let countsInodes: Bool
  let isLastLook: Bool
  let namesTellDates: Bool
  /// nil: nothing that need not be hashed for another reason.
  let hashing: Hashing?

  struct Hashing: Sendable {
    let smallFile: Int64
    let films: Bool
  }

  func read(
    _ tasks: [ReadTask], directory: RelativePath, number: Int, of tree: RootTree
  ) async throws -> ReadBatch {
    var reader = PhotoReader(self)
    let outcomes = try await reader.read(tasks, in: directory, of: tree)
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
