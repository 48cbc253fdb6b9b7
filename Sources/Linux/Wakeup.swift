import CLinux
import Glibc

/// Wakes whoever waits for it, from any thread (eventfd(2)).
package struct Wakeup: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let raw = try system("eventfd", on: "wake-up") {
      eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: raw)
  }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  package borrowing func signal() {
    eventfd_write(descriptor.raw, 1)
  }

  /// Makes it wait for the next signal.
  package borrowing func clear() {
    var count: eventfd_t = 0
    eventfd_read(descriptor.raw, &count)
  }
}
