import Sync
import Synchronization

/// Counts what a pass reports.
final class EventCounter: Sendable {
  private let waits = Mutex(0)

  func count(_ event: SyncEvent) {
    if case .settling = event { waits.withLock { $0 += 1 } }
  }

  var settlings: Int { waits.withLock { $0 } }
}
