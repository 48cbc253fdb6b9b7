import Glibc
import Model

/// A variable of the environment; nil when it is not set, or empty, which means the same to all
/// that we ask for (XDG Base Directory Specification).
package func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}

/// The user's home, by the environment, else by the user database.
package func homeDirectory() -> String? {
  if let home = environment("HOME") { return home }
  guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
  return String(cString: home)
}

/// The absolute path without symbolic links, `.` and `..` (realpath(3)).
package func realPath(_ path: [UInt8]) throws(SystemError) -> [UInt8] {
  guard let resolved = path.withCString({ realpath($0, nil) }) else {
    throw SystemError(call: "realpath", subject: printable(path), code: errno)
  }
  defer { free(resolved) }
  return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
}

/// Where this program's file is, links resolved.
package func executablePath() throws(SystemError) -> [UInt8] {
  try realPath(Array("/proc/self/exe".utf8))
}

/// Whether the process has a terminal to show its progress on.
package func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

/// Whether something that this process may read is at the path.
package func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

/// The user that this process acts as.
package func effectiveUser() -> UInt32 { geteuid() }

/// This process's number.
package func processIdentifier() -> Int32 { getpid() }

/// What `RELOADING=1` has to be told with: the microseconds since the machine started.
package func monotonicMicroseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
}
