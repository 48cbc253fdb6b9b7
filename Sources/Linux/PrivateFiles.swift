import Glibc
import Model

/// Makes an empty file that only its owner can read, unless there is a file already.
package func ensurePrivateFile(at path: [UInt8]) throws(SystemError) {
  let raw = try system("open", on: printable(path)) {
    path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600) }
  }
  _ = FileDescriptor(owning: raw)
}

/// Makes a directory, and those above it, that only their owner can enter, unless they are there.
package func ensurePrivateDirectory(at path: [UInt8]) throws(SystemError) {
  let ends = path.indices.dropFirst().filter { path[$0] == UInt8(ascii: "/") } + [path.endIndex]
  for end in ends {
    let partial = Array(path[..<end])
    guard partial.withCString({ mkdir($0, 0o700) }) != 0 else { continue }
    let code = errno
    if code == EEXIST || code == EISDIR { continue }
    // On a read-only file system an existing directory can answer EROFS instead.
    if code == EROFS || code == EACCES, partial.withCString({ access($0, X_OK) }) == 0 { continue }
    throw SystemError(call: "mkdir", subject: printable(partial), code: code)
  }
}
