import Glibc
import Model

/// Makes an empty file that only its owner can read, unless there is a file already. In a
/// directory that hands its group on (set-group-ID), the group may read and write it, too: that is
/// how an administrator shares one.
package func ensurePrivateFile(at path: [UInt8]) throws(SystemError) {
  let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
  let made = path.withCString { open($0, flags | O_CREAT | O_EXCL, 0o600) }
  guard made == -1 else {
    let descriptor = FileDescriptor(owning: made)
    // Not by the mode of open(2), which the umask would cut.
    if handsGroupOn(directoryOf: path) { fchmod(descriptor.raw, 0o660) }
    return
  }
  let raw = try system("open", on: printable(path)) { path.withCString { open($0, flags) } }
  _ = FileDescriptor(owning: raw)
}

/// Takes a file away that nobody needs any more; that it is not there is no error.
package func removeFile(at path: [UInt8]) {
  _ = path.withCString { unlink($0) }
}

/// Makes an empty file that only its owner can read, where nothing may be yet.
package func makePrivateFile(at path: [UInt8]) throws(SystemError) {
  let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
  let raw = try system("open", on: printable(path)) { path.withCString { open($0, flags, 0o600) } }
  _ = FileDescriptor(owning: raw)
}

/// Whether the directory hands its group on, with all that the group needs to use it.
package func handsGroupOn(directoryOf path: [UInt8]) -> Bool {
  let end = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
  var status = stat()
  let result = Array(path[..<end] + [UInt8(ascii: "/")]).withCString { stat($0, &status) }
  let wanted = S_ISGID | S_IRGRP | S_IWGRP | S_IXGRP
  return result == 0 && status.st_mode & wanted == wanted
}

/// The size of the file at the path, through links; nil when nothing is there. What is no regular
/// file, a FIFO say, is EINVAL: to open it could take for ever.
package func fileSize(at path: [UInt8]) throws(SystemError) -> Int64? {
  var status = stat()
  guard path.withCString({ stat($0, &status) }) != 0 else {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(call: "stat", subject: printable(path), code: EINVAL)
    }
    return Int64(status.st_size)
  }
  let error = SystemError(call: "stat", subject: printable(path), code: errno)
  guard error.reason == .notThere else { throw error }
  return nil
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
