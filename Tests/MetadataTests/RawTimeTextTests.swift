import Model
import TestSupport
import Testing

struct RawTimeTextTests {
  @Test(arguments: 0..<500)
  func `the text gives back every string`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let raw = randomRawTime(using: &random)
    #expect(RawTime(text: raw.text) == raw)
  }

  @Test func `what a phone writes is short`() {
    var raw = RawTime()
    raw.dateTimeOriginal = "2024:05:01 13:45:10"
    raw.subSecTimeOriginal = "123"
    raw.offsetTimeOriginal = "+09:00"
    raw.dateTimeDigitized = raw.dateTimeOriginal
    raw.subSecTimeDigitized = raw.subSecTimeOriginal
    raw.offsetTimeDigitized = raw.offsetTimeOriginal
    raw.dateTime = raw.dateTimeOriginal
    raw.offsetTime = raw.offsetTimeOriginal
    raw.gpsDateStamp = "2024:05:01"
    raw.gpsTimeStamp = "04:45:09"
    #expect(raw.text == "2024:05:01 13:45:10|123|+09:00|=|=|=|=||=|2024:05:01|04:45:09")
    #expect(RawTime().text == "")
  }

  @Test func `a later version's fields are passed over, and nonsense is refused`() {
    #expect(RawTime(text: "a||||||||||b|c")?.gpsTimeStamp == "b")
    #expect(RawTime(text: "=") == nil)
    #expect(RawTime(text: "|||=") == nil)
    #expect(RawTime(text: "\\x") == nil)
  }
}

func randomRawTime(using random: inout SeededGenerator) -> RawTime {
  func field() -> String? {
    let fixed: [String?] = [
      nil, nil, "", "=", "|", "\\", "==", "2024:05:01 13:45:10", "é|\u{301}", "a\\p", "12",
    ]
    return fixed.randomElement(using: &random) ?? nil
  }
  var raw = RawTime()
  raw.dateTimeOriginal = field()
  raw.subSecTimeOriginal = field()
  raw.offsetTimeOriginal = field()
  raw.dateTimeDigitized = field()
  raw.subSecTimeDigitized = field()
  raw.offsetTimeDigitized = field()
  raw.dateTime = field()
  raw.subSecTime = field()
  raw.offsetTime = field()
  raw.gpsDateStamp = field()
  raw.gpsTimeStamp = field()
  return raw
}
