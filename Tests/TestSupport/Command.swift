import Glibc

/// Runs a program to its end; throws unless it succeeds.
package func run(_ arguments: [String]) throws {
  var pid = pid_t()
  let words = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  let code = posix_spawn(&pid, arguments[0], nil, nil, words, environ)
  guard code == 0 else { throw TestSupportError("posix_spawn") }
  var status: CInt = 0
  guard waitpid(pid, &status, 0) == pid, status == 0 else { throw TestSupportError(arguments[0]) }
}
