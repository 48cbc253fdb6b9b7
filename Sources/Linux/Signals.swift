import CLinux
import Glibc

/// Signals as values, in place of what they do by default (signalfd(2)).
package struct Signals: ~Copyable, Sendable {
  package enum Signal: CInt, Hashable, Sendable {
    case hangup = 1
    case interrupt = 2
    case terminate = 15
  }

  private let descriptor: FileDescriptor

  /// Call it on the main thread, before there are others: a thread inherits what is blocked, and a
  /// signal goes to any thread that does not block it.
  package init(_ signals: [Signal]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.rawValue) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let raw = try system("signalfd", on: "signals") {
      signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: raw)
  }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  /// Those that came since the last call.
  package borrowing func read() -> [Signal] {
    var signals: [Signal] = []
    var info = signalfd_siginfo()
    while Glibc.read(descriptor.raw, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
      if let signal = Signal(rawValue: CInt(info.ssi_signo)) { signals.append(signal) }
    }
    return signals
  }
}
