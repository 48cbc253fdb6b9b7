import Synchronization

/// The time zones of the system's tzdata, read through the C library.
///
/// localtime_r(3) knows one zone at a time: that of the TZ variable of the whole process. So a
/// zone is put into TZ, the offsets of a year are tabulated, and TZ is put back, under a lock;
/// every later question about that year is a look into the table.
package final class TimeZoneDatabase: Sendable {
  /// The environment is one for the process, and so is this.
  package static let system = TimeZoneDatabase()

  private let tables = Mutex(ZoneTables())

  private init() {}

  /// Whether tzdata has a zone of this name, such as `Asia/Seoul`.
  package func exists(_ zone: String) -> Bool { zoneFile(of: zone) != nil }

  /// Seconds east of UTC at an instant; nil when there is no such zone, or before 1800 or after
  /// 2199.
  package func offset(ofZone zone: String, atUTC seconds: Int64) -> Int? {
    tables.withLock { $0.alone { $0.offset(of: zone, at: seconds) } }
  }

  /// The offsets with which the zone's clocks show `local`, seconds since 1970 as if it were UTC.
  package func offsets(ofZone zone: String, atLocal local: Int64) -> LocalOffsets? {
    tables.withLock { $0.alone { $0.offsets(of: zone, atLocal: local) } }
  }

  /// Whether clocks somewhere on land have this offset at that instant.
  package func isInUse(_ offset: Int, atUTC seconds: Int64) -> Bool {
    tables.withLock { $0.alone { $0.isInUse(offset, at: seconds) } }
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
