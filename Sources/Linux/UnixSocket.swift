import CLinux
import Glibc
import Model

/// A socket that programs on this machine can reach by its path. It goes with its owner.
package struct UnixListener: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  private let place: SocketPlace

  /// Whatever socket was at the path before is replaced: make sure first, by a lock, that nobody
  /// listens there. `isForGroup`: whether the directory's group may connect, too.
  package init(path: [UInt8], isForGroup: Bool) throws(SystemError) {
    let place = try SocketPlace(path)
    try place.removeSocket()
    let descriptor = try newSocket(nonBlocking: true)
    let raw = descriptor.raw
    let address = try place.address()
    // Before it has a name, so that at no time anybody else could connect: bind(2) takes the mode
    // over, less the umask.
    let mode: mode_t = isForGroup ? 0o660 : 0o600
    _ = try system("fchmod", on: printable(path)) { fchmod(raw, mode) }
    _ = try system("bind", on: printable(path)) {
      withSocketAddress(address.0) { bind(raw, $0, address.1) }
    }
    _ = try system("fchmodat", on: printable(path)) {
      place.name.withCString { fchmodat(place.directory.raw, $0, mode, 0) }
    }
    _ = try system("listen", on: printable(path)) { listen(raw, 16) }
    self.place = place
    self.descriptor = descriptor
  }

  deinit {
    _ = place.name.withCString { unlinkat(place.directory.raw, $0, 0) }
  }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  /// The next one that wants to connect; nil when there is none any more.
  package borrowing func accept() -> UnixConnection? {
    let raw = Glibc.accept(descriptor.raw, nil, nil)
    guard raw >= 0 else { return nil }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    return UnixConnection(owning: raw)
  }
}

/// One end of a connection that keeps messages apart.
package struct UnixConnection: ~Copyable, Sendable {
  package struct Peer: Hashable, Sendable {
    package let process: Int32
    package let user: UInt32
    package let group: UInt32
  }

  private let descriptor: FileDescriptor

  fileprivate init(owning raw: CInt) {
    descriptor = FileDescriptor(owning: raw)
  }

  /// Connects to whoever listens at the path; waits for its answers.
  package init(connectingTo path: [UInt8]) throws(SystemError) {
    let place = try SocketPlace(path)
    let descriptor = try newSocket(nonBlocking: false)
    let address = try place.address()
    _ = try system("connect", on: printable(path)) {
      withSocketAddress(address.0) { connect(descriptor.raw, $0, address.1) }
    }
    self.descriptor = descriptor
  }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  /// Who has the other end, by the kernel's word.
  package borrowing func peer() throws(SystemError) -> Peer {
    var process: CInt = 0
    var (user, group): (UInt32, UInt32) = (0, 0)
    _ = try system("getsockopt", on: "peer") {
      photoindexd_peer(descriptor.raw, &process, &user, &group)
    }
    return Peer(process: process, user: user, group: group)
  }

  /// Sends one message. False: the other end has gone, or does not take any more.
  package borrowing func send(_ message: [UInt8]) -> Bool {
    let flags = CInt(MSG_NOSIGNAL)
    while true {
      let count = message.withUnsafeBytes {
        Glibc.send(descriptor.raw, $0.baseAddress, $0.count, flags)
      }
      if count == message.count { return true }
      guard count == -1, errno == EINTR else { return false }
    }
  }

  package enum Received: Hashable, Sendable {
    case message([UInt8])
    case nothingYet
    /// The other end has gone, or sent more than a message may have.
    case end
  }

  /// The next message, of at most 64 KB.
  package borrowing func receive() -> Received {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024 + 1)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        recv(descriptor.raw, $0.baseAddress, $0.count, 0)
      }
      if count > 0, count < buffer.count { return .message(Array(buffer[..<count])) }
      guard count == -1 else { return .end }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .nothingYet : .end
    }
  }
}

private func newSocket(nonBlocking: Bool) throws(SystemError) -> FileDescriptor {
  let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
  let raw = try system("socket", on: "unix") {
    socket(AF_UNIX, CInt(kind | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)), 0)
  }
  return FileDescriptor(owning: raw)
}

/// Where a socket has its name. An address has room for 107 bytes, a path may have 4,095: so the
/// directory is named by its descriptor.
private struct SocketPlace: ~Copyable, Sendable {
  let directory: FileDescriptor
  let name: [UInt8]
  private let path: [UInt8]

  init(_ path: [UInt8]) throws(SystemError) {
    self.path = path
    let end = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
    name = Array(path[(end + 1)...])
    let raw = try system("open", on: printable(path)) {
      (Array(path[..<end]) + [UInt8(ascii: "/")]).withCString {
        open($0, pathOnly | O_DIRECTORY | O_CLOEXEC)
      }
    }
    directory = FileDescriptor(owning: raw)
  }

  func address() throws(SystemError) -> (sockaddr_un, socklen_t) {
    guard let address = socketAddress(Array("/proc/self/fd/\(directory.raw)/".utf8) + name) else {
      throw SystemError(call: "socket name", subject: printable(path), code: ENAMETOOLONG)
    }
    return address
  }

  /// Only a socket is taken away.
  func removeSocket() throws(SystemError) {
    var status = stat()
    let found = name.withCString { fstatat(directory.raw, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard found == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError(call: "bind", subject: printable(path), code: EEXIST)
    }
    _ = try system("unlinkat", on: printable(path)) {
      name.withCString { unlinkat(directory.raw, $0, 0) }
    }
  }
}
