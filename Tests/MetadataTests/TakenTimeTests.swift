import Linux
import Metadata
import Model
import TestSupport
import Testing

/// What DESIGN says of time, rule by rule. 2024-05-01 04:45:10 UTC is 1,714,538,710.
struct TakenTimeTests {
  @Test func `DateTimeOriginal wins, then DateTimeDigitized, then DateTime`() throws {
    var raw = RawTime()
    raw.dateTime = "2024:05:03 00:00:00"
    #expect(try resolve(raw).source.description == "modified")
    raw.dateTimeDigitized = "2024:05:02 00:00:00"
    #expect(try resolve(raw).source.description == "digitized")
    raw.dateTimeOriginal = "2024:05:01 00:00:00"
    #expect(try resolve(raw).source.description == "original")
    #expect(try resolve(raw).local.description == "2024-05-01T00:00:00")
  }

  @Test func `an offset counts only for its own date`() throws {
    var raw = RawTime()
    raw.dateTimeOriginal = "2024:05:01 13:45:10"
    raw.offsetTime = "+02:00"
    raw.offsetTimeDigitized = "+03:00"
    #expect(try resolve(raw).utc == nil)
    raw.offsetTimeOriginal = "+09:00"
    let taken = try resolve(raw)
    #expect(taken.utc == 1_714_538_710)
    #expect(taken.offsetMinutes == 540)
    #expect(taken.zone == nil)
    #expect(taken.source.description == "original+offset")
  }

  @Test func `the zone is named where it has the written offset, and only there`() throws {
    let raw = original("2024:05:01 13:45:10", offset: "+09:00")
    #expect(try resolve(raw, place: "Asia/Seoul").zone == "Asia/Seoul")
    #expect(try resolve(raw, place: "Europe/Berlin").zone == nil)
    #expect(try resolve(raw, place: "Europe/Berlin").utc == 1_714_538_710)
  }

  @Test func `without an offset the zone of the place counts, then the configured one`() throws {
    let raw = original("2024:05:01 13:45:10")
    let placed = try resolve(raw, place: "Asia/Seoul", configured: "Europe/Berlin")
    #expect(placed.utc == 1_714_538_710)
    #expect(placed.zone == "Asia/Seoul")
    #expect(placed.source.description == "original+place")
    let configured = try resolve(raw, configured: "Asia/Seoul")
    #expect(configured.utc == 1_714_538_710)
    #expect(configured.zone == "Asia/Seoul")
    #expect(configured.source.description == "original+zone")
    #expect(try resolve(raw, place: "No/Where", configured: "Asia/Seoul") == configured)
  }

  @Test func `GPS overrules the zone of the place by an hour or more`() throws {
    // The camera is still on Korean time, in Berlin.
    let raw = original("2024:05:01 13:45:10", gps: ("2024:05:01", "04:45:09"))
    let taken = try resolve(raw, place: "Europe/Berlin", configured: "Europe/Berlin")
    #expect(taken.utc == 1_714_538_710)
    #expect(taken.zone == nil)
    #expect(taken.source.description == "original+gps")
    // A fix that is 59 minutes old contradicts nobody.
    let old = original("2024:05:01 13:45:10", gps: ("2024:05:01", "03:46:10"))
    #expect(try resolve(old, place: "Asia/Seoul").source.description == "original+place")
  }

  @Test(
    arguments: [
      ("04:45:10", 540), ("04:42:10", 540), ("04:42:09", nil), ("04:48:10", 540), ("04:48:11", nil),
      ("08:00:10", 345),  // Nepal
      ("08:15:10", 330),  // India
      ("08:10:10", nil),  // between the two
      ("08:30:10", nil),  // +05:15 is in use nowhere
      ("23:45:10", -600),  // Hawaii
      ("00:00:10", nil),  // +13:45 is that of Chatham, but not in May
    ] as [(String, Int?)])
  func `a difference to GPS is an offset if clocks have it`(gps: String, minutes: Int?) throws {
    let raw = original("2024:05:01 13:45:10", gps: ("2024:05:01", gps))
    #expect(try resolve(raw).offsetMinutes == minutes)
  }

  @Test func `GPS says nothing about the date of an edit`() throws {
    var raw = RawTime()
    raw.dateTime = "2024:05:01 13:45:10"
    raw.gpsDateStamp = "2024:05:01"
    raw.gpsTimeStamp = "06:45:10"
    #expect(try resolve(raw).utc == nil)
    #expect(try resolve(raw, place: "Asia/Seoul").utc == 1_714_538_710)
  }

  /// Berlin, 2024-10-27 02:30 is 00:30 or 01:30 UTC; 2024-03-31 02:30 never was.
  @Test func `an ambiguous reading is the earlier, unless GPS knows`() throws {
    let ambiguous = original("2024:10:27 02:30:00")
    #expect(try resolve(ambiguous, place: "Europe/Berlin").offsetMinutes == 120)
    let known = original("2024:10:27 02:30:00", gps: ("2024:10:27", "01:29:50"))
    #expect(try resolve(known, place: "Europe/Berlin").offsetMinutes == 60)
    let skipped = original("2024:03:31 02:30:00")
    #expect(try resolve(skipped, place: "Europe/Berlin").offsetMinutes == 60)
  }

  /// Seoul's local mean time was UTC + 8:27:52.
  @Test func `seconds of old offsets are rounded to minutes`() throws {
    let taken = try resolve(original("1905:06:01 00:00:00"), place: "Asia/Seoul")
    #expect(taken.offsetMinutes == 508)
    #expect(taken.utc == taken.local.secondsAsUTC - 508 * 60)
  }

  @Test func `a time a day behind the file's own is marked`() throws {
    let raw = original("2024:05:01 13:45:10", offset: "+09:00")
    let edge = Timestamp(seconds: 1_714_538_710 - 86_400, nanoseconds: 0)
    let before = Timestamp(seconds: 1_714_538_710 - 86_401, nanoseconds: 0)
    #expect(try resolve(raw, modified: edge).source.description == "original+offset")
    #expect(try resolve(raw, modified: before).source.description == "original+offset-future")
    #expect(try resolve(raw, modified: before).utc == 1_714_538_710)
  }

  @Test func `sub-seconds are the file's digits, at most nine`() throws {
    for (subSec, text) in [
      ("5", "2024-05-01T13:45:10.5"), ("00", "2024-05-01T13:45:10.00"),
      ("1234567891", "2024-05-01T13:45:10.123456789"), (" 12", "2024-05-01T13:45:10.12"),
      ("-5", "2024-05-01T13:45:10"), ("x", "2024-05-01T13:45:10"),
    ] {
      var raw = original("2024:05:01 13:45:10")
      raw.subSecTimeOriginal = subSec
      #expect(try resolve(raw).local.description == text)
    }
  }

  @Test(arguments: 0..<500)
  func `UTC is local time less the offset, and the zone's clocks agree`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = ["Asia/Seoul", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", nil]
    func zone() -> String? { names.randomElement(using: &random) ?? nil }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var raw = RawTime()
    raw.dateTimeOriginal =
      "\(number(1826...2099)):\(number(1...12)):\(number(1...28)) \(number(10...24)):\(number(10...59)):07"
    if Bool.random(using: &random) { raw.offsetTimeOriginal = "+\(number(10...13)):30" }
    let (place, configured) = (zone(), zone())
    let taken = try resolve(raw, place: place, configured: configured)
    let utc = taken.offsetMinutes.map { taken.local.secondsAsUTC - Int64($0 * 60) }
    #expect(taken.utc == utc)
    guard let zone = taken.zone, let utc else { return }
    guard case .one = zones.offsets(ofZone: zone, atLocal: taken.local.secondsAsUTC) else { return }
    let offset = try #require(zones.offset(ofZone: zone, atUTC: utc))
    #expect(abs(offset - (taken.offsetMinutes ?? 0) * 60) <= 30)
  }
}

private let zones = TimeZoneDatabase.system

private func resolve(
  _ raw: RawTime, place: String? = nil, configured: String? = nil,
  modified: Timestamp = Timestamp(nanoseconds: .max)
) throws -> TakenTime {
  try #require(
    TakenTime.resolve(
      raw, modified: modified, placeZone: place, configuredZone: configured, zones: zones))
}

private func original(
  _ date: String, offset: String? = nil, gps: (date: String, time: String)? = nil
) -> RawTime {
  var raw = RawTime()
  raw.dateTimeOriginal = date
  raw.offsetTimeOriginal = offset
  raw.gpsDateStamp = gps?.date
  raw.gpsTimeStamp = gps?.time
  return raw
}
