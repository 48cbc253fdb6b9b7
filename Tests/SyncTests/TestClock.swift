import Linux
import Model
import Synchronization

/// The clock of a library: an hour ahead unless told otherwise, so that files just written are old.
final class TestClock: Sendable {
  private struct State {
    var ahead = Duration.seconds(3600)
    var frozen: Timestamp?
    var looksLeft: Int?
    var interruption: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var now: @Sendable () -> Timestamp {
    { self.look() }
  }

  func set(ahead: Duration) {
    state.withLock {
      $0.ahead = ahead
      $0.frozen = nil
    }
  }

  /// Stops at the true time of now.
  func freeze() {
    state.withLock { $0.frozen = wallClock() }
  }

  func interrupt(atLook count: Int, _ body: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.looksLeft = count
      $0.interruption = body
    }
  }

  /// Whether the interruption has come; none will come any more.
  func wasInterrupted() -> Bool {
    state.withLock {
      let left = $0.looksLeft
      $0.looksLeft = nil
      return left.map { $0 <= 0 } ?? false
    }
  }

  private func look() -> Timestamp {
    let interruption = state.withLock { state in
      guard let left = state.looksLeft else { return nil as (@Sendable () -> Void)? }
      state.looksLeft = left - 1
      return left == 1 ? state.interruption : nil
    }
    interruption?()
    return state.withLock { $0.frozen ?? wallClock() + $0.ahead }
  }
}
