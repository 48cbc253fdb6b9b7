import CLinux
import Glibc
import Model
import Synchronization

/// A process that this one started and talks with. It ends with its owner, and with this process,
/// however that ends.
package struct ChildProcess: ~Copyable, Sendable {
  package let identifier: Int32
  package let socket: DescriptorSocket
  /// As long as this is open somewhere, the child may live; nobody ever writes to it.
  private let lifeline: FileDescriptor
  /// Once it has ended, its number may be another's.
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program by its path, with nothing but a connection to us as its standard input, and
  /// without an environment.
  package init(program: [UInt8], arguments: [String]) throws(SystemError) {
    reap()
    var ends: [CInt] = [-1, -1]
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue
    _ = try system("socketpair", on: "decoder") { socketpair(AF_UNIX, CInt(kind), 0, &ends) }
    let near = FileDescriptor(owning: ends[0])
    let far = FileDescriptor(owning: ends[1])
    _ = try system("pipe2", on: "decoder") { photoindexd_pipe(&ends) }
    let held = FileDescriptor(owning: ends[0])
    let lifeline = FileDescriptor(owning: ends[1])
    identifier = try spawn(program, arguments, input: far.raw, lifeline: held.raw)
    self.lifeline = lifeline
    socket = DescriptorSocket(owning: near.release())
  }

  deinit {
    guard ending.withLock({ $0 }) == nil else { return }
    Glibc.kill(identifier, SIGKILL)
    leave(identifier)
  }

  /// Ends the process, which its owner will wait for.
  package borrowing func kill() {
    ending.withLock { if $0 == nil { _ = Glibc.kill(identifier, SIGKILL) } }
  }

  /// Ends the process, and waits a moment for it. How it ended; nil when it does not, as where it
  /// waits for a disk that does not answer.
  package borrowing func end() -> Ending? {
    ending.withLock { ending in
      // What it has done by itself is the more telling.
      if ending == nil { ending = Ending(of: identifier, waiting: .milliseconds(20)) }
      if ending == nil {
        Glibc.kill(identifier, SIGKILL)
        ending = Ending(of: identifier, waiting: .seconds(1))
      }
      return ending
    }
  }

  package enum Ending: Hashable, Sendable, CustomStringConvertible {
    case signal(Int32)
    case status(Int32)

    package var description: String {
      switch self {
      case .signal(let number): "signal \(number) (\(String(cString: strsignal(number))))"
      case .status(let number): "exit status \(number)"
      }
    }
  }
}

/// The lifeline's descriptor in the child.
private let lifelineInChild: CInt = 3

/// Has this process, a child as above, end when its parent does. False: it has no such parent.
package func endWithParent() -> Bool {
  for signal in [SIGTERM, SIGINT, SIGHUP] { Glibc.signal(signal, SIG_IGN) }
  // Swift's runtime wants to tell of a crash by a second program; without the right to start one, it
  // would try forever.
  for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
    Glibc.signal(signal, SIG_DFL)
  }
  guard photoindexd_die_with(lifelineInChild) == 0 else { return false }
  // It may have gone before that.
  var polled = pollfd(fd: lifelineInChild, events: Int16(POLLIN), revents: 0)
  return poll(&polled, 1, 0) == 0
}

private func spawn(
  _ program: [UInt8], _ arguments: [String], input: CInt, lifeline: CInt
) throws(SystemError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  // In this order, whatever numbers the two have.
  posix_spawn_file_actions_adddup2(&actions, input, 0)
  posix_spawn_file_actions_adddup2(&actions, lifeline, lifelineInChild)
  for output: CInt in [1, 2] {
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
  }
  photoindexd_close_from(&actions, lifelineInChild + 1)

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // A group of its own: a Ctrl-C at the terminal is meant for us.
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  posix_spawnattr_setflags(&attributes, Int16(flags))
  posix_spawnattr_setpgroup(&attributes, 0)
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)

  let words = (["photoindexd"] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var environment: [UnsafeMutablePointer<CChar>?] = [nil]
  var identifier = pid_t()
  let code = program.withCString {
    posix_spawn(&identifier, $0, &actions, &attributes, words, &environment)
  }
  guard code == 0 else {
    throw SystemError(call: "posix_spawn", subject: printable(program), code: code)
  }
  return identifier
}

extension ChildProcess.Ending {
  /// nil when the process has not ended within that time.
  fileprivate init?(of identifier: pid_t, waiting most: Duration) {
    let end = ContinuousClock.now + most
    var status: CInt = 0
    while true {
      let found = waitpid(identifier, &status, WNOHANG)
      if found == identifier { break }
      guard found == 0 || errno == EINTR, ContinuousClock.now < end else { return nil }
      usleep(500)
    }
    self = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
  }
}

/// Children that were killed, and whose end nobody has heard of yet.
private let left = Mutex<[pid_t]>([])

/// Takes the ended process off the kernel's table, now or at the start of the next one.
private func leave(_ identifier: pid_t) {
  left.withLock { $0.append(identifier) }
  for _ in 0..<50 {
    if left.withLock({ reap(&$0) }) { return }
    usleep(200)
  }
}

private func reap() {
  left.withLock { _ = reap(&$0) }
}

/// Whether none is left.
private func reap(_ identifiers: inout [pid_t]) -> Bool {
  // An error says that it has been waited for before.
  identifiers.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  return identifiers.isEmpty
}
