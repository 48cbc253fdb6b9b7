import Synchronization

/// The time zones of the system's tzdata, read through the C library.
///
/// localtime_r(3) knows one zone at a time: that of the TZ variable of the whole process. So a
/// zone is put into TZ, the offsets of a year are tabulated, and TZ is put back, under a lock;
/// every later question about that year is a look into the table.
package final class TimeZoneDatabase: Sendable {
  /// The environment is one for the process, and so is this.
  package static let system = TimeZoneDatabase()

  private struct State {
    let variable: TimeZoneVariable
    var years: [String: [Int: ZoneYear?]] = [:]
    var inhabitedZones: [String]?

    mutating func offset(of zone: String, at seconds: Int64) -> Int? {
      let year = calendarYear(of: seconds)
      guard (1800...2199).contains(year) else { return nil }
      if let known = years[zone]?[year] { return known?.offset(at: seconds) }
      let table = zoneFile(of: zone).map { file in
        variable.withZone(file: file) { ZoneYear(year) }
      }
      years[zone, default: [:]][year] = .some(table)
      return table?.offset(at: seconds)
    }
  }

  private let state = Mutex(State(variable: TimeZoneVariable()))

  private init() {}

  /// Whether tzdata has a zone of this name, such as `Asia/Seoul`.
  package func exists(_ zone: String) -> Bool { zoneFile(of: zone) != nil }

  /// Seconds east of UTC at an instant; nil when there is no such zone, or before 1800 or after
  /// 2199.
  package func offset(ofZone zone: String, atUTC seconds: Int64) -> Int? {
    state.withLock { $0.offset(of: zone, at: seconds) }
  }

  /// The offsets with which the zone's clocks show `local`, seconds since 1970 as if it were UTC.
  package func offsets(ofZone zone: String, atLocal local: Int64) -> LocalOffsets? {
    state.withLock { state in
      // No zone is a day or more from UTC, and none has changed twice within two days.
      guard let before = state.offset(of: zone, at: local - secondsPerDay),
        let after = state.offset(of: zone, at: local + secondsPerDay)
      else { return nil }
      let isBefore = state.offset(of: zone, at: local - Int64(before)) == before
      let isAfter = state.offset(of: zone, at: local - Int64(after)) == after
      return switch (isBefore, isAfter) {
      case (true, true): before == after ? .one(before) : .two(earlier: before, later: after)
      case (true, false): .one(before)
      case (false, true): .one(after)
      case (false, false): .skipped(before: before)
      }
    }
  }

  /// Whether clocks somewhere on land have this offset at that instant.
  package func isInUse(_ offset: Int, atUTC seconds: Int64) -> Bool {
    state.withLock { state in
      let zones = state.inhabitedZones ?? readInhabitedZones()
      state.inhabitedZones = zones
      return zones.contains { state.offset(of: $0, at: seconds) == offset }
    }
  }
}

/// What a clock reading means in a zone.
package enum LocalOffsets: Hashable, Sendable {
  case one(Int)
  /// The reading occurred twice, as clocks were put back: first with the `earlier` offset.
  case two(earlier: Int, later: Int)
  /// Clocks were put forward over the reading: `before` is the offset until then.
  case skipped(before: Int)
}
