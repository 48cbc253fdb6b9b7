import Glibc
import Model

/// A regular file, open for reading.
package struct OpenFile: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  /// What the file was when it was opened.
  package let statusWhenOpened: Status

  /// In bytes.
  package var sizeWhenOpened: Int64 { statusWhenOpened.fingerprint.size }

  init(descriptor: consuming FileDescriptor) throws(SystemError) {
    statusWhenOpened = try statusOf(descriptor.raw, "open file")
    self.descriptor = descriptor
  }

  /// Opens the file at an absolute path.
  package init(absolutePath path: [UInt8]) throws(SystemError) {
    let raw = try system("open", on: printable(path)) {
      path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    }
    try self.init(descriptor: FileDescriptor(owning: raw))
  }

  /// A file that another process has opened, and says the size of.
  init(received descriptor: consuming FileDescriptor, size: Int64) {
    let none = Timestamp(nanoseconds: 0)
    statusWhenOpened = Status(
      kind: .file, fingerprint: Fingerprint(size: size, modified: none, changed: none, inode: 0),
      device: 0)
    self.descriptor = descriptor
  }

  var raw: CInt { descriptor.raw }

  package func status() throws(SystemError) -> Status {
    try statusOf(descriptor.raw, "open file")
  }

  /// Fills the start of `buffer` with the bytes from `offset` on, and returns how many there are:
  /// fewer than the buffer holds, or `limit` allows, only at the end of the file.
  package func read(
    at offset: Int64, into buffer: inout [UInt8], atMost limit: Int = .max
  ) throws(SystemError) -> Int {
    let wanted = min(buffer.count, limit)
    var filled = 0
    while filled < wanted {
      let count = try system("pread", on: "open file") {
        buffer.withUnsafeMutableBytes { bytes in
          pread(
            descriptor.raw, bytes.baseAddress! + filled, wanted - filled,
            off_t(offset) + off_t(filled))
        }
      }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }

  /// Has the kernel forget what it remembers of the file's bytes, and read them from the disk anew.
  package func forgetCached() {
    posix_fadvise(descriptor.raw, 0, 0, POSIX_FADV_DONTNEED)
  }

  /// Tells the kernel that the whole file will be read from front to back (posix_fadvise(2)).
  package func expectSequentialReading() {
    posix_fadvise(descriptor.raw, 0, 0, POSIX_FADV_SEQUENTIAL)
  }
}
