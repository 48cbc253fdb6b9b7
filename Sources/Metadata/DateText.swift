import Model

/// A date as a file spells it, taken apart.
///
/// EXIF wants `2003:08:27 00:09:15`. Real files also have other separators, ISO 8601 with T and
/// offset, decimals behind the seconds, the day first, and no time at all.
struct DateText: Hashable {
  let local: LocalTime
  let precision: TakenPrecision
  /// The offset that stands behind the time.
  let offsetMinutes: Int?

  /// Returns nil for what is no date, or one that only says that there is none.
  init?(_ text: String) {
    let bytes = text.utf8Span.span
    var scanner = TextScanner(bytes)
    guard let date = scanner.date(bytes) else { return nil }
    guard let time = scanner.time(bytes) else {
      // Blanks and colons in place of a time say that it is not known (EXIF 2.32, 4.6.4).
      guard scanner.isAtEndOfDate(bytes),
        let local = LocalTime(year: date.year, month: date.month, day: date.day)
      else { return nil }
      self.init(local, .day, nil)
      return
    }
    let offset = scanner.offset(bytes)
    guard scanner.isAtEnd(bytes),
      let local = LocalTime(
        year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
        second: time.second ?? 0, fraction: time.fraction)
    else { return nil }
    self.init(local, time.second == nil ? .minute : .second, offset)
  }

  private init?(_ local: LocalTime, _ precision: TakenPrecision, _ offsetMinutes: Int?) {
    guard !unsetReadings.contains(local.secondsAsUTC) else { return nil }
    self.local = local
    self.precision = precision
    self.offsetMinutes = offsetMinutes
  }
}

/// What clocks show that were never set: the zero of QuickTime, OLE, Unix and DOS, and what
/// phones with Android 4 wrote.
let unsetReadings: [Int64] = [
  LocalTime(year: 1904, month: 1, day: 1),
  LocalTime(year: 1899, month: 12, day: 30),
  LocalTime(year: 1970, month: 1, day: 1),
  LocalTime(year: 1980, month: 1, day: 1),
  LocalTime(year: 2002, month: 12, day: 8, hour: 12),
].compactMap { $0?.secondsAsUTC }

/// Minutes east of UTC, from `+09:00`, `+0900`, `+9` or `Z`; nil for all else, such as an offset
/// that no clock on Earth has.
func offsetMinutes(_ text: String) -> Int? {
  let bytes = text.utf8Span.span
  var scanner = TextScanner(bytes)
  let offset = scanner.offset(bytes)
  return scanner.isAtEnd(bytes) ? offset : nil
}
