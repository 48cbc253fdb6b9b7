import IndexStore
import Linux
import Model
import Service
import Sync
import Synchronization
import Watch

/// Tells an administrator, and the service manager, what the service does. What repeats itself is
/// told once an hour.
final class ServiceLog: Sendable {
  private struct State {
    var level: Configuration.LogLevel
    var isReady = false
    var activity = "starting"
    var toldActivity = ""
    var toldAt = Timestamp(nanoseconds: 0)
    /// When a fault was told, and how often it has come again since.
    var faults: [String: (told: Timestamp, repeated: Int)] = [:]
    var phase = ""
    var phaseStart = Timestamp(nanoseconds: 0)
    var hasToldRemedy = false
  }

  private let state: Mutex<State>
  private let manager: ServiceManager
  private let budget: WatchBudget
  private let share: Double

  init(
    _ manager: ServiceManager, _ budget: WatchBudget, share: Double,
    level: Configuration.LogLevel
  ) {
    self.manager = manager
    self.budget = budget
    self.share = share
    state = Mutex(State(level: level))
  }

  func set(_ level: Configuration.LogLevel) { state.withLock { $0.level = level } }

  var activity: String { state.withLock { $0.activity } }

  func report(_ event: ServiceEvent) {
    switch event {
    case .scanning(let root, let reason):
      begin()
      say("root \(root): scan begins (\(reason.rawValue))", .info)
    case .progress(let root, let event): reportProgress(root, event)
    case .finished(let root, let isScan, let summary):
      for line in describe(summary, of: root).split(separator: "\n") {
        if line.hasPrefix("\(root): held: ") {
          // Each pass finds it again, with other numbers.
          fault("root \(line)", .warning, key: line.filter { !$0.isNumber })
        } else {
          say("root \(line)", isScan ? .info : .debug)
        }
      }
    case .online(let root): say("root \(root): there again", .info)
    case .covered(let root, let coverage): reportCoverage(root, coverage)
    case .failed(let root, let error):
      let failure = Failure(error, database: nil)
      fault("root \(root): \(failure.message); it is tried again in a while", .error)
    case .idle: show("watching \(grouped(budget.count)) directories", now: true)
    }
  }

  /// The index is open, and the first scan has begun.
  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isReady = true }
      return !state.isReady
    }
    if isFirst { manager.notify("READY=1") }
  }

  private func reportProgress(_ root: String, _ event: SyncEvent) {
    switch event {
    case .unreadable(let directory):
      fault(
        "root \(root): \(directory.path): \(directory.message); what it held stays in the index",
        .warning)
    case .failed(let path, let failure):
      fault("root \(root): \(path): \(failure.reason.rawValue): \(failure.message)", .warning)
    case .unreadSidecar(let path, let note):
      fault("root \(root): \(path): sidecar: \(note)", .warning)
    case .surveying(_, let files): show("root \(root): listing, \(grouped(files)) photos")
    case .reading(let done, let total): show(root, "reading", done, total)
    case .hashing(let done, let total): show(root, "hashing", done, total)
    case .verifying(let done, let total): show(root, "verifying", done, total)
    case .suspect(let path, let kind): fault("root \(root): \(path): \(kind.message)", .warning)
    case .labelling(let done, let total): show(root, "naming places", done, total)
    case .settling: show("root \(root): waiting for files that may still be written to")
    }
  }

  private func show(_ root: String, _ phase: String, _ done: Int, _ total: Int) {
    let key = root + phase
    let elapsed = state.withLock { state in
      let now = wallClock()
      if state.phase != key { (state.phase, state.phaseStart) = (key, now) }
      return (now - state.phaseStart) / .seconds(1)
    }
    let rate = Double(done) / max(elapsed, 0.001)
    let left = total > done ? ", \(shortTime(Double(total - done) / max(rate, 0.001))) left" : ""
    show("root \(root): \(phase) \(grouped(done)) of \(grouped(total))" + left)
  }

  /// The service manager hears of it once a second at most.
  private func show(_ activity: String, now isNow: Bool = false) {
    let isDue = state.withLock { state in
      state.activity = activity
      let now = wallClock()
      guard isNow || now - state.toldAt >= .seconds(1), activity != state.toldActivity else {
        return false
      }
      (state.toldAt, state.toldActivity) = (now, activity)
      return true
    }
    if isDue { manager.notify("STATUS=" + activity) }
  }

  private func reportCoverage(_ root: String, _ coverage: WatchCoverage) {
    guard let reason = coverage.reason(budget) else { return }
    fault(
      "root \(root): \(reason); what is not watched is looked at now and then", .warning,
      key: "coverage \(root)")
    guard !coverage.unwatched.isEmpty, coverage.failure == nil || budget.limit != nil else {
      return
    }
    let isFirst = state.withLock { state in
      defer { state.hasToldRemedy = true }
      return !state.hasToldRemedy
    }
    guard isFirst else { return }
    let limit = budget.sufficientLimit(
      for: budget.count + coverage.unwatched.count, share: max(share, 0.01))
    say(
      "to have all watched: echo fs.inotify.max_user_watches=\(limit) "
        + "> /etc/sysctl.d/60-photoindexd.conf && sysctl --system, then restart the service",
      .warning)
  }

  /// Says what may come again and again; `key` tells what is the same, though in other words.
  private func fault(_ text: String, _ level: Configuration.LogLevel, key: String? = nil) {
    let key = key ?? text
    let line: String? = state.withLock { state in
      let now = wallClock()
      if let known = state.faults[key], now - known.told < .seconds(3600) {
        state.faults[key]?.repeated += 1
        return nil
      }
      let repeated = state.faults[key]?.repeated ?? 0
      if state.faults.count > 1000 { state.faults = [:] }
      state.faults[key] = (now, 0)
      return repeated > 0 ? text + " (\(repeated) times more since it was said last)" : text
    }
    if let line { say(line, level) }
  }

  func say(_ line: String, _ level: Configuration.LogLevel) {
    guard state.withLock({ $0.level }) >= level else { return }
    printLog(line, level)
  }
}
