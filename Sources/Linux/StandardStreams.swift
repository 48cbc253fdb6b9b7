import Glibc

/// Writes text to standard error. (The C variable `stderr` is shared mutable state, which Swift 6
/// rejects; its number is not.)
package func printError(_ text: String) {
  writeAll(text, to: STDERR_FILENO)
}

/// Writes text to standard output. A reader that has gone away, as `head` does, is no error.
package func printOutput(_ text: String) {
  writeAll(text, to: STDOUT_FILENO)
}

private func writeAll(_ text: String, to descriptor: CInt) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// All of standard input, line by line, without the line ends.
package func forEachInputLine(_ body: (String) -> Void) {
  while let line = readLine(strippingNewline: true) { body(line) }
}

/// Ends the process at once with a status.
package func endProcess(_ status: Int32) -> Never {
  exit(status)
}

/// A pipe whose reader has gone is an error of a write, not the end of the process.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
