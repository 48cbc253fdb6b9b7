import Linux
import Model
import Service
import Sync
import Synchronization

/// Who has connected, and what they may ask for.
final class Caller: Sendable {
  private let connection: UnixConnection
  let isOwner: Bool
  let readiness: Readiness

  init(_ connection: consuming UnixConnection) {
    readiness = connection.readiness
    let user = (try? connection.peer())?.user
    isOwner = user == 0 || user == effectiveUser()
    self.connection = connection
  }

  func receive() -> UnixConnection.Received { connection.receive() }

  @discardableResult
  func send(_ answer: ControlAnswer) -> Bool { connection.send(answer.message) }

  /// Members of the group may ask for scans; what takes photos out of the index is another matter.
  func check(_ rescan: ControlRequest.Rescan) throws {
    guard isOwner || rescan.confirmedRoot == nil && rescan.acceptedRoot == nil else {
      throw Failure(
        .noPermission,
        "only root and the service's own user may confirm removals or accept a file system")
    }
  }

  func check(_ change: ControlRequest.Change) throws {
    guard isOwner else {
      throw Failure(
        .noPermission,
        "only root and the service's own user may forget photos, rename a root or accept a file")
    }
  }
}

/// Passes on to a caller what comes of a scan.
final class RescanReply: Sendable {
  private let caller: Caller
  private let worst = Mutex(ExitStatus.done)
  private let lastProgress = Mutex(Timestamp(nanoseconds: 0))

  init(_ caller: Caller) {
    self.caller = caller
  }

  func leaveOut(_ line: String) {
    caller.send(.error(line))
    note(.noInput)
  }

  private func note(_ status: ExitStatus) {
    worst.withLock { $0 = mostSevere($0, status) }
  }

  func note(_ answer: ScanRequest.Answer, _ removable: Set<String>) {
    switch answer {
    case .progress(let event): show(event)
    case .finished(let root, let summary):
      caller.send(.output(describe(summary, of: root)))
      note(exitStatus(of: summary, isRemovable: removable.contains(root)))
    case .failed(let root, let error):
      let failure = Failure(error, database: nil)
      caller.send(.error("root \(root): \(failure.message)"))
      note(failure.status)
    case .end: caller.send(.end(worst.withLock { $0 }.rawValue))
    }
  }

  /// Ten times a second at most.
  private func show(_ event: SyncEvent) {
    guard let step = ProgressStep(event) else { return }
    let isDue = lastProgress.withLock { last in
      let now = wallClock()
      guard now - last >= .milliseconds(100) else { return false }
      last = now
      return true
    }
    if isDue { caller.send(.progress(step)) }
  }
}

/// Waits for all that comes from outside: the kernel's events, signals, callers, and the clock.
final class Reception: Sendable {
  private let signals: Signals
  private let listener: UnixListener
  private let desk: ServiceDesk
  private let isEnding = Atomic(false)

  init(
    _ signals: consuming Signals, _ listener: consuming UnixListener, _ desk: ServiceDesk
  ) {
    self.signals = signals
    self.listener = listener
    self.desk = desk
  }

  /// Returns when a signal asks for the end.
  func attend() async throws {
    try await withTaskCancellationHandler {
      try await onThread { try self.wait() }
    } onCancel: {
      isEnding.store(true, ordering: .relaxed)
      desk.service.wake()
    }
  }

  private func wait() throws {
    var callers: [Caller] = []
    var nextLife = ContinuousClock.now
    let interval = desk.manager.watchdog.map { $0 / 2 }
    while !isEnding.load(ordering: .relaxed) {
      if let interval, nextLife <= .now {
        desk.showLife()
        nextLife = .now + interval
      }
      let sources = desk.service.sources + callers.map(\.readiness)
      let untilLife = interval.map { _ in max(.zero, nextLife - .now) }
      let time = [desk.service.timeLeft, untilLife].compactMap(\.self).min()
      let ready = try Linux.wait(
        for: sources + [signals.readiness, listener.readiness], atMost: time)
      if ready.contains(signals.readiness), isAskedToStop() { return }
      let isNews = desk.service.attend(ready)
      callers.removeAll { ready.contains($0.readiness) && !take($0) }
      while callers.count < mostCallers, let caller = listener.accept() {
        callers.append(Caller(caller))
      }
      // More is likely to come at once, and better taken in together.
      if isNews { _ = try Linux.wait(for: [signals.readiness], atMost: .milliseconds(10)) }
    }
  }

  private func isAskedToStop() -> Bool {
    let received = signals.read()
    if received.contains(.hangup) { desk.take(.reload) }
    return received.contains(.terminate) || received.contains(.interrupt)
  }

  /// Returns whether more may come from the caller.
  private func take(_ caller: Caller) -> Bool {
    switch caller.receive() {
    case .message(let message):
      desk.take(.message(message, caller))
      return true
    case .nothingYet: return true
    case .end: return false
    }
  }
}

/// More than that have to wait.
private let mostCallers = 32
