import Linux
import Metadata
import Model
import Testing

/// The dates that files' names tell.
struct NameDateTests {
  @Test(arguments: [
    ("IMG_20190501_134510.jpg", "2019-05-01T13:45:10"),
    ("VID_20190501_134510.mp4", "2019-05-01T13:45:10"),
    ("IMG20190501134510.jpg", "2019-05-01T13:45:10"),
    ("20190501134510123.jpg", "2019-05-01T13:45:10.123"),
    ("20190501_134510(1).jpg", "2019-05-01T13:45:10"),
    ("KakaoTalk_20190501_134510123.jpg", "2019-05-01T13:45:10.123"),
    ("KakaoTalk_20190501_134510123_01.jpg", "2019-05-01T13:45:10.123"),
    ("2019-05-01 13.45.10.jpg", "2019-05-01T13:45:10"),
    ("2019-05-01 13.45.10-2.jpg", "2019-05-01T13:45:10"),
    ("Screenshot_2019-05-01-13-45-10-123_com.app.jpg", "2019-05-01T13:45:10"),
    ("Screenshot_20190501-134510_Chrome.png", "2019-05-01T13:45:10"),
    ("Screenshot from 2019-05-01 13-45-10.png", "2019-05-01T13:45:10"),
    ("WhatsApp Image 2019-05-01 at 13.45.10.jpeg", "2019-05-01T13:45:10"),
    ("사진_20190501_134510.jpg", "2019-05-01T13:45:10"),
    ("00000_IMG_20190501_134510.jpg", "2019-05-01T13:45:10"),
  ])
  func `a date and a time`(name: String, local: String) throws {
    let taken = try #require(resolve(name))
    #expect(taken.local.description == local)
    #expect(taken.precision == .second)
    #expect(taken.source.description == "name+zone")
    #expect(taken.offsetMinutes == 540)
    #expect(taken.zone == "Asia/Seoul")
  }

  @Test(arguments: [
    "IMG-20190501-WA0001.jpg", "20190501.jpg", "KakaoTalk_20190501_994510.jpg", "20190501_001.jpg",
    "2019-05-01.jpg", "2019_05_01 party.jpg", "2019.05.01.jpg", "Screenshot_2019-05-01-.png",
    "Screen Shot 2019-05-01 at 1.45.10 PM.png", "Screen Shot 2019-05-01 at 01.45.10\u{202f}PM.png",
    "12345678_20190501_n.jpg", "2019-05-01-13-45.jpg",
  ])
  func `a day alone`(name: String) throws {
    let taken = try #require(resolve(name))
    #expect(taken.local.description == "2019-05-01T00:00:00")
    #expect(taken.precision == .day)
  }

  @Test(arguments: [
    "DSC01234.jpg", "IMG_0001.jpg", "20191301_134510.jpg", "20190230.jpg", "18450712.jpg",
    "1556689510123.jpg", "20190501994510.jpg", "201905011.jpg", "2019-05-011.jpg", "2019-5-1.jpg",
    "2019-05_01.jpg", "19700101_000000.jpg", "1980-01-01.jpg", "photo.20190501", "201905010.jpg",
    "", ".jpg",
    "2019.jpg", "99999999_999999.jpg", "2019-05-",
  ])
  func `no date`(name: String) {
    #expect(resolve(name) == nil)
  }

  @Test func `an old day is one only where it is spelled out`() {
    #expect(resolve("1874-05-01 grandmother.jpg")?.local.description == "1874-05-01T00:00:00")
  }

  /// 2019-05-01 13:45:10 UTC is 22:45:10 in Seoul, and the next day begins there at 15:00.
  @Test func `Google's camera tells UTC`() throws {
    let taken = try #require(resolve("PXL_20190501_134510123.jpg"))
    #expect(taken.local.description == "2019-05-01T22:45:10.123")
    #expect(taken.utc == 1_556_718_310)
    #expect(taken.source.description == "name+offset")
    let late = try #require(resolve("PXL_20190501_150000000.MP.jpg"))
    #expect(late.local.description == "2019-05-02T00:00:00.000")
    let nowhere = try #require(resolve("PXL_20190501_134510123.jpg", zone: nil))
    #expect(nowhere.utc == 1_556_718_310)
    #expect(nowhere.offsetMinutes == 0)
  }

  @Test func `the file's own date wins, however coarse`() throws {
    var raw = RawTime()
    raw.dateTime = "2018:01:02"
    let taken = try #require(resolve("IMG_20190501_134510.jpg", raw))
    #expect(taken.source.description == "modified+zone")
    raw.dateTime = "0000:00:00 00:00:00"
    #expect(resolve("IMG_20190501_134510.jpg", raw)?.source.description == "name+zone")
  }

  @Test func `a name that is later than the file is doubted`() throws {
    #expect(resolve("20300101_000000.jpg")?.source.description == "name+zone-future")
  }

  private func resolve(
    _ name: String, _ raw: RawTime = RawTime(), zone: String? = "Asia/Seoul"
  ) -> TakenTime? {
    TakenTime.resolve(
      raw, name: Array(name.utf8), modified: Timestamp(seconds: 1_720_000_000, nanoseconds: 0),
      placeZone: nil, configuredZone: zone, zones: .system)
  }
}
