/// What a clock on a wall or in a camera shows, without a zone.
package struct LocalTime: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// The digits behind the seconds as they were written, at most nine; empty when there are none.
  package let fraction: String

  /// Returns nil for a day that no calendar from 1826 (the oldest photograph) to 2099 has, and for
  /// a time that no clock shows. Hour 24 is hour 0 of the same day, as some cameras write it.
  package init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    fraction: String = ""
  ) {
    guard (1826...2099).contains(year), (1...12).contains(month),
      (1...daysIn(month, of: year)).contains(day), (0...24).contains(hour),
      (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour % 24
    self.minute = minute
    self.second = second
    self.fraction = String(fraction.prefix(9))
  }

  /// Seconds from 1970 to the same reading of a clock that shows UTC.
  package var secondsAsUTC: Int64 {
    Int64(dayNumber) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Days since 1 January 1970 (Fliegel and Van Flandern, with years that begin in March).
  private var dayNumber: Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}

extension LocalTime: CustomStringConvertible {
  /// As in ISO 8601: `2024-05-01T13:45:10.123`.
  package var description: String {
    let date = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    let time = "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))"
    return date + "T" + time + (fraction.isEmpty ? "" : "." + fraction)
  }
}

private func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

private func daysIn(_ month: Int, of year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}
