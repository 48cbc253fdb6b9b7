import Glibc

/// Something to wait for: that a descriptor can be read from, as a rule. It does not own the
/// descriptor, so keep its owner while you wait.
package struct Readiness: Hashable, Sendable {
  fileprivate let descriptor: CInt
  fileprivate let events: Int16

  init(_ descriptor: CInt) {
    self.descriptor = descriptor
    events = Int16(POLLIN)
  }

  /// That nobody reads standard output any more.
  package static let closedOutput = Readiness(errorsOf: STDOUT_FILENO)

  private init(errorsOf descriptor: CInt) {
    self.descriptor = descriptor
    events = 0
  }

  /// What is exceptional, such as a change of the mounts.
  init(exceptional descriptor: CInt) {
    self.descriptor = descriptor
    events = Int16(POLLPRI)
  }
}

/// Waits until one of these is ready, or so much time has passed; returns those that are ready, or
/// have ended.
package func wait(
  for sources: [Readiness], atMost duration: Duration?
) throws(SystemError) -> Set<Readiness> {
  var polled = sources.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
  let result = poll(&polled, nfds_t(polled.count), duration.map(milliseconds) ?? -1)
  guard result != -1 else {
    // A signal: whoever waits looks at the clock again.
    if errno == EINTR { return [] }
    throw SystemError(call: "poll", subject: "descriptors", code: errno)
  }
  return Set(zip(sources, polled).filter { $0.1.revents != 0 }.map(\.0))
}

/// Rounded up, so that nobody wakes before the time; at most a day.
private func milliseconds(_ duration: Duration) -> CInt {
  let whole = (duration / .milliseconds(1)).rounded(.up)
  return CInt(min(max(whole, 0), 86_400_000))
}
