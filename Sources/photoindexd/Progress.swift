import IndexStore
import Linux
import Model
import Sync
import Synchronization

/// Tells a person at a terminal how far a pass has come, once in a tenth of a second; elsewhere,
/// in a journal say, one line a minute.
final class Progress: Sendable {
  private struct State {
    var phaseStart = wallClock()
    var phase = ""
    var lastShown = Timestamp(nanoseconds: 0)
    var isLineOpen = false
    var failures = 0
  }

  private let state = Mutex(State())
  private let level: Configuration.LogLevel
  private let interval: Duration
  private let onTerminal: Bool

  init(level: Configuration.LogLevel) {
    self.level = level
    onTerminal = isTerminal(2)
    interval = onTerminal ? .milliseconds(100) : .seconds(60)
    state.withLock { $0.lastShown = onTerminal ? Timestamp(nanoseconds: 0) : wallClock() }
  }

  func report(_ event: SyncEvent) {
    switch event {
    case .surveying(let directories, let files):
      show("listing") { _ in "\(grouped(files)) photos in \(grouped(directories)) directories" }
    case .reading(let done, let total): show("reading", done, total)
    case .hashing(let done, let total): show("hashing", done, total)
    case .verifying(let done, let total): show("verifying", done, total)
    case .labelling(let done, let total): show("naming places", done, total)
    case .settling(let time):
      show("waiting") { _ in "for files that may still be written to, \(time)" }
    case .unreadable(let directory):
      say("\(directory.path): \(directory.message); what it held stays in the index", .warning)
    case .failed(let path, let failure):
      reportFailure(path, "\(failure.reason.rawValue): \(failure.message)")
    case .unreadSidecar(let path, let note): reportFailure(path, "sidecar: \(note)")
    case .suspect(let path, let kind): reportFailure(path, kind.message)
    }
  }

  /// Ends the line that a terminal shows.
  func finish() {
    state.withLock { state in
      if state.isLineOpen { printError("\r\u{1b}[K") }
      state.isLineOpen = false
    }
  }

  private func show(_ phase: String, _ done: Int, _ total: Int) {
    show(phase) { elapsed in
      let rate = Double(done) / max(elapsed, 0.001)
      let left = rate > 0 && total > done ? ", \(shortTime(Double(total - done) / rate)) left" : ""
      return "\(grouped(done)) of \(grouped(total)), \(grouped(Int(rate)))/s" + left
    }
  }

  private func show(_ phase: String, _ text: (Double) -> String) {
    guard level >= .info else { return }
    state.withLock { state in
      let now = wallClock()
      if state.phase != phase { (state.phase, state.phaseStart) = (phase, now) }
      guard now - state.lastShown >= interval else { return }
      state.lastShown = now
      let line = "\(phase) " + text((now - state.phaseStart) / .seconds(1))
      if onTerminal { printError("\r\u{1b}[K\(line)") } else { printLog(line, .info) }
      state.isLineOpen = onTerminal
    }
  }

  /// A folder full of broken files must not bury what else there is to say.
  private func reportFailure(_ path: RelativePath, _ message: String) {
    let count = state.withLock { state in
      state.failures += 1
      return state.failures
    }
    if count <= 20 { say("\(path): \(message)", .warning) }
    if count == 21 {
      say("more files could not be read; photoindexd --status counts them", .warning)
    }
  }

  private func say(_ line: String, _ lineLevel: Configuration.LogLevel) {
    guard level >= lineLevel else { return }
    finish()
    printLog(line, lineLevel)
  }
}

extension SuspectKind {
  /// What there is to say of such a file.
  var message: String {
    switch self {
    case .corrupt:
      "corrupt: its bytes have changed, but nothing else; restore it, or take it with --accept"
    case .replaced: "replaced: other bytes under the same size and time"
    case .damaged: "damaged: it is not whole any more, or cannot be read"
    }
  }
}

/// 1234567 as "1,234,567".
func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

func shortTime(_ seconds: Double) -> String {
  let whole = Int(seconds.rounded(.up))
  if whole < 120 { return "\(whole) s" }
  return whole < 7200 ? "\(whole / 60) min" : "\(whole / 3600) h"
}
