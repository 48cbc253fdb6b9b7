import Glibc
package import Model

/// The time by the clock that stamps files.
package func wallClock() -> Timestamp {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
}
