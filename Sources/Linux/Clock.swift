import Glibc
package import Model

/// The time by the clock that stamps files.
package func wallClock() -> Timestamp {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
}

/// Holds this thread up.
package func pause(_ duration: Duration) {
  let (seconds, attoseconds) = duration.components
  var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  var left = timespec()
  while nanosleep(&wanted, &left) == -1, errno == EINTR { wanted = left }
}
