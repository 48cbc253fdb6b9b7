import Glibc
import Model

/// Writes text to standard error; where even that fails there is nobody left to tell. (The C
/// variable `stderr` is shared mutable state, which Swift 6 rejects; its number is not.)
package func printError(_ text: String) {
  try? writeAll(Array(text.utf8), to: STDERR_FILENO, "standard error")
}

/// Writes text to standard output. A reader that has gone away, as `head` does, is no error: the
/// answer is then false.
@discardableResult
package func printOutput(_ text: String) throws(SystemError) -> Bool {
  try printOutput(bytes: Array(text.utf8))
}

/// Writes bytes to standard output, such as paths that are not UTF-8.
@discardableResult
package func printOutput(bytes: [UInt8]) throws(SystemError) -> Bool {
  do throws(SystemError) {
    try writeAll(bytes, to: STDOUT_FILENO, "standard output")
    return true
  } catch {
    if error.code != EPIPE { throw error }
    return false
  }
}

/// All of standard input, up to so many bytes.
package func standardInput(atMost limit: Int64) throws(SystemError) -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  var bytes: [UInt8] = []
  while true {
    let count = try system("read", on: "standard input") {
      buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    }
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
    guard bytes.count <= limit else {
      throw SystemError(call: "read", subject: "standard input", code: EFBIG)
    }
  }
}

func writeAll(
  _ bytes: [UInt8], to descriptor: CInt, _ name: String
) throws(SystemError) {
  var rest = bytes[...]
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
  try forEachLine(of: STDIN_FILENO, "standard input", limit: limit, body)
}

/// The same of a file.
package func forEachLine(
  ofFile path: [UInt8], limit: Int = 1024, _ body: (String) throws -> Void
) throws {
  let raw = try system("open", on: printable(path)) {
    path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
  }
  let descriptor = FileDescriptor(owning: raw)
  try forEachLine(of: descriptor.raw, printable(path), limit: limit, body)
}

private func forEachLine(
  of descriptor: CInt, _ name: String, limit: Int, _ body: (String) throws -> Void
) throws {
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  var line: [UInt8] = []
  while true {
    let count = try system("read", on: name) {
      buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
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
///
/// The handlers of exit(3) would take libcrypto and the Swift runtime away from threads that are still
/// letting go of what they had.
package func endProcess(_ status: Int32) -> Never {
  fflush(nil)
  _exit(status)
}

/// A pipe whose reader has gone is an error of a write, not the end of the process.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
