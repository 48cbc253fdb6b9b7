import Metadata
import Model
import TestSupport
import Testing

/// Seconds from 1904 to 2024-05-01 04:45:10 UTC, which is 1,714,538,710 from 1970.
private let created = 2_082_844_800 + 1_714_538_710

struct MovieTests {
  @Test(arguments: [UInt8(0), 1])
  func `header and track are read in either version`(version: UInt8) throws {
    var film = MovieFixture()
    film.version = version
    (film.created, film.timeScale, film.duration) = (created, 30_000, 100_100)
    let metadata = try metadata(film)
    #expect(metadata.mediaType == "video/quicktime")
    #expect(metadata.width == 1920 && metadata.height == 1080)
    #expect(metadata.orientation == 1)
    // 100100 / 30000 s.
    #expect(metadata.durationMilliseconds == 3337)
    #expect(metadata.time.movieDate == "2024-05-01T04:45:10Z")
  }

  @Test func `Apple's keys win over user data, and this over nothing`() throws {
    var film = MovieFixture()
    film.addUserText("©mak", "Nikon")
    film.addUserText("©mod", "Z 9")
    film.addUserText("©xyz", "+12.5-098.25/")
    var found = try metadata(film)
    #expect(found.device == DeviceIdentity(make: "Nikon", model: "Z 9", serial: nil))
    #expect(found.position == Coordinate(latitude: 12.5, longitude: -98.25))
    #expect(found.positionSource == .movie)
    #expect(found.altitude == nil)
    film.addKey("com.apple.quicktime.make", "Apple")
    film.addKey("com.apple.quicktime.model", "iPhone 15 Pro")
    film.addKey("com.apple.quicktime.location.ISO6709", "+37.5886+127.0068+120.5/")
    film.addKey("com.apple.quicktime.creationdate", "2024-05-01T13:45:10+0900")
    found = try metadata(film)
    #expect(found.device == DeviceIdentity(make: "Apple", model: "iPhone 15 Pro", serial: nil))
    #expect(found.position == Coordinate(latitude: 37.5886, longitude: 127.0068))
    #expect(found.altitude == 120.5)
    #expect(found.time.creationDate == "2024-05-01T13:45:10+0900")
    film.areKeysLast = true
    #expect(try metadata(film).device?.make == "Nikon")
    film.userData = []
    #expect(try metadata(film).device?.make == "Apple")
  }

  @Test func `Android's and Samsung's keys are read`() throws {
    var film = MovieFixture()
    film.brand = "isom"
    film.created = created
    film.addKey("com.android.manufacturer", "samsung")
    film.addKey("com.android.model", "SM-S911B")
    film.addKey("com.samsung.android.utc_offset", "+0900")
    let metadata = try metadata(film)
    #expect(metadata.device == DeviceIdentity(make: "samsung", model: "SM-S911B", serial: nil))
    #expect(metadata.time.movieDate == "2024-05-01T13:45:10+09:00")
  }

  @Test func `a value that is no text says nothing, one in UTF-16 does`() throws {
    var film = MovieFixture()
    film.keys = [
      ("com.apple.quicktime.make", 23, [0x42, 0x28, 0, 0]),
      ("com.apple.quicktime.model", 2, [0, 0x5a, 0x20, 0x79]),
    ]
    #expect(try metadata(film).device == DeviceIdentity(make: nil, model: "Z\u{2079}", serial: nil))
  }

  /// 3GPP TS 26.244, 8.11: role, longitude, latitude, altitude.
  @Test func `a place in numbers is read`() throws {
    let place = big(-99 << 16 | 0xc000, 4) + big(12 << 16 | 0x8000, 4) + big(7 << 16, 4)
    for name in [latin("here\0"), [0xfe, 0xff, 0xc8, 0x1c, 0, 0]] {
      var film = MovieFixture()
      film.userData = [fullBox("loci", big(0x15c7, 2), name, [0], place, latin("earth\0\0"))]
      #expect(
        try metadata(film).position == Coordinate(latitude: 12.5, longitude: -98.25))
      #expect(try metadata(film).altitude == 7)
    }
    var film = MovieFixture()
    film.userData = [fullBox("loci", big(0, 2), [0, 0], big(0, 12), [0, 0])]
    #expect(try metadata(film).position == nil)
  }

  /// EXIF 2.32, 4.6.4. With a = 0, b = 1 the stored right goes down: a quarter with the clock.
  @Test(arguments: [
    ([1.0, 0, 0, 1], 1), ([-1.0, 0, 0, 1], 2), ([-1.0, 0, 0, -1], 3), ([1.0, 0, 0, -1], 4),
    ([0.0, 1, 1, 0], 5), ([0.0, 1, -1, 0], 6), ([0.0, -1, -1, 0], 7), ([0.0, -1, 1, 0], 8),
  ])
  func `the track's matrix turns the picture`(matrix: [Double], orientation: Int) throws {
    var film = MovieFixture()
    film.tracks[0].matrix = matrix
    let metadata = try metadata(film)
    #expect(metadata.orientation == orientation)
    #expect(metadata.width == 1920 && metadata.height == 1080)
  }

  @Test func `the track's matrix scales the picture`() throws {
    var film = MovieFixture()
    (film.tracks[0].width, film.tracks[0].height) = (720, 576)
    film.tracks[0].matrix = [1.5, 0, 0, 1]
    #expect(try metadata(film).width == 1080)
    #expect(try metadata(film).height == 576)
    film.tracks[0].matrix = [0, 0, 0, 0]
    #expect(try metadata(film).width == 720)
    #expect(try metadata(film).orientation == nil)
  }

  @Test func `the first track with pictures that is enabled counts`() throws {
    var film = MovieFixture()
    var (sound, hidden, shown) = (film.tracks[0], film.tracks[0], film.tracks[0])
    (sound.handler, sound.width) = ("soun", 7)
    (hidden.isEnabled, hidden.width) = (false, 640)
    shown.width = 3840
    film.tracks = [sound, hidden]
    #expect(try metadata(film).width == 640)
    film.tracks = [sound, hidden, shown, film.tracks[1]]
    #expect(try metadata(film).width == 3840)
    (film.brand, film.tracks) = ("isom", [sound])
    #expect(try metadata(film).mediaType == "audio/mp4")
    #expect(try metadata(film).width == nil)
  }

  @Test func `a duration that is not known is none`() throws {
    var film = MovieFixture()
    for (version, duration) in [(0, 0), (0, 0xffff_ffff), (1, -1)] {
      film.version = UInt8(version)
      film.duration = duration
      #expect(try metadata(film).durationMilliseconds == nil)
    }
    (film.duration, film.timeScale) = (5, 0)
    #expect(try metadata(film).durationMilliseconds == nil)
  }

  @Test func `Canon's EXIF is found in its box, and in the thumbnail of older films`() throws {
    let photo = try #require(fullPhoto().exif)
    var expected = try metadata(fullPhoto())
    (expected.mediaType, expected.orientation) = ("video/mp4", 1)
    (expected.width, expected.height, expected.durationMilliseconds) = (1920, 1080, 3000)
    expected.time.movieDate = "2024-05-01T04:45:10Z"
    var film = MovieFixture()
    (film.brand, film.created) = ("mp42", created)
    film.others = [canonBox(photo)]
    #expect(try metadata(film) == expected)
    film.others = []
    film.userData = [box("CNTH", box("CNDA", fullPhoto().bytes))]
    #expect(try metadata(film) == expected)
  }

  @Test func `GoPro's settings name the camera`() throws {
    var film = MovieFixture()
    film.userData = [box("GPMF", gopro("HERO9 Black", "C3441325445548"))]
    #expect(
      try metadata(film).device
        == DeviceIdentity(make: "GoPro", model: "HERO9 Black", serial: "C3441325445548"))
  }

  @Test func `a film whose data comes first is read, or cut`() throws {
    var film = MovieFixture()
    film.addKey("com.apple.quicktime.make", "Apple")
    film.isDataFirst = true
    let whole = try metadata(film)
    #expect(whole.device?.make == "Apple")
    // A copy that has all its space, but only the data so far.
    let start = box("ftyp", big(0, 12)).count + box("mdat", film.data).count
    let copy = film.bytes[..<start] + Array(repeating: 0, count: film.bytes.count - start)
    guard case .truncated = try read(Array(copy), named: "mov") else {
      Issue.record("the header is not there")
      return
    }
    film.isDataFirst = false
    #expect(try metadata(film) == whole)
  }
}

func metadata(_ film: MovieFixture) throws -> PhotoMetadata {
  try whole(film.bytes, named: "mov")
}

/// GoPro's format: key, type, size of a value, their number; nested lists have type 0.
private func gopro(_ model: String, _ serial: String) -> [UInt8] {
  func item(_ key: String, _ type: UInt8, _ value: [UInt8]) -> [UInt8] {
    let padding = Array(repeating: UInt8(0), count: (4 - value.count % 4) % 4)
    return latin(key) + [type, 1] + big(value.count, 2) + value + padding
  }
  let text = UInt8(ascii: "c")
  return item(
    "DEVC", 0,
    item("DVNM", text, latin("Video Global Settings")) + item("MINF", text, latin(model))
      + item("CASN", text, latin(serial)))
}
