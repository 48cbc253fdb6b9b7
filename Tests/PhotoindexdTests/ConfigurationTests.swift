import Model
import Sync
import Testing

@testable import photoindexd

/// What the values of keys mean.
struct ConfigurationTests {
  /// 2024-05-01 00:00:00 UTC, which is 09:00 in Seoul and 02:00 in Berlin.
  private let midnight: Int64 = 1_714_521_600

  private func isOpen(_ window: String, _ zone: String?, after minutes: Int64 = 0) throws -> Bool {
    let instant = Timestamp(seconds: midnight + minutes * 60, nanoseconds: 0)
    return try #require(DayWindow(window)).contains(instant, zone: zone)
  }

  @Test func `the hours of hash_window are those of a clock on the wall`() throws {
    #expect(try isOpen("01:00-06:00", "Europe/Berlin"))
    #expect(try !isOpen("01:00-06:00", "Asia/Seoul"))
    #expect(try !isOpen("01:00-06:00", nil))
    #expect(try isOpen("09:00-09:01", "Asia/Seoul"))
    #expect(try !isOpen("09:00-09:01", "Asia/Seoul", after: 1))
    // In New York it is 20:00, the day before.
    #expect(try isOpen("20:00-20:01", "America/New_York"))
  }

  @Test func `a window may go over midnight`() throws {
    for minutes: Int64 in [-120, -1, 0, 359] {
      #expect(try isOpen("22:00-06:00", nil, after: minutes), "\(minutes)")
    }
    for minutes: Int64 in [-121, 360, 720] {
      #expect(try !isOpen("22:00-06:00", nil, after: minutes), "\(minutes)")
    }
  }

  @Test(arguments: ["01:00-01:00", "01:00", "25:00-26:00", "1:00-2:00", "01:00-02:60", ""])
  func `what is no part of a day is no window`(text: String) {
    #expect(DayWindow(text) == nil)
  }

  @Test func `the fuse is off by a word, or has two numbers`() throws {
    #expect(try read(#"{"removal_fuse": "off"}"#).removalFuse == nil)
    #expect(try read("{}").removalFuse == RemovalFuse(share: 0.1, count: 500))
    #expect(
      try read(#"{"removal_fuse": {"count": 7}}"#).removalFuse == RemovalFuse(share: 0.1, count: 7))
    #expect(throws: ConfigurationError.self) { try read(#"{"removal_fuse": {"share": 2}}"#) }
    #expect(throws: ConfigurationError.self) { try read(#"{"missing_grace": "5h"}"#) }
    #expect(try read(#"{"missing_grace": "400d"}"#).missingGrace == 400)
  }

  @Test(arguments: [
    ("false", nil), ("true", 1800), ("\"10m\"", 600), ("\"1d\"", 86_400), ("null", nil),
  ])
  func `guesses are off, on, or on with a time`(value: String, seconds: Int64?) throws {
    #expect(
      try read("{\"nearby\": \(value)}").nearby == seconds.map { Duration.seconds($0) })
  }

  @Test(arguments: [
    "\"/a.geojson\"", "[\"a.geojson\"]", "[1]", "[\"/a/x.json\", \"/b/x.json\"]",
  ])
  func `files of places are absolute paths with names of their own`(value: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read("{\"places\": \(value)}") }
    #expect(error?.faults.map(\.key) == ["places"])
    #expect(throws: ConfigurationError.self) { try read(#"{"nearby": "2d"}"#) }
    #expect(throws: ConfigurationError.self) { try read(#"{"nearby": 30}"#) }
  }

  @Test func `how the service watches and scans has bounds`() throws {
    #expect(try read("{}").pollInterval == .seconds(600))
    #expect(try read(#"{"watch_share": 0}"#).watchShare == 0)
    #expect(throws: ConfigurationError.self) { try read(#"{"watch_share": 1.5}"#) }
    #expect(try read(#"{"rescan_interval": "1d"}"#).rescanInterval == .seconds(86_400))
    #expect(throws: ConfigurationError.self) { try read(#"{"scan_at": "24:00"}"#) }
  }

  @Test func `a log level takes in those before it`() {
    #expect(Configuration.LogLevel.error < .warning)
    #expect(Configuration.LogLevel.warning < .info)
    #expect(Configuration.LogLevel.info < .debug)
  }

  private func read(_ json: String) throws -> Configuration {
    try Configuration(json: Array(json.utf8), file: "config.json")
  }
}
