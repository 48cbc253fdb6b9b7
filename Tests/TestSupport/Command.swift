import Glibc
import Linux

/// Runs a program to its end; throws unless it succeeds.
package func run(_ arguments: [String]) throws {
  guard try Child(arguments).wait() == 0 else { throw TestSupportError(arguments[0]) }
}

/// What a program writes to its standard output; throws unless it ends as expected.
package func output(of arguments: [String], accepting statuses: Set<Int32> = [0]) throws -> String {
  let directory = try TemporaryDirectory()
  let child = try Child(arguments, output: directory.path + "/output")
  guard statuses.contains(try child.wait()) else { throw TestSupportError(arguments[0]) }
  return String(decoding: try directory.read("output"), as: UTF8.self)
}

/// A program that runs beside the test.
package struct Child {
  package let pid: Int32

  /// What it writes goes to the file `output`, or to where the test's own output goes.
  package init(_ arguments: [String], input: CInt? = nil, output: String? = nil) throws {
    var pid = pid_t()
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    let code = posix_spawn(&pid, arguments[0], &actions, nil, words, environ)
    guard code == 0 else { throw TestSupportError("posix_spawn") }
    self.pid = pid
  }

  /// Ends the program as a power cut would.
  package func kill() {
    Glibc.kill(pid, SIGKILL)
  }

  /// The programs that it has started itself.
  package var children: [Int32] { processes().filter { $0.parent == pid }.map(\.pid) }

  /// Asks the program to end.
  package func terminate() {
    Glibc.kill(pid, SIGTERM)
  }

  /// Waits for the end; the exit status, or minus the number of the signal that killed it.
  package func wait() throws -> Int32 {
    var status: CInt = 0
    guard waitpid(pid, &status, 0) == pid else { throw TestSupportError("waitpid") }
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }
}

/// A program that was built together with the tests.
package func builtProgram(_ name: String = "photoindexd") throws -> String {
  let tests = String(decoding: try executablePath(), as: UTF8.self)
  guard let slash = tests.lastIndex(of: "/") else { throw TestSupportError("executablePath") }
  return tests[..<slash] + "/" + name
}

/// Whether a sanitizer has its own versions of the C library's functions, with which no preloaded ones
/// get on.
package let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Whether a process runs, or stands still; one that has ended and waits to be heard of does not.
package func isAlive(_ pid: Int32) -> Bool {
  processes().contains { $0.pid == pid && $0.state != "Z" }
}

/// Stops a process where it is, or ends it at once.
package func signal(_ pid: Int32, _ signal: ProcessSignal) { _ = kill(pid, signal.number) }

package enum ProcessSignal: Sendable {
  case stop, kill, terminate

  fileprivate var number: Int32 {
    switch self {
    case .stop: SIGSTOP
    case .kill: SIGKILL
    case .terminate: SIGTERM
    }
  }
}

/// All that the machine shows (proc_pid_stat(5)).
private func processes() -> [(pid: Int32, parent: Int32, state: String)] {
  guard let stream = opendir("/proc") else { return [] }
  defer { closedir(stream) }
  var found: [(pid: Int32, parent: Int32, state: String)] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let pid = Int32(name), let text = contents(of: "/proc/\(name)/stat") else { continue }
    // A name may have blanks and parentheses in it.
    guard let end = text.lastIndex(of: ")") else { continue }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 2, let parent = Int32(fields[2]) else { continue }
    found.append((pid, parent, String(fields[1])))
  }
  return found
}

private func contents(of path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &bytes, bytes.count)
  return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}

/// How many descriptors a process has open.
package func descriptorCount(of pid: Int32) -> Int {
  guard let stream = opendir("/proc/\(pid)/fd") else { return 0 }
  defer { closedir(stream) }
  var count = 0
  while readdir(stream) != nil { count += 1 }
  // Without the two dots.
  return count - 2
}

/// How many threads a process has.
package func threadCount(of pid: Int32) -> Int {
  let lines = contents(of: "/proc/\(pid)/status")?.split(separator: "\n") ?? []
  let line = lines.first { $0.hasPrefix("Threads:") }
  return line.flatMap { Int($0.dropFirst(8).drop { $0 == "\t" }) } ?? 0
}

/// Whether nothing is forbidden to this process, so that a test of permissions needs another user.
package var isSuperuser: Bool { geteuid() == 0 }

/// Lets another process go on for a while: only to kill it at an instant that nobody chose.
package func pause(milliseconds: Int) {
  usleep(UInt32(milliseconds) * 1000)
}
