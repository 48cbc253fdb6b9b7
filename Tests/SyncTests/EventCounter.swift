import Sync
import Synchronization

/// Counts what a pass reports.
final class EventCounter: Sendable {
  private let waits = Mutex(0)
  private let sidecars = Mutex(0)

  func count(_ event: SyncEvent) {
    if case .settling = event { waits.withLock { $0 += 1 } }
    if case .unreadSidecar = event { sidecars.withLock { $0 += 1 } }
  }

  var settlings: Int { waits.withLock { $0 } }
  var unreadSidecars: Int { sidecars.withLock { $0 } }
}
