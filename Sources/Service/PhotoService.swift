package import Decoding
package import IndexStore
import Library
package import Linux
package import Model
package import Places
import Sync
import Synchronization
package import Watch

package typealias ServiceErrand = @Sendable () async throws -> Void

/// Keeps an index in step with its roots, until its task is cancelled.
///
/// Two tasks share it. One attends: it waits for the kernel's events and for the clock, and never
/// for a disk. The other works: it takes what is due and syncs, one pass after the other, since the
/// index has one writer. Whatever happened, a pass over some directories is the answer.
package final class PhotoService: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct State: ~Copyable {
    var roots: [Int64: RootRecord] = [:]
    var settings: ServiceSettings
    var requests: [ScanRequest] = []
    var places: Atlas?
    /// What is to be done between two passes.
    var errands: [ServiceErrand] = []
    /// When the next failed reading is to be tried again.
    var retryDue: Instant?
    /// When the roots that are not there are looked for next.
    var absenceDue: Instant?
    var hashingDue: Instant?
    var isWorking = false
  }

  let index: PhotoIndex
  let decoder: any Decoder
  let budget: WatchBudget
  let clock: @Sendable () -> Timestamp
  let report: @Sendable (ServiceEvent) -> Void
  let state: Mutex<State>
  private let mounts: MountTable
  private let wakeup: Wakeup
  private let work: AsyncStream<Void>
  private let beginWork: AsyncStream<Void>.Continuation

  package init(
    index: PhotoIndex, decoder: any Decoder, places: Atlas?, settings: ServiceSettings,
    budget: WatchBudget, clock: @escaping @Sendable () -> Timestamp,
    report: @escaping @Sendable (ServiceEvent) -> Void
  ) throws(SystemError) {
    self.index = index
    self.decoder = decoder
    self.budget = budget
    self.clock = clock
    self.report = report
    state = Mutex(State(settings: settings, places: places))
    mounts = try MountTable()
    wakeup = try Wakeup()
    (work, beginWork) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Serves exactly these roots from now on, each with a scan to begin with.
  package func serve(_ roots: [ServedRoot], _ settings: ServiceSettings) throws(SystemError) {
    let mounted = (try? mounts.mounts()) ?? []
    var records: [Int64: RootRecord] = [:]
    for served in roots {
      let watcher = try RootWatcher(
        rules: served.root.rules, times: settings.times, budget: budget,
        indexDirectory: served.indexDirectory)
      var record = RootRecord(served: served, watcher: watcher, scan: (.now, .start))
      record.scrubDue = .now + min(settings.scrubPause, .seconds(600))
      record.mounts = record.relevant(mounted)
      records[served.root.id] = record
    }
    state.withLock { state in
      state.roots = records
      state.settings = settings
      // A root may be gone, or a retry plan be another.
      state.retryDue = .now
    }
    wake()
  }

  package func request(_ request: ScanRequest) {
    state.withLock { $0.requests.append(request) }
    wake()
  }

  /// Does something that no pass may come between, as soon as the one that is under way has ended.
  package func runBetweenPasses(_ errand: @escaping ServiceErrand) {
    state.withLock { $0.errands.append(errand) }
    wake()
  }

  /// The places for all passes from now on; for an errand, since no pass may know others.
  package func use(_ places: Atlas) { state.withLock { $0.places = places } }

  /// Looks at all of a root that a person has put right, and tries again all that is due there.
  package func resume(_ root: Int64) {
    state.withLock { state in
      state.roots[root]?.scan = (.now, .resumption)
      state.roots[root]?.hashesTried = []
      state.retryDue = .now
    }
    wake()
  }

  /// Looks at all of every root as soon as may be.
  package func scanAll(_ reason: SyncScanReason) {
    state.withLock { state in
      for id in state.roots.keys { state.roots[id]?.scan = (.now, reason) }
    }
    wake()
  }

  package var watchers: [RootWatcher] { state.withLock { $0.roots.values.map(\.watcher) } }

  /// What to wait for.
  package var sources: [Readiness] {
    watchers.map(\.readiness) + [wakeup.readiness, mounts.readiness]
  }

  /// How long to wait for it; nil: there is nothing that the clock brings.
  package var timeLeft: Duration? {
    let now = Instant.now
    let due = state.withLock { $0.isWorking ? nil : nextDue(in: $0, now) }
    return due.map { max(.zero, $0 - now) }
  }

  /// Takes in what is ready, and sees to it that what is due gets done. Returns whether the kernel
  /// told of changes, after which more is likely to come soon.
  @discardableResult
  package func attend(_ ready: Set<Readiness>) -> Bool {
    if ready.contains(wakeup.readiness) { wakeup.clear() }
    if ready.contains(mounts.readiness) { noteMounts() }
    var isNews = false
    for watcher in watchers where ready.contains(watcher.readiness) {
      isNews = watcher.drain() || isNews
    }
    if timeLeft == .zero { beginWork.yield() }
    return isNews
  }

  private func noteMounts() {
    guard let mounted = try? mounts.mounts() else { return }
    state.withLock { state in
      for (id, record) in state.roots {
        let relevant = record.relevant(mounted)
        guard relevant != record.mounts else { continue }
        state.roots[id]?.mounts = relevant
        state.roots[id]?.scan = (.now, .mount)
      }
    }
  }

  /// Makes whoever attends look at the clock again.
  package func wake() { wakeup.signal() }

  /// When there is something to do next.
  private func nextDue(in state: borrowing State, _ now: Instant) -> Instant? {
    if !state.requests.isEmpty || !state.errands.isEmpty { return now }
    var dues = [state.retryDue, state.absenceDue, state.hashingDue]
    for record in state.roots.values {
      guard record.isOnline else { continue }
      dues += [record.watcher.nextDue, record.scan.due, record.pollDue, record.scrubDue]
    }
    return dues.compactMap(\.self).min()
  }

  /// Works on what is due until it is cancelled, or until the index fails.
  package func run() async throws {
    for await _ in work {
      state.withLock { $0.isWorking = true }
      defer { state.withLock { $0.isWorking = false } }
      while let task = nextTask() {
        try Task.checkCancellation()
        try await perform(task)
      }
      try await rest()
      report(.idle)
      state.withLock { $0.isWorking = false }
      wake()
    }
    try Task.checkCancellation()
  }

  /// Keeps no more than it needs to wait.
  private func rest() async throws {
    decoder.rest()
    state.withLock { $0.places }?.rest()
    try await index.rest()
    returnFreeMemory()
  }

  /// Forgets that anything is watched, for nobody will tell any more.
  package func end() async throws {
    for id in state.withLock({ Array($0.roots.keys) }) {
      try await index.setWatch(of: id, nil, nil)
    }
    try await index.checkpoint()
  }

  /// Whether nothing is to be done or looked at, but for what the plan brings.
  package var isQuiet: Bool {
    state.withLock { state in
      guard !state.isWorking, state.requests.isEmpty, state.errands.isEmpty,
        state.hashingDue == nil
      else { return false }
      return state.roots.values.allSatisfy {
        $0.watcher.isQuiet && (!$0.isOnline || $0.scan.due > .now && $0.scan.reason == .plan)
      }
    }
  }
}
