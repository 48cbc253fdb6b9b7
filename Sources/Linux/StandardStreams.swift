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

/// All of standard input, line by line, without the line ends. What is longer than `limit` bytes is
/// cut off, so that no input takes more memory than a line should.
package func forEachInputLine(
  limit: Int = 1024, _ body: (String) throws -> Void
) throws {
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  var line: [UInt8] = []
  while true {
    let count = try system("read", on: "standard input") {
      buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    }
    guard count > 0 else { break }
    for byte in buffer[..<count] {
      if byte == UInt8(ascii: "\n") {
        try body(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      } else if line.count < limit {
        line.append(byte)
      }
    }
  }
  if !line.isEmpty { try body(String(decoding: line, as: UTF8.self)) }
}

/// Ends the process with a status after so much time, whatever still waits for a disk by then; at once
/// when there is no thread to wait on.
package func endProcess(_ status: Int32, after delay: Duration) {
  let code = startThread {
    pause(delay)
    _exit(status)
  }
  if code != 0 { _exit(status) }
}

/// Ends the process at once with a status.
package func endProcess(_ status: Int32) -> Never {
  exit(status)
}

/// A pipe whose reader has gone is an error of a write, not the end of the process.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
