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
  package var message: String { String(cString: strerror(code)) }
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
