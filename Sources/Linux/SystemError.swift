import Glibc

/// A failed system call: which one, on what, and why.
package struct SystemError: Error, Hashable {
  package let call: String
  package let subject: String
  package let code: CInt

  package init(call: String, subject: String, code: CInt) {
    self.call = call
    self.subject = subject
    self.code = code
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String { "\(subject): \(call): \(message)" }

  /// The C library's words for the code.
  package var message: String {
    let words = String(cString: strerror(code))
    guard call == "openat2", code == ENOSYS else { return words }
    return words + ": openat2 needs Linux 5.6, and a sandbox that lets it through "
      + "(systemd's RestrictSUIDSGID= does not)"
  }
}

/// Repeats `body` while a signal interrupts it, and throws when it returns −1.
func system<Result: SignedInteger>(
  _ call: String, on subject: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemError(call: call, subject: subject(), code: code) }
  }
}

extension SystemError {
  package enum Reason: Sendable {
    /// Nothing has the name, or something else than was asked for.
    case notThere
    case permission
    /// Somebody else holds it, by a lease for example.
    case busy
    /// We gave it up ourselves.
    case cancelled
    case other
  }

  package static func cancelled(on subject: String) -> SystemError {
    SystemError(call: "read", subject: subject, code: ECANCELED)
  }

  /// The path holds something that is no regular file.
  package var isNoRegularFile: Bool { call == "stat" && code == EINVAL }

  package var reason: Reason {
    switch code {
    case ENOENT, ENOTDIR, ELOOP, EXDEV, ENXIO, ENODEV, EISDIR: .notThere
    case EACCES, EPERM: .permission
    case EAGAIN: .busy
    case ECANCELED: .cancelled
    default: .other
    }
  }

  /// Whether it is the named object, or the storage of it, that fails: others may be read.
  package var isOfOneEntry: Bool {
    [EIO, ESTALE, EUCLEAN, EOVERFLOW, EBADMSG, EREMOTEIO].contains(code)
  }
}
