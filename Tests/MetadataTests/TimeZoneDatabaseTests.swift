import Glibc
import Linux
import TestSupport
import Testing

/// Expected offsets are those of the laws that tzdata records.
struct TimeZoneDatabaseTests {
  let zones = TimeZoneDatabase.system

  @Test(arguments: [
    ("Asia/Seoul", 1_705_320_000, 9 * 3600),  // 2024-01-15
    ("Asia/Seoul", 583_718_400, 10 * 3600),  // 1988-07-01, summer time of the Olympic games
    ("America/St_Johns", 1_705_320_000, -12_600),
    ("America/St_Johns", 1_721_044_800, -9_000),  // 2024-07-15
    ("Asia/Kathmandu", 1_705_320_000, 20_700),
    ("Pacific/Kiritimati", 1_705_320_000, 14 * 3600),
    ("Europe/London", 1_252_800, 3600),  // 1970-01-15, British Standard Time
    ("Asia/Seoul", -2_038_176_000, 30_472),  // 1905-06-01, local mean time
  ])
  func `an offset is that of the zone at the instant`(zone: String, utc: Int64, offset: Int) {
    #expect(zones.offset(ofZone: zone, atUTC: utc) == offset)
  }

  /// 2024-03-31 01:00:00 UTC.
  @Test func `a change of the offset is known to the second`() {
    #expect(zones.offset(ofZone: "Europe/Berlin", atUTC: 1_711_846_799) == 3600)
    #expect(zones.offset(ofZone: "Europe/Berlin", atUTC: 1_711_846_800) == 7200)
  }

  /// The shortest stays at another offset that tzdata knows. Freetown: from 1 September 1939, 01:00
  /// UTC, to the 5th, 00:40 UTC (zdump -v). Boa Vista: the week from 8 October 2000.
  @Test(arguments: [
    ("Africa/Freetown", -957_308_401, -3600), ("Africa/Freetown", -957_308_400, -2400),
    ("Africa/Freetown", -956_964_001, -2400), ("Africa/Freetown", -956_964_000, -3600),
    ("America/Boa_Vista", 970_977_599, -14_400), ("America/Boa_Vista", 970_977_600, -10_800),
    ("America/Boa_Vista", 971_578_799, -10_800), ("America/Boa_Vista", 971_578_800, -14_400),
  ])
  func `a stay of some days at another offset is not overlooked`(
    zone: String, utc: Int64, offset: Int
  ) {
    #expect(zones.offset(ofZone: zone, atUTC: utc) == offset)
  }

  @Test func `a clock reading occurs once, twice or not at all`() {
    // 2024-05-01 13:45:10; 2024-10-27 02:30; 2024-03-31 02:30.
    #expect(zones.offsets(ofZone: "Europe/Berlin", atLocal: 1_714_571_110) == .one(7200))
    #expect(
      zones.offsets(ofZone: "Europe/Berlin", atLocal: 1_729_996_200)
        == .two(earlier: 7200, later: 3600))
    #expect(
      zones.offsets(ofZone: "Europe/Berlin", atLocal: 1_711_852_200) == .skipped(before: 3600))
    // Samoa left out the whole of 2011-12-30.
    #expect(
      zones.offsets(ofZone: "Pacific/Apia", atLocal: 1_325_246_400) == .skipped(before: -36_000))
  }

  @Test(arguments: 0..<500)
  func `the reading of a clock leads back to its offset`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let zone = try #require(
      [
        "Asia/Seoul", "Europe/Berlin", "America/St_Johns", "Africa/Casablanca", "Pacific/Apia",
        "Australia/Lord_Howe", "Asia/Pyongyang", "America/Caracas", "Antarctica/Troll",
      ].randomElement(using: &random))
    let utc = Int64.random(in: -3_000_000_000...4_000_000_000, using: &random)
    let offset = try #require(zones.offset(ofZone: zone, atUTC: utc))
    switch zones.offsets(ofZone: zone, atLocal: utc + Int64(offset)) {
    case .one(let found): #expect(found == offset)
    case .two(let earlier, let later): #expect(offset == earlier || offset == later)
    case .skipped, nil: Issue.record("\(zone) at \(utc) is called skipped")
    }
  }

  @Test(arguments: [
    "", "/etc/passwd", "../../../etc/passwd", "Asia/../Asia/Seoul", "Asia", "Asia/Nowhere",
    "zone1970.tab", "right/Asia/Seoul", "localtime", "Asia/Seoul\0", ":Asia/Seoul", "UTC0",
  ])
  func `what is no zone has no offset`(name: String) {
    #expect(!zones.exists(name))
    #expect(zones.offset(ofZone: name, atUTC: 0) == nil)
  }

  @Test func `an offset is in use where land has it at that time`() {
    #expect(zones.isInUse(20_700, atUTC: 1_705_320_000))
    #expect(!zones.isInUse(20_100, atUTC: 1_705_320_000))
    // Pyongyang was on +08:30 from August 2015 to May 2018, and nobody is today.
    #expect(zones.isInUse(30_600, atUTC: 1_460_000_000))
    #expect(!zones.isInUse(30_600, atUTC: 1_705_320_000))
  }

  @Test func `the machine's zone is where its link leads`() throws {
    let directory = try TemporaryDirectory()
    for (target, zone) in [
      ("/usr/share/zoneinfo/Asia/Seoul", "Asia/Seoul"),
      ("../usr/share/zoneinfo/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
      ("/usr/share/zoneinfo/posix/Europe/Berlin", "Europe/Berlin"),
      ("/usr/share/zoneinfo/Etc/UTC", nil),
      ("/usr/share/zoneinfo/Asia/Nowhere", nil),
      ("/somewhere/else", nil),
    ] as [(String, String?)] {
      directory.remove("localtime")
      try directory.link("localtime", to: target)
      #expect(machineTimeZone(link: directory.path + "/localtime") == zone)
    }
    #expect(machineTimeZone(link: directory.path + "/absent") == nil)
  }

  @Test func `the environment's zone neither matters nor changes`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "America/St_Johns", 1)
      let zones = TimeZoneDatabase.system
      precondition(zones.offset(ofZone: "Asia/Seoul", atUTC: 1_705_320_000) == 32_400)
      precondition(getenv("TZ").map { String(cString: $0) } == "America/St_Johns")
      var (time, fields) = (time_t(1_705_320_000), tm())
      precondition(localtime_r(&time, &fields)?.pointee.tm_gmtoff == -12_600)
      setenv("TZ", "Asia/Tokyo", 1)
      precondition(zones.offset(ofZone: "Asia/Kathmandu", atUTC: 1_705_320_000) == 20_700)
    }
    await #expect(processExitsWith: .success) {
      unsetenv("TZ")
      precondition(TimeZoneDatabase.system.offset(ofZone: "Asia/Seoul", atUTC: 0) == 32_400)
      precondition(getenv("TZ") == nil)
    }
  }

  @Test func `many threads get the same answers`() async {
    await withTaskGroup(of: Bool.self) { group in
      for year in 0..<16 {
        group.addTask {
          let utc = 1_705_320_000 - Int64(year) * 31_557_600
          return TimeZoneDatabase.system.offset(ofZone: "Asia/Kolkata", atUTC: utc) == 19_800
            && TimeZoneDatabase.system.offset(ofZone: "Asia/Tokyo", atUTC: utc) == 32_400
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
