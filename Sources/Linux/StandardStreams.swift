import Glibc

/// Writes text to standard error; where even that fails there is nobody left to tell. (The C
/// variable `stderr` is shared mutable state, which Swift 6 rejects; its number is not.)
package func printError(_ text: String) {
  try? writeAll(text, to: STDERR_FILENO, "standard error")
}

/// Writes text to standard output. A reader that has gone away, as `head` does, is no error.
package func printOutput(_ text: String) throws(SystemError) {
  do throws(SystemError) {
    try writeAll(text, to: STDOUT_FILENO, "standard output")
  } catch {
    if error.code != EPIPE { throw error }
  }
}

private func writeAll(
  _ text: String, to descriptor: CInt, _ name: String
) throws(SystemError) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = try system("write", on: name) {
      rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
    rest = rest.dropFirst(count)
  }
}

/// All of standard input, line by line, without the line ends.
package func forEachInputLine(_ body: (String) throws -> Void) rethrows {
  while let line = readLine(strippingNewline: true) { try body(line) }
}

/// Ends the process at once with a status.
package func endProcess(_ status: Int32) -> Never {
  exit(status)
}

/// A pipe whose reader has gone is an error of a write, not the end of the process.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
