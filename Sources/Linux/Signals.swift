import CLinux
import Glibc

/// Signals as values, in place of what they do by default.
///
/// By a handler and a pipe: signalfd(2) wants them blocked in every thread, and the main thread takes
/// them. There can be one of these in a process.
package struct Signals: ~Copyable, Sendable {
  package enum Signal: CInt, Hashable, Sendable {
    case hangup = 1
    case interrupt = 2
    case terminate = 15
  }

  private let source: FileDescriptor
  private let sink: FileDescriptor

  package init(_ signals: [Signal]) throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    _ = try system("pipe", on: "signals") { pipe(&ends) }
    let source = FileDescriptor(owning: ends[0])
    let sink = FileDescriptor(owning: ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let raw = sink.raw
    for signal in signals {
      _ = try system("sigaction", on: "signals") {
        photoindexd_catch_signal(signal.rawValue, raw)
      }
    }
    self.source = source
    self.sink = sink
  }

  package var readiness: Readiness { Readiness(source.raw) }

  /// Those that came since the last call.
  package borrowing func read() -> [Signal] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(source.raw, $0.baseAddress, $0.count) }
    return bytes.prefix(max(0, count)).compactMap { Signal(rawValue: CInt($0)) }
  }
}
