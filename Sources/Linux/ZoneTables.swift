import Glibc

/// The offsets that have been asked for, by zone and year.
final class ZoneTables {
  private let variable = TimeZoneVariable()
  private var years: [String: [Int: ZoneYear?]] = [:]
  private lazy var inhabitedZones = readInhabitedZones()
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` under a lock of the C library.
  ///
  /// The Mutex around the tables suffices, but the thread sanitizer does not see it (Swift 6.3 on
  /// Linux) and would report each use as a race.
  func alone<Result>(_ body: (ZoneTables) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(self)
  }

  func offset(of zone: String, at seconds: Int64) -> Int? {
    let year = calendarYear(of: seconds)
    guard (1800...2199).contains(year) else { return nil }
    if let known = years[zone]?[year] { return known?.offset(at: seconds) }
    let table = zoneFile(of: zone).map { file in
      variable.withZone(file: file) { ZoneYear(year) }
    }
    years[zone, default: [:]][year] = .some(table)
    return table?.offset(at: seconds)
  }

  func offsets(of zone: String, atLocal local: Int64) -> LocalOffsets? {
    // No zone is a day or more from UTC, and none has changed twice within two days.
    guard let before = offset(of: zone, at: local - secondsPerDay),
      let after = offset(of: zone, at: local + secondsPerDay)
    else { return nil }
    let isBefore = offset(of: zone, at: local - Int64(before)) == before
    let isAfter = offset(of: zone, at: local - Int64(after)) == after
    return switch (isBefore, isAfter) {
    case (true, true): before == after ? .one(before) : .two(earlier: before, later: after)
    case (true, false): .one(before)
    case (false, true): .one(after)
    case (false, false): .skipped(before: before)
    }
  }

  func isInUse(_ offset: Int, at seconds: Int64) -> Bool {
    inhabitedZones.contains { self.offset(of: $0, at: seconds) == offset }
  }
}
