import Glibc

/// The offsets of one zone from the start of a year (UTC) to the start of the next.
struct ZoneYear {
  private var changes: [(start: Int64, offset: Int)]

  /// Asks every third day, and where two answers differ for the second of the change.
  init(_ year: Int) {
    let start = startOfYear(year)
    changes = [(start, currentOffset(at: start))]
    let end = startOfYear(year + 1)
    var day = start
    while day < end {
      let next = min(day + step, end)
      if currentOffset(at: next) != changes[changes.count - 1].offset {
        let change = firstSecond(from: day, to: next)
        changes.append((change, currentOffset(at: change)))
      }
      day = next
    }
  }

  func offset(at seconds: Int64) -> Int? {
    changes.last { $0.start <= seconds }?.offset
  }
}

/// The first second whose offset differs from that at `low`, which is known to differ at `high`.
private func firstSecond(from low: Int64, to high: Int64) -> Int64 {
  let offset = currentOffset(at: low)
  var (low, high) = (low, high)
  while high - low > 1 {
    let middle = low + (high - low) / 2
    if currentOffset(at: middle) == offset { low = middle } else { high = middle }
  }
  return high
}

/// The offset in the zone that tzset(3) read last.
private func currentOffset(at seconds: Int64) -> Int {
  var (time, fields) = (time_t(seconds), tm())
  return localtime_r(&time, &fields) == nil ? 0 : fields.tm_gmtoff
}

let secondsPerDay: Int64 = 86_400

/// No zone of tzdata goes to another offset and comes back in less: the shortest stay is the four
/// days, less half an hour, of Freetown in September 1939.
private let step = 3 * secondsPerDay

private func startOfYear(_ year: Int) -> Int64 {
  let past = year - 1
  return Int64(past * 365 + past / 4 - past / 100 + past / 400 - 719_162) * secondsPerDay
}

func calendarYear(of seconds: Int64) -> Int {
  // 31,556,952 s is the mean length of a Gregorian year; near its ends the estimate is a day off.
  let limited = min(max(seconds, -1 << 40), 1 << 40)
  let estimate = 1970 + Int((Double(limited) / 31_556_952).rounded(.down))
  if limited < startOfYear(estimate) { return estimate - 1 }
  return limited < startOfYear(estimate + 1) ? estimate : estimate + 1
}
