import Linux
import Metadata
import Model
import Testing

/// How real files spell dates.
struct DateTextTests {
  @Test(arguments: [
    ("2003:08:27 00:09:15", "2003-08-27T00:09:15", "second"),
    ("2003:08:27:00:09:15", "2003-08-27T00:09:15", "second"),
    ("2003-08-27T00:09:15", "2003-08-27T00:09:15", "second"),
    ("2003/08/27 00:09:15", "2003-08-27T00:09:15", "second"),
    ("2003:08:27 00:09:15.978", "2003-08-27T00:09:15.978", "second"),
    ("2003: 8:27  0: 9:15", "2003-08-27T00:09:15", "second"),
    ("2003:08:27 24:04:20", "2003-08-27T00:04:20", "second"),
    ("2003:08:27 00:09", "2003-08-27T00:09:00", "minute"),
    ("05.10.2009 11:16", "2009-10-05T11:16:00", "minute"),
    ("2003:08:27", "2003-08-27T00:00:00", "day"),
    ("2003:08:27   :  :  ", "2003-08-27T00:00:00", "day"),
    ("2024:02:29 12:00:00", "2024-02-29T12:00:00", "second"),
    ("1826:01:01 00:00:00", "1826-01-01T00:00:00", "second"),
    ("2099:12:31 23:59:59", "2099-12-31T23:59:59", "second"),
  ])
  func `a date is understood`(text: String, local: String, precision: String) {
    let taken = resolve(text)
    #expect(taken?.local.description == local)
    #expect(taken?.precision.rawValue == precision)
  }

  @Test(arguments: [
    "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2023:02:29 12:00:00", "2024:13:01 00:00:00",
    "2024:00:10 00:00:00", "2024:04:31 00:00:00", "1825:12:31 23:59:59", "2100:01:01 00:00:00",
    "2024:05:01 25:00:00", "2024:05:01 12:60:00", "2024:05:01 12:00:61", "13:45:10", "May 1, 2024",
    "1970:01:01 00:00:00", "1970:01:01 00:00:00.000", "1904:01:01 00:00:00", "1980:01:01 00:00:00",
    "2002:12:08 12:00:00",
    // Half of a day is not known here.
    "2024:05:01 01:45:10 PM",
  ])
  func `what is no date, or a placeholder for one, gives way to the next source`(text: String) {
    #expect(resolve(text) == nil)
    var raw = RawTime()
    raw.dateTimeOriginal = text
    raw.dateTimeDigitized = "2024:05:01 13:45:10"
    #expect(resolve(raw)?.source.description == "digitized")
  }

  @Test(
    arguments: [
      ("+09:00", 540), ("+0900", 540), ("+09", 540), ("+9:00", 540), (" -03:30 ", -210), ("Z", 0),
      ("-12:00", -720), ("+14:00", 840), ("+14:15", nil), ("-12:30", nil), ("   :  ", nil),
      ("", nil), ("09:00", nil), ("+09:75", nil), ("GMT", nil),
    ] as [(String, Int?)])
  func `an offset is understood or not there`(text: String, minutes: Int?) {
    var raw = RawTime()
    raw.dateTimeOriginal = "2024:05:01 13:45:10"
    raw.offsetTimeOriginal = text
    #expect(resolve(raw)?.offsetMinutes == minutes)
  }

  @Test(arguments: [
    ("2024-05-01T13:45:10+09:00", 540), ("2024-05-01T04:45:10Z", 0),
    ("2024:05:01 13:45:10.25-0330", -210),
  ])
  func `a date can bring its offset with it`(text: String, minutes: Int) {
    #expect(resolve(text)?.offsetMinutes == minutes)
  }
}

private func resolve(_ text: String) -> TakenTime? {
  var raw = RawTime()
  raw.dateTimeOriginal = text
  return resolve(raw)
}

private func resolve(_ raw: RawTime) -> TakenTime? {
  TakenTime.resolve(
    raw, modified: Timestamp(nanoseconds: .max), placeZone: nil, configuredZone: nil,
    zones: .system)
}
