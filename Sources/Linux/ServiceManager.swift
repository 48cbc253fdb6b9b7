import CLinux
import Glibc

/// systemd, if it is what started this process and wants to hear of it (sd_notify(3)).
package struct ServiceManager: Sendable {
  private let address: [UInt8]?
  /// How often it wants a sign of life; nil when it does not ask for one.
  package let watchdog: Duration?

  /// By what the environment says, as `variable` tells it.
  package init(_ variable: (String) -> String? = environment) {
    address = variable("NOTIFY_SOCKET").map { Array($0.utf8) }
    // The variable may be meant for the process that started this one.
    let isOurs = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let wanted = variable("WATCHDOG_USEC").flatMap(Int64.init).map(Duration.microseconds)
    watchdog = isOurs ? wanted : nil
  }

  /// Tells it lines such as `READY=1`. Where that fails nobody can be told.
  package func notify(_ lines: String...) {
    guard let address, let (name, length) = socketAddress(address) else { return }
    let raw = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return }
    let socket = FileDescriptor(owning: raw)
    let text = Array(lines.joined(separator: "\n").utf8)
    withSocketAddress(name) {
      _ = sendto(socket.raw, text, text.count, CInt(MSG_NOSIGNAL), $0, length)
    }
  }
}

/// The address of a Unix socket; a leading `@` stands for the NUL of the abstract ones. Returns nil
/// when it is too long.
func socketAddress(_ path: [UInt8]) -> (sockaddr_un, socklen_t)? {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
  if path.first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
  // The NUL at the end belongs to a path; to an abstract name it would be one more character.
  let end = path.first == UInt8(ascii: "@") ? 0 : 1
  return (address, socklen_t(MemoryLayout<sa_family_t>.size + path.count + end))
}

func withSocketAddress<Result>(
  _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> Result
) -> Result {
  withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
  }
}
