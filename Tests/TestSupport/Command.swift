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
  package init(_ arguments: [String], output: String? = nil) throws {
    var pid = pid_t()
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
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

  /// Waits for the end; the exit status, or minus the number of the signal that killed it.
  package func wait() throws -> Int32 {
    var status: CInt = 0
    guard waitpid(pid, &status, 0) == pid else { throw TestSupportError("waitpid") }
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }
}

/// The program that was built together with the tests.
package func builtProgram() throws -> String {
  let tests = String(decoding: try executablePath(), as: UTF8.self)
  guard let slash = tests.lastIndex(of: "/") else { throw TestSupportError("executablePath") }
  return tests[..<slash] + "/photoindexd"
}

/// Whether nothing is forbidden to this process, so that a test of permissions needs another user.
package var isSuperuser: Bool { geteuid() == 0 }

/// Lets another process go on for a while: only to kill it at an instant that nobody chose.
package func pause(milliseconds: Int) {
  usleep(UInt32(milliseconds) * 1000)
}
