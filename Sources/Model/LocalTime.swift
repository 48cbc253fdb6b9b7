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
    self.fraction = fraction.utf8.count > 9 ? String(fraction.prefix(9)) : fraction
  }

  /// The reading of a clock so many seconds after one that shows the start of 1970; nil outside of
  /// the years above.
  package init?(secondsAsUTC seconds: Int64, fraction: String = "") {
    // Wider than those years, and far from where the arithmetic would overflow.
    guard (-10_000_000_000...10_000_000_000).contains(seconds) else { return nil }
    let days = Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
    let rest = Int((seconds % 86_400 + 86_400) % 86_400)
    // The inverse of `dayNumber`: eras of 400 years, which have 146,097 days, from 1 March 0000.
    let shifted = days + 719_468
    let dayOfEra = (shifted % 146_097 + 146_097) % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + (shifted - dayOfEra) / 146_097 * 400 + (month >= 10 ? 1 : 0)
    self.init(
      year: year, month: month < 10 ? month + 3 : month - 9,
      day: dayOfYear - (153 * month + 2) / 5 + 1, hour: rest / 3600, minute: rest / 60 % 60,
      second: rest % 60, fraction: fraction)
  }

  /// As much of `2024-05-01T13:45:10.123` as is written, down to a whole field; what is missing is
  /// the start of it. A blank may stand for the T. Returns nil for anything else, as does the CHECK
  /// of `photo_time`.
  package init?(partial text: String) {
    let count = text.utf8.count
    guard [4, 7, 10, 13, 16].contains(count) || count >= 19 else { return nil }
    let full = text.replacing(" ", with: "T") + "0000-01-01T00:00:00".dropFirst(count)
    let fields = full.split(omittingEmptySubsequences: false) { "-T:.".contains($0) }
    let numbers = fields.prefix(6).compactMap { Int($0) }
    guard numbers.count == 6, fields.count <= 7 else { return nil }
    let fraction = fields.count > 6 ? fields[6] : ""
    guard fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5], fraction: String(fraction))
    // Another width, separator or hour than that of ISO 8601 is not read back as it was written.
    guard description.utf8.elementsEqual(full.utf8) else { return nil }
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
    var text: [UInt8] = []
    text.reserveCapacity(29)
    write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the UTF-8 of `description`.
  package func write(to text: inout [UInt8]) {
    text.append(addingCapacity: 29) { text in
      text.append(twoDigits: year / 100)
      text.append(twoDigits: year % 100)
      text.append("-", twoDigits: month)
      text.append("-", twoDigits: day)
      text.append("T", twoDigits: hour)
      text.append(":", twoDigits: minute)
      text.append(":", twoDigits: second)
      guard !fraction.isEmpty else { return }
      text.append(UInt8(ascii: "."))
      for digit in fraction.utf8 { text.append(digit) }
    }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(_ separator: Unicode.Scalar, twoDigits value: Int) {
    append(UInt8(ascii: separator))
    append(twoDigits: value)
  }

  fileprivate mutating func append(twoDigits value: Int) {
    append(UInt8(ascii: "0") + UInt8(value / 10))
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}

private func daysIn(_ month: Int, of year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}
