package import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import Synchronization
package import Watch

/// What there is to do, the most urgent first.
enum ServiceTask: Sendable {
  /// Something happened in these directories.
  case looks([(root: Int64, looks: [Look])])
  case errand(ServiceErrand)
  case retries
  case request(ScanRequest)
  case scan(root: Int64, SyncScanReason)
  case poll(root: Int64)
  case absence
  case hashing(root: Int64)
  case scrub(root: Int64)
}

extension PhotoService {
  func nextTask() -> ServiceTask? {
    if let looks = dueLooks() { return .looks(looks) }
    return state.withLock { state in
      let now = Instant.now
      if !state.errands.isEmpty { return .errand(state.errands.removeFirst()) }
      if let due = state.retryDue, due <= now { return .retries }
      if !state.requests.isEmpty { return .request(state.requests.removeFirst()) }
      for (id, record) in state.roots.sorted(by: { $0.key < $1.key }) where record.isOnline {
        if record.scan.due <= now { return .scan(root: id, record.scan.reason) }
        if let due = record.pollDue, due <= now { return .poll(root: id) }
      }
      if let due = state.absenceDue, due <= now { return .absence }
      return hashingTask(&state, now) ?? scrubTask(&state, now)
    }
  }

  private func hashingTask(_ state: inout State, _ now: Instant) -> ServiceTask? {
    let open = state.roots.filter { $0.value.isOnline && $0.value.mayHaveUnhashed }.keys.min()
    guard let open, state.settings.sync.contentHashing != .off else {
      state.hashingDue = nil
      return nil
    }
    if let due = state.hashingDue, due > now { return nil }
    guard state.settings.sync.mayHash() else {
      // Outside of its hours; they begin with a minute.
      state.hashingDue = now + .seconds(60)
      return nil
    }
    state.hashingDue = now
    return .hashing(root: open)
  }

  /// Those of all roots, if any is due: a move is seen in two directories, perhaps of two roots.
  private func dueLooks() -> [(root: Int64, looks: [Look])]? {
    let records = state.withLock { $0.roots }.filter(\.value.isOnline)
    let now = Instant.now
    for record in records.values { record.watcher.drain(at: now) }
    guard records.values.contains(where: { $0.watcher.nextDue.map { $0 <= now } ?? false }) else {
      return nil
    }
    // What left a root is to be missing before it is found in another.
    let order = records.sorted {
      let (first, second) = ($0.value.watcher.hasDepartures, $1.value.watcher.hasDepartures)
      return first != second ? first : $0.key < $1.key
    }
    let looks = order.map { (root: $0.key, looks: takeLooks($0.value.watcher, now)) }
    return looks.filter { !$0.looks.isEmpty }
  }

  /// Also brings files to an end that nobody has written to for long.
  private func takeLooks(_ watcher: RootWatcher, _ now: Instant) -> [Look] {
    let due = watcher.take(at: now)
    return due.isEmpty ? watcher.take(at: now, all: true) : due
  }

  func perform(_ task: ServiceTask) async throws {
    switch task {
    case .looks(let parts):
      for (root, looks) in parts { try await attempt(root) { try await look(root, looks) } }
    case .errand(let errand): try await errand()
    case .retries: try await retry()
    case .request(let request): try await answer(request)
    case .scan(let root, let reason):
      try await attempt(root) { try await scan(root, reason) }
    case .poll(let root): try await attempt(root) { try await poll(root) }
    case .absence: try await lookForRoots()
    case .scrub(let root): try await attempt(root) { try await scrub(root) }
    case .hashing(let root): try await attempt(root) { _ = try await hash(root, below: .root) }
    }
  }

  /// What fails in one root keeps no other from being served; only a broken index ends all.
  private func attempt(_ root: Int64, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      if let error = error as? SQLiteError, error.isCorrupt || error.isNotADatabase { throw error }
      noteFailure(root, error)
    }
  }

  func noteFailure(_ root: Int64, _ error: any Error) {
    let name = state.withLock { state in
      state.roots[root]?.scan = (.now + state.settings.failurePause, .failure)
      state.roots[root]?.mayHaveUnhashed = false
      return state.roots[root]?.name
    }
    if let name { report(.failed(name, error)) }
  }

  func record(_ root: Int64) -> RootRecord? { state.withLock { $0.roots[root] } }

  private func look(_ root: Int64, _ looks: [Look]) async throws {
    guard let record = record(root) else { return }
    _ = try await pass(record, looks.map { SyncScope($0) }, kind: nil)
  }

  /// Looks at all of a root.
  func scan(_ root: Int64, _ reason: SyncScanReason) async throws {
    guard let record = record(root) else { return }
    report(.scanning(record.name, reason))
    state.withLock { $0.roots[root]?.hashesTried = [] }
    let summary = try await pass(record, withLooks(SyncScope(.root), record), kind: "scan")
    report(.finished(record.name, isScan: true, summary))
    if case .offline = summary.result { return }
    planScan(root)
  }

  /// A scope together with all that is known to have happened in the root.
  func withLooks(_ scope: SyncScope, _ record: RootRecord) -> [SyncScope] {
    var (scope, others) = (scope, [SyncScope]())
    for look in record.watcher.take(all: true) {
      if look.path == scope.path {
        scope.complete = look.complete
      } else {
        others.append(SyncScope(look))
      }
    }
    return [scope] + others
  }

  private func planScan(_ root: Int64) {
    let record = record(root)
    let isKind = record?.coverage.map { $0.unwatched.isEmpty && $0.blindness == nil } ?? false
    let isRotating = record.flatMap {
      (try? Directory(absolutePath: $0.served.root.path).status())?.isOnRotatingDisk
    }
    let (now, zone) = (clock(), machineTimeZone())
    let offset = zone.flatMap { TimeZoneDatabase.system.offset(ofZone: $0, atUTC: now.seconds) }
    state.withLock { state in
      // Something may have asked for another one meanwhile.
      guard let due = state.roots[root]?.scan.due, due <= .now else { return }
      let delay = state.settings.plan.delay(
        from: now, isKind: isKind && isRotating == true, offset: Int64(offset ?? 0),
        chance: Double.random(in: 0...1))
      state.roots[root]?.scan = (.now + delay, .plan)
    }
  }

  /// Looks at what nobody watches.
  private func poll(_ root: Int64) async throws {
    guard let record = record(root) else { return }
    let coverage = record.watcher.coverage
    let scopes =
      coverage.blindness != nil
      ? [SyncScope(.root)] : coverage.unwatched.map { SyncScope($0, isDeep: false) }
    state.withLock { state in
      state.roots[root]?.pollDue = .now + state.settings.pollInterval
    }
    guard !scopes.isEmpty else { return }
    _ = try await pass(record, scopes, kind: nil)
  }

  /// Tries again what could not be read, where it is time for that.
  private func retry() async throws {
    let roots = state.withLock { state in
      state.retryDue = nil
      return state.roots.filter(\.value.isOnline)
    }
    for (id, record) in roots {
      let due = try await index.directoriesWithDueRetries(of: id, hashes: false)
      if !due.isEmpty {
        try await attempt(id) {
          _ = try await pass(record, due.map { SyncScope($0, isDeep: false) }, kind: nil)
        }
      }
      try await attempt(id) { try await retryHashes(id, record) }
    }
    // What is still due could not even be tried, as in a directory that cannot be listed.
    try await planRetry(notBefore: .seconds(30))
  }

  private func retryHashes(_ root: Int64, _ record: RootRecord) async throws {
    let settings = state.withLock { $0.settings.sync }
    guard settings.contentHashing != .off, settings.mayHash() else { return }
    let due = try await index.directoriesWithDueRetries(of: root, hashes: true)
    guard !due.isEmpty else { return }
    _ = try await pass(
      record, due.map { SyncScope($0, isDeep: false) }, kind: nil,
      hashesIf: { settings.mayHash() && !self.isUrgent })
  }

  private func planRetry(notBefore pause: Duration) async throws {
    let (roots, hashing) = state.withLock { state in
      (state.roots.filter(\.value.isOnline).map(\.key), state.settings.sync)
    }
    let mayHash = hashing.contentHashing != .off && hashing.mayHash()
    var due: Instant?
    if let next = try await index.nextRetry(in: roots, hashes: mayHash) {
      let left = Duration.seconds(next - clock().seconds)
      due = .now + (left > .zero ? left : pause)
    }
    if !mayHash, hashing.contentHashing != .off,
      try await index.nextRetry(in: roots, hashes: true) != nil
    {
      // Outside of the hours for hashing; they begin with a minute.
      due = min(due ?? .now + .seconds(60), .now + .seconds(60))
    }
    state.withLock { $0.retryDue = due }
  }

  /// Scans the roots that are there again.
  private func lookForRoots() async throws {
    let absent = state.withLock { state in
      let absent = state.roots.filter { !$0.value.isOnline }
      state.absenceDue = absent.isEmpty ? nil : .now + state.settings.absenceInterval
      return absent
    }
    for (id, record) in absent where try await isWorthAScan(record) {
      report(.online(record.name))
      state.withLock { state in
        state.roots[id]?.isOnline = true
        state.roots[id]?.scan = (.now, .appearance)
      }
    }
  }

  /// Whether a root that was not there is, or something else is than what was refused; what was
  /// may have become a copy of the root by the time of the next scan.
  private func isWorthAScan(_ record: RootRecord) async throws -> Bool {
    let root = record.served.root
    let known = try await index.knownRoot(root.id)
    guard let tree = try? RootTree(path: root.path, rules: root.rules, clock: clock),
      let presence = try? RootPresence(of: tree, known: known)
    else { return false }
    switch presence {
    case .there: return true
    case .absent: return false
    case .other(let identity, _):
      return identity != record.refused || record.scan.due <= .now
    }
  }

  /// One pass, and what follows from it.
  func pass(
    _ record: RootRecord, _ scopes: [SyncScope], kind: String?, waits: Bool = false,
    confirmsRemovals: Bool = false, acceptsFileSystem: Bool = false,
    hashesIf: (@Sendable () -> Bool)? = nil, scrub: Scrub? = nil,
    answer: (@Sendable (ScanRequest.Answer) -> Void)? = nil
  ) async throws -> SyncSummary {
    var (settings, places) = state.withLock { ($0.settings.sync, $0.places) }
    settings.waitsToSettle = waits
    settings.confirmsRemovals = confirmsRemovals
    settings.acceptsFileSystem = acceptsFileSystem
    settings.hashesNow = hashesIf != nil
    settings.scrub = scrub
    if let hashesIf { settings.mayHash = hashesIf }
    settings.timeZone = record.served.root.timeZone ?? settings.timeZone
    let (report, name) = (report, record.name)
    var pass = SyncPass(
      root: record.served.root, scopes: scopes, index: index, decoder: decoder, places: places,
      settings: settings, attention: record.watcher, clock: clock,
      report: { event in
        report(.progress(name, event))
        answer?(.progress(event))
      })
    let summary = try await pass.run(kind: kind)
    try await conclude(record, scopes, summary, isHashing: hashesIf != nil)
    if kind == nil, hashesIf == nil, summary.result == .changed {
      report(.finished(name, isScan: false, summary))
    }
    return summary
  }

  private func conclude(
    _ record: RootRecord, _ scopes: [SyncScope], _ summary: SyncSummary, isHashing: Bool
  ) async throws {
    let id = record.served.root.id
    if !summary.isOfRoot {
      record.watcher.forgetAll()
      _ = record.watcher.take(all: true)
      state.withLock { state in
        state.roots[id]?.isOnline = false
        state.roots[id]?.refused = summary.refused
        state.roots[id]?.coverage = nil
        state.absenceDue = .now + state.settings.absenceInterval
      }
      return try await index.setWatch(of: id, nil, nil)
    }
    record.watcher.forget(summary.vanished)
    record.watcher.unsettled(summary.unsettled)
    // A hashing that found a file changed has to be repeated as well.
    let isNews = !isHashing || summary.isMoreThanHashes
    if isNews { state.withLock { $0.roots[id]?.tryHashesAgain(scopes, summary.vanished) } }
    try await noteCoverage(record)
    try await planRetry(notBefore: .seconds(30))
  }

  private func noteCoverage(_ record: RootRecord) async throws {
    let coverage = record.watcher.coverage
    let id = record.served.root.id
    guard state.withLock({ $0.roots[id]?.coverage }) != coverage else { return }
    let isPolled = coverage.blindness != nil || !coverage.unwatched.isEmpty
    state.withLock { state in
      state.roots[id]?.coverage = coverage
      let due = state.roots[id]?.pollDue ?? .now + state.settings.pollInterval
      state.roots[id]?.pollDue = isPolled ? due : nil
    }
    try await index.setWatch(of: id, coverage.state, coverage.reason(budget))
    report(.covered(record.name, coverage))
  }
}

extension SyncScope {
  init(_ look: Look) {
    self.init(
      look.path, isDeep: look.isDeep, complete: look.complete, isLastLook: look.isLastLook)
  }
}

extension WatchCoverage {
  package var state: WatchState {
    if blindness != nil { return .polled }
    return unwatched.isEmpty ? .full : .partial
  }

  /// Why not all of it is watched; nil when it is.
  package func reason(_ budget: WatchBudget) -> String? {
    if let blindness { return "\(blindness) does not tell of all changes" }
    guard !unwatched.isEmpty else { return nil }
    let count = "\(unwatched.count) of \(unwatched.count + watched) directories are not watched"
    if let failure { return "\(count): \(failure)" }
    let limit = budget.limit.map { " of fs.inotify.max_user_watches = \($0)" } ?? ""
    return "\(count): the share of \(budget.most)\(limit) is used up"
  }
}
