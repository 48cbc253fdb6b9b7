import Model

/// A date that a file's name tells, as cameras, phones and chat programs write it:
/// `IMG_20190501_134510`, `20190501134510`, `2019-05-01 13.45.10`, `IMG-20190501-WA0001`.
struct NameDate: Hashable {
  let local: LocalTime
  let precision: TakenPrecision
  /// Google's camera names its photos by UTC, all others by the clock on the wall.
  let isUTC: Bool

  /// The first valid date in the name, whose last part, the extension, tells nothing.
  init?(_ name: some Sequence<UInt8>) {
    let bytes = Array(name)
    let stem = bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
    let starts = stem.indices.filter { start in
      isDigit(stem[start]) && (start == stem.startIndex || !isDigit(stem[start - 1]))
    }
    for start in starts {
      var scanner = NameScanner(rest: stem[start...])
      guard let date = scanner.date(), let found = dated(date, scanner.time(of: date)) else {
        continue
      }
      local = found.local
      precision = found.precision
      isUTC = stem.starts(with: Array("PXL_".utf8)) && precision == .second
      return
    }
    return nil
  }
}

/// A time that no clock shows is a number of another kind: then the day alone counts.
private func dated(
  _ date: NameScanner.Date, _ time: NameScanner.Time?
) -> (local: LocalTime, precision: TakenPrecision)? {
  // Without separators, eight digits are as likely a number as a date of the 19th century.
  guard !date.isCompact || (1900...2099).contains(date.year),
    let day = LocalTime(year: date.year, month: date.month, day: date.day)
  else { return nil }
  let moment = time.flatMap { time in
    LocalTime(
      year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
      second: time.second, fraction: time.fraction)
  }
  // One run of digits is a date and a time, or neither.
  guard let moment else {
    return date.isInLongRun || unsetReadings.contains(day.secondsAsUTC) ? nil : (day, .day)
  }
  return unsetReadings.contains(moment.secondsAsUTC) ? nil : (moment, .second)
}

/// Reads a date, and then a time, from the front of a part of a name.
private struct NameScanner {
  var rest: ArraySlice<UInt8>

  struct Date {
    let year: Int
    let month: Int
    let day: Int
    let isCompact: Bool
    /// Digits follow at once.
    let isInLongRun: Bool
  }

  struct Time {
    let hour: Int
    let minute: Int
    let second: Int
    let fraction: String
  }

  /// `20190501`, alone or at the start of 14 or 17 digits, or `2019-05-01`.
  mutating func date() -> Date? {
    let run = rest.prefix(while: isDigit)
    switch run.count {
    case 8, 14, 17:
      rest = rest.dropFirst(8)
      return Date(
        year: number(run.prefix(4)), month: number(run.dropFirst(4).prefix(2)),
        day: number(run.dropFirst(6).prefix(2)), isCompact: true, isInLongRun: run.count > 8)
    case 4:
      rest = rest.dropFirst(4)
      guard let separator = rest.first, "-_.".utf8.contains(separator),
        let month = twoDigits(after: separator), let day = twoDigits(after: separator),
        rest.first.map(isDigit) != true
      else { return nil }
      return Date(
        year: number(run), month: month, day: day, isCompact: false, isInLongRun: false)
    default: return nil
    }
  }

  /// `_134510`, `_134510123`, ` 13.45.10`, `-13-45-10`, ` at 13.45.10`; nil for all else.
  mutating func time(of date: Date) -> Time? {
    if !date.isInLongRun { guard skipSeparator() else { return nil } }
    let run = rest.prefix(while: isDigit)
    switch run.count {
    case 6, 9:
      rest = rest.dropFirst(run.count)
      return Time(
        hour: number(run.prefix(2)), minute: number(run.dropFirst(2).prefix(2)),
        second: number(run.dropFirst(4).prefix(2)),
        fraction: String(decoding: run.dropFirst(6), as: UTF8.self))
    case 2:
      rest = rest.dropFirst(2)
      guard let separator = rest.first, "-_.:".utf8.contains(separator),
        let minute = twoDigits(after: separator), let second = twoDigits(after: separator),
        rest.first.map(isDigit) != true, !isHalfDay
      else { return nil }
      return Time(hour: number(run), minute: minute, second: second, fraction: "")
    default: return nil
    }
  }

  private mutating func skipSeparator() -> Bool {
    if rest.starts(with: Array(" at ".utf8)) {
      rest = rest.dropFirst(4)
      return true
    }
    guard let byte = rest.first, "_- .T".utf8.contains(byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Whether AM or PM follows, behind any kind of blank: a clock of twelve hours is not read.
  private var isHalfDay: Bool {
    let word = rest.drop { $0 == 0x20 || $0 >= 0x80 }.prefix(2).map { $0 | 0x20 }
    return word == Array("am".utf8) || word == Array("pm".utf8)
  }

  private mutating func twoDigits(after separator: UInt8) -> Int? {
    let digits = rest.dropFirst().prefix(2)
    guard rest.first == separator, digits.count == 2, digits.allSatisfy(isDigit) else {
      return nil
    }
    rest = rest.dropFirst(3)
    return number(digits)
  }
}

private func number(_ digits: ArraySlice<UInt8>) -> Int {
  digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
