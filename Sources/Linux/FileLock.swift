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
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor.raw, 0)
    _ = pwrite(descriptor.raw, text, text.count, 0)
    self.descriptor = descriptor
  }

  /// The pid that the holder of the lock wrote down.
  package static func holder(path: [UInt8]) -> Int? {
    guard let file = try? OpenFile(absolutePath: path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 20)
    guard let count = try? file.read(at: 0, into: &bytes) else { return nil }
    let digits = bytes[..<count].prefix { (0x30...0x39).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
