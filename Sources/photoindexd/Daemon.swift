import IndexStore
import Linux
import Model
import Service
import Sync
import Synchronization
import Watch

/// The command without an option: keeps the index up to date until a signal.
struct Daemon {
  private let setting: Setting
  private let invocation: Invocation

  init(_ setting: Setting, _ invocation: Invocation) {
    self.setting = setting
    self.invocation = invocation
  }

  func run(_ directories: [[UInt8]], _ signals: consuming Signals) async throws -> ExitStatus {
    let targets = try directories.map { try resolve($0) }
    let lock = try setting.lockIndex()
    defer { withExtendedLifetime(lock) {} }
    let socket = try setting.socketPath()
    let database = Array(try setting.database().utf8)
    let listener = try UnixListener(path: socket, isForGroup: handsGroupOn(directoryOf: database))
    let open = try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try await OpenIndex(setting)
    }
    let desk = try await ServiceDesk(open, invocation, targets)
    lock.note(socket)
    defer { lock.note([]) }
    try await serve(desk, Reception(signals, listener, desk))
    return .done
  }

  private func serve(_ desk: ServiceDesk, _ reception: consuming Reception) async throws {
    let reception = reception
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await reception.attend() }
      group.addTask(executorPreference: BlockingExecutor.shared) { try await desk.service.run() }
      group.addTask(executorPreference: BlockingExecutor.shared) { try await desk.answerOrders() }
      group.addTask(executorPreference: BlockingExecutor.shared) { try await desk.beat() }
      // Whichever ends first ends all: a signal in good order, the work only by failing.
      defer { group.cancelAll() }
      try await group.next()
      desk.manager.notify("STOPPING=1", "STATUS=stopping")
      // A disk that does not answer, or a long film, must not hold up the end: at any instant, what
      // has been written is whole.
      endProcess(0, after: .milliseconds(1700))
    }
    try await desk.service.end()
  }
}

/// What the tasks of the daemon share: the service, what it serves, and who waits for an answer.
final class ServiceDesk: Sendable {
  let service: PhotoService
  let manager = ServiceManager()
  let log: ServiceLog
  private let invocation: Invocation
  private let open: Mutex<OpenIndex>
  private let orders: AsyncStream<Order>
  private let takeOrder: AsyncStream<Order>.Continuation
  private let lastBeat = Mutex(ContinuousClock.now)

  enum Order: Sendable {
    case reload
    case message([UInt8], Caller)
  }

  init(_ open: OpenIndex, _ invocation: Invocation, _ targets: [[UInt8]]) async throws {
    let configuration = open.setting.configuration
    let budget = WatchBudget(share: configuration.watchShare)
    let log = ServiceLog(
      manager, budget, share: configuration.watchShare, level: configuration.logLevel)
    self.log = log
    self.invocation = invocation
    self.open = Mutex(open)
    (orders, takeOrder) = AsyncStream.makeStream()
    service = try PhotoService(
      index: open.index, decoder: open.decoder, places: open.atlas,
      settings: open.serviceSettings(), budget: budget, clock: wallClock,
      report: { log.report($0) })
    // New roots first, so that they are among all of them.
    let jobs = try await open.jobs(for: targets)
    try await service.serve(
      open.servedRoots(targets.isEmpty ? jobs : open.jobs(for: [])), open.serviceSettings())
  }

  func take(_ order: Order) { takeOrder.yield(order) }

  /// Does what is asked for, one after the other, as far as that waits for the index.
  func answerOrders() async throws {
    for await order in orders {
      switch order {
      case .reload: await reload()
      case .message(let message, let caller): await answer(message, caller)
      }
    }
    try Task.checkCancellation()
  }

  private func reload() async {
    manager.notify("RELOADING=1", "MONOTONIC_USEC=\(monotonicMicroseconds())")
    defer { manager.notify("READY=1") }
    do {
      let old = open.withLock { $0 }
      let new = try await old.with(Setting(invocation))
      let jobs = try await new.hasRoots() ? new.jobs(for: []) : []
      try await service.serve(new.servedRoots(jobs), new.serviceSettings())
      open.withLock { $0 = new }
      takeOver(new)
      log.set(new.setting.configuration.logLevel)
      log.say("the configuration was read again", .info)
      warnOfLaterKeys(old.setting.configuration, new.setting.configuration)
    } catch {
      log.say("the old configuration stays in force, for the new one is bad:", .error)
      for line in Failure(error, database: nil).message.split(separator: "\n") {
        log.say(String(line), .error)
      }
    }
  }

  /// Other places and languages are for when the pass that is under way has ended, since it knows
  /// the old ones.
  private func takeOver(_ new: OpenIndex) {
    service.runBetweenPasses { [service, log] in
      service.use(new.atlas)
      do {
        guard try await new.takeOver() else { return }
        log.say("the photos have the names of the new places and languages", .info)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let message = Failure(error, database: nil).message
        log.say("naming the photos anew: \(message); the next start or reload goes on", .error)
      }
    }
  }

  private func warnOfLaterKeys(_ old: Configuration, _ new: Configuration) {
    let keys = [
      ("database", old.database != new.database),
      ("watch_share", old.watchShare != new.watchShare),
    ].filter(\.1).map(\.0)
    guard !keys.isEmpty else { return }
    log.say("in force from the next start on: \(keys.joined(separator: ", "))", .warning)
  }

  private func answer(_ message: [UInt8], _ caller: Caller) async {
    switch ControlRequest(message: message) {
    case .status:
      let decoder = await open.withLock { $0.decoder }.description()
      caller.send(
        .status(
          LiveStatus(pid: Int(processIdentifier()), activity: log.activity, decoder: decoder)))
    case .rescan(let rescan):
      await reportingFailure(to: caller) { try await self.rescan(rescan, caller) }
    case .change(let change):
      await reportingFailure(to: caller) { try await self.change(change, caller) }
    case .resume(let root):
      await reportingFailure(to: caller) { try await resume(root, caller) }
    case nil:
      caller.send(.error("the running service does not understand this request"))
      caller.send(.end(ExitStatus.usage.rawValue))
    }
  }

  private func reportingFailure(to caller: Caller, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      let failure = Failure(error, database: nil)
      for line in failure.message.split(separator: "\n") { caller.send(.error(String(line))) }
      caller.send(.end(failure.status.rawValue))
    }
  }

  /// Changes the index, then serves the roots that are left, under the names that they have now.
  private func change(_ change: ControlRequest.Change, _ caller: Caller) async throws {
    try caller.check(change)
    let setting = try Setting(invocation)
    let answer = try await change.carryOut(in: open.withLock { $0.index }, setting) {
      caller.send(.error($0))
    }
    caller.send(.output(answer))
    caller.send(.end(ExitStatus.done.rawValue))
    switch change {
    case .forget, .rename: await reload()
    case .forgetMissing, .accept: return
    }
  }

  private func resume(_ name: String, _ caller: Caller) async throws {
    guard caller.isOwner else {
      throw Failure(.noPermission, "only root and the service's own user may resume a root")
    }
    let (root, said) = try await photoindexd.resume(name, in: open.withLock { $0.index })
    service.resume(root)
    caller.send(.output(said))
    caller.send(.end(ExitStatus.done.rawValue))
  }

  private func rescan(_ rescan: ControlRequest.Rescan, _ caller: Caller) async throws {
    let open = open.withLock { $0 }
    try caller.check(rescan)
    let known = try await open.jobs(for: [])
    let isNew = rescan.directories.contains { target in
      !known.contains { contains(realRoot($0.root.path), target) }
    }
    guard !isNew || caller.isOwner else {
      throw Failure(.noPermission, "only the service's own user may give it another root")
    }
    let jobs = try await open.jobs(for: rescan.directories)
    try rescan.check(jobs)
    if isNew {
      try await service.serve(open.servedRoots(open.jobs(for: [])), open.serviceSettings())
    }
    let reply = RescanReply(caller)
    var parts: [ScanRequest.Part] = []
    for job in jobs {
      if let reason = open.leftOut(job) {
        reply.leaveOut("\(job.scope): left out of root \(job.root.name) by \(reason)")
      } else {
        parts.append(ScanRequest.Part(root: job.root.id, scope: job.scope))
      }
    }
    let removable = Set(jobs.filter { $0.configured?.removable == true }.map(\.root.name))
    service.request(
      ScanRequest(
        parts: parts, hashes: rescan.hashes, confirmedRoot: rescan.confirmedRoot,
        acceptedRoot: rescan.acceptedRoot, scrubs: rescan.scrubs,
        answer: { reply.note($0, removable) }))
  }

  /// Shows, again and again, that the index answers.
  func beat() async throws {
    let interval = (manager.watchdog ?? .seconds(3600)) / 4
    let index = open.withLock { $0.index }
    while true {
      try await rest(for: interval)
      _ = try await index.meta("index_uuid")
      lastBeat.withLock { $0 = .now }
    }
  }

  /// Tells the service manager that we live, unless the index does not answer any more.
  func showLife() {
    guard let watchdog = manager.watchdog, .now - lastBeat.withLock({ $0 }) < watchdog else {
      return
    }
    manager.notify("WATCHDOG=1")
  }
}
