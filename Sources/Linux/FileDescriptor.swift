import Glibc

/// An open file descriptor. It has one owner, and closes when that owner goes away.
package struct FileDescriptor: ~Copyable, Sendable {
  package let raw: CInt

  package init(owning raw: CInt) {
    self.raw = raw
  }

  /// Hands it over to another owner.
  consuming func release() -> CInt {
    let raw = raw
    discard self
    return raw
  }

  deinit {
    close(raw)
  }
}
