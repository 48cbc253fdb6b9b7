import Linux
import Model
import Sync

/// The configuration in force. Each property has the name of its key in camel case, and the
/// default that `config.example.json` shows.
struct Configuration: Equatable {
  struct Root: Equatable {
    var name: String
    var path: String
    var exclude: [String] = []
    var followSymlinks = false
    var timeZone: String?
    /// Whether inode numbers and change times count; nil: by the type of the file system.
    var inode: Bool?
    var owner: String?
    var removable = false
  }

  struct Retry: Equatable {
    var first: Duration = .seconds(30)
    var most: Duration = .seconds(6 * 3600)
    var giveUpAfter: Duration = .seconds(30 * 86_400)
  }

  enum LogLevel: String, CaseIterable, Comparable {
    case error, warning, info, debug

    static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int { LogLevel.allCases.firstIndex(of: self) ?? 0 }
  }

  var database: String?
  var resources: String?
  var roots: [Root] = []
  var exclude: [String] = []
  /// GeoJSON files of the user's own places.
  var places: [String] = []
  var language = ["en"]
  var timeZone: String?
  var rescanInterval: Duration?
  var pollInterval: Duration = .seconds(600)
  /// Of the directories that the kernel lets a user watch.
  var watchShare = 0.6
  var scanAt: DayTime?
  var settle: Duration = .seconds(2)
  var workers = 2
  var contentHash = SyncSettings.ContentHashing.full
  var hashWindow: DayWindow?
  /// Within which time every file is read again; nil: only what somebody has touched.
  var scrub: Duration?
  var namesTellDates = false
  /// How far in time a photo without a position may be from others that tell its place; nil: off.
  var nearby: Duration?
  var retry = Retry()
  /// Days with a good scan.
  var missingGrace = 30
  /// How far back the change feed goes.
  var changesKept: Duration = .seconds(90 * 86_400)
  /// nil: off.
  var removalFuse: RemovalFuse? = RemovalFuse()
  var logLevel = LogLevel.info
}

/// A time of day, as "02:30".
struct DayTime: Equatable, CustomStringConvertible {
  let minutes: Int

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isASCIIDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }

  var description: String {
    [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }
}

/// A part of the day, as "01:00-06:00"; one that ends before it begins goes over midnight.
struct DayWindow: Equatable, CustomStringConvertible {
  let start: DayTime
  let end: DayTime

  var description: String { "\(start)-\(end)" }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = DayTime(String(parts[0])),
      let end = DayTime(String(parts[1])), start != end
    else { return nil }
    self.start = start
    self.end = end
  }

  /// Whether a clock on a wall in the zone shows a time in it; nil: one that shows UTC.
  func contains(_ instant: Timestamp, zone: String?) -> Bool {
    let offset = zone.flatMap {
      TimeZoneDatabase.system.offset(ofZone: $0, atUTC: instant.seconds)
    }
    let seconds = (instant.seconds + Int64(offset ?? 0)) % 86_400
    return contains(minutes: Int(seconds + 86_400) % 86_400 / 60)
  }

  func contains(minutes: Int) -> Bool {
    start.minutes <= end.minutes
      ? (start.minutes..<end.minutes).contains(minutes)
      : minutes >= start.minutes || minutes < end.minutes
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
