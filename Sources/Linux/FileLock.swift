import Glibc
import Model

/// A lock that one process at a time holds on a file, for as long as this value lives. The kernel
/// gives it back when the process ends, however it ends (flock(2)).
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Returns nil when another process holds the lock; `holder` then tells its pid.
  package init?(path: [UInt8]) throws(SystemError) {
    // Made so that in a directory which hands its group on all of the group can lock it.
    try ensurePrivateFile(at: path)
    let raw = try system("open", on: printable(path)) {
      path.withCString { open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
    }
    let descriptor = FileDescriptor(owning: raw)
    if flock(descriptor.raw, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EWOULDBLOCK { return nil }
      throw SystemError(call: "flock", subject: printable(path), code: code)
    }
    self.descriptor = descriptor
    note([])
  }

  /// Writes down our pid, and the path at which we can be reached.
  package borrowing func note(_ socket: [UInt8]) {
    let text = Array("\(getpid())\n".utf8) + socket + (socket.isEmpty ? [] : Array("\n".utf8))
    _ = ftruncate(descriptor.raw, 0)
    _ = pwrite(descriptor.raw, text, text.count, 0)
  }

  /// The pid that the holder of the lock wrote down.
  package static func holder(path: [UInt8]) -> Int? {
    lines(of: path).first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// The path at which the holder of the lock said that it can be reached; nil when it cannot.
  package static func socket(path: [UInt8]) -> [UInt8]? {
    lines(of: path).dropFirst().first.map { Array($0) }
  }

  private static func lines(of path: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let file = try? OpenFile(absolutePath: path) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 8192)
    guard let count = try? file.read(at: 0, into: &bytes) else { return [] }
    return bytes[..<count].split(separator: UInt8(ascii: "\n"), maxSplits: 1).map {
      $0.last == UInt8(ascii: "\n") ? $0.dropLast() : $0
    }
  }
}
