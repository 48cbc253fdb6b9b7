import Glibc
import Model

/// Memory that is mapped, not read: the 32-bit words of a file, or of a copy that no file holds.
///
/// The address is kept as a number, because a pointer is not Sendable; the words never change.
package final class MappedWords: Sendable {
  @usableFromInline let address: UInt
  package let count: Int
  private let byteCount: Int
  private let isOfFile: Bool

  private init(address: UnsafeMutableRawPointer, byteCount: Int, isOfFile: Bool) {
    self.address = UInt(bitPattern: address)
    self.byteCount = byteCount
    self.isOfFile = isOfFile
    count = byteCount / 4
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
  }

  /// Maps the regular file at an absolute path. It must be replaced by renaming, never cut short:
  /// the kernel answers a read beyond the new end with SIGBUS.
  package convenience init(file path: [UInt8]) throws(SystemError) {
    let raw = try system("open", on: printable(path)) {
      path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    }
    let descriptor = FileDescriptor(owning: raw)
    let status = try statusOf(descriptor.raw, printable(path))
    guard status.kind == .file, let size = Int(exactly: status.fingerprint.size) else {
      throw SystemError(call: "mmap", subject: printable(path), code: ENODEV)
    }
    let address = try map(size, PROT_READ, MAP_SHARED, descriptor.raw, printable(path))
    self.init(address: address, byteCount: size, isOfFile: true)
  }

  /// Maps anonymous memory that holds a copy of the words.
  package convenience init(copying words: [UInt32]) throws(SystemError) {
    let size = words.count * 4
    let address = try map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, "memory")
    _ = words.withUnsafeBytes { memcpy(address, $0.baseAddress!, size) }
    mprotect(address, size, PROT_READ)
    self.init(address: address, byteCount: size, isOfFile: false)
  }

  /// Lets go of the pages of a file that have been read. The kernel's cache keeps them for the next
  /// reading; but they do not count as memory of this process any more.
  package func leaveToCache() {
    // Anonymous pages would be lost.
    guard isOfFile else { return }
    madvise(UnsafeMutableRawPointer(bitPattern: address), byteCount, MADV_DONTNEED)
  }

  @inlinable
  package subscript(index: Int) -> UInt32 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
    return UnsafePointer<UInt32>(bitPattern: address).unsafelyUnwrapped[index]
  }

  /// Lends all words to `body`.
  @inlinable
  @inline(__always)
  package func withSpan<Result>(_ body: (Span<UInt32>) -> Result) -> Result {
    body(Span(_unsafeStart: UnsafePointer(bitPattern: address).unsafelyUnwrapped, count: count))
  }
}

private func map(
  _ size: Int, _ protection: CInt, _ flags: CInt, _ descriptor: CInt, _ subject: String
) throws(SystemError) -> UnsafeMutableRawPointer {
  guard let address = mmap(nil, size, protection, flags, descriptor, 0), address != MAP_FAILED
  else { throw SystemError(call: "mmap", subject: subject, code: errno) }
  return address
}
