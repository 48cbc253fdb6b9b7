import Glibc

/// An open file descriptor. It has one owner, and closes when that owner goes away.
package struct FileDescriptor: ~Copyable, Sendable {
  package let raw: CInt

  package init(owning raw: CInt) {
    self.raw = raw
  }

  deinit {
    close(raw)
  }
}
