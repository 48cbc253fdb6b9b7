import Linux
import Metadata
import Model
import TestSupport
import Testing

/// When films were taken. 2024-05-01 04:45:10 UTC is 1,714,538,710 from 1970, and 2,082,844,800 s
/// more from 1904 (66 years with 17 leap days).
struct MovieTimeTests {
  private let created = 2_082_844_800 + 1_714_538_710

  @Test func `the creation date wins over the header`() throws {
    var film = MovieFixture()
    film.created = created + 500_000
    film.addKey("com.apple.quicktime.creationdate", "2024-05-01T13:45:10+0900")
    let taken = try #require(try taken(film, configured: "Europe/Berlin"))
    #expect(taken.utc == 1_714_538_710)
    #expect(taken.local.description == "2024-05-01T13:45:10")
    #expect(taken.offsetMinutes == 540)
    #expect(taken.source.description == "creation+offset")
  }

  @Test func `the header is by UTC, and shown as clocks there did`() throws {
    var film = MovieFixture()
    film.created = created
    let placed = try #require(try taken(film, place: "Asia/Seoul", configured: "Europe/Berlin"))
    #expect(placed.utc == 1_714_538_710)
    #expect(placed.local.description == "2024-05-01T13:45:10")
    #expect(placed.zone == "Asia/Seoul")
    #expect(placed.source.description == "movie+place")
    let configured = try #require(try taken(film, configured: "Europe/Berlin"))
    #expect(configured.utc == 1_714_538_710)
    #expect(configured.local.description == "2024-05-01T06:45:10")
    #expect(configured.source.description == "movie+zone")
    let alone = try #require(try taken(film))
    #expect(alone.utc == 1_714_538_710)
    #expect(alone.local.description == "2024-05-01T04:45:10")
    #expect(alone.offsetMinutes == 0 && alone.zone == nil)
    #expect(alone.source.description == "movie+utc")
  }

  @Test func `an hour that occurs twice is the one that UTC names`() throws {
    // 2024-10-27 01:30 UTC is 02:30 in Berlin for the second time; an hour before for the first.
    for (utc, offset) in [(1_729_992_600, 60), (1_729_989_000, 120)] {
      var film = MovieFixture()
      film.created = 2_082_844_800 + utc
      let taken = try #require(try taken(film, place: "Europe/Berlin"))
      #expect(taken.utc == Int64(utc))
      #expect(taken.local.description == "2024-10-27T02:30:00")
      #expect(taken.offsetMinutes == offset)
    }
  }

  /// GoPro's firmware before that of the HERO11 knows no zone; nor did cameras with a `TAGS` box.
  @Test func `makers known to write what the clock shows are told apart`() throws {
    for (userData, isLocal) in [
      (box("FIRM", latin("HD9.01.01.72.00")), true),
      (box("FIRM", latin("H21.01.01.46.00")), true),
      (box("FIRM", latin("H22.01.02.01.70")), false),
      (box("TAGS", latin("NIKON DIGITAL CAMERA\0")), true),
      (box("NCDT", [0, 0, 0, 0]), true),
    ] {
      var film = MovieFixture()
      (film.created, film.userData) = (created, [userData])
      let taken = try #require(try taken(film, place: "Asia/Seoul"))
      let utc: Int64 = isLocal ? 1_714_538_710 - 9 * 3600 : 1_714_538_710
      #expect(taken.utc == utc)
      #expect(taken.source.description == (isLocal ? "movie-local+place" : "movie+place"))
      #expect(
        taken.local.description == (isLocal ? "2024-05-01T04:45:10" : "2024-05-01T13:45:10"))
    }
  }

  @Test func `a clock that was never set is none, one that counts from 1970 is read`() throws {
    for value in [0, 1, 2_082_844_800, 600_000_000] {
      var film = MovieFixture()
      film.created = value
      #expect(try taken(film) == nil, "\(value)")
    }
    var film = MovieFixture()
    film.created = 1_714_538_710
    #expect(try taken(film)?.utc == 1_714_538_710)
    film.version = 1
    film.created = Int(bitPattern: UInt.max)
    #expect(try taken(film) == nil)
  }

  @Test func `the date of the content counts where the header has none`() throws {
    var film = MovieFixture()
    film.addUserText("©day", "2010-06-21T18:47:05-0700")
    let old = try #require(try taken(film))
    #expect(old.source.description == "creation+offset")
    #expect(old.utc == 1_277_171_225)
    film.created = created
    #expect(try taken(film)?.source.description == "movie+utc")
  }

  @Test func `the raw strings come back from the index's column as they were`() throws {
    var film = MovieFixture()
    film.created = created
    film.addKey("com.apple.quicktime.creationdate", "2024-05-01T13:45:10+0900")
    let raw = try metadata(film).time
    #expect(raw.creationDate != nil && raw.movieDate != nil)
    #expect(RawTime(text: raw.text) == raw)
  }

  private func taken(
    _ film: MovieFixture, place: String? = nil, configured: String? = nil
  ) throws -> TakenTime? {
    TakenTime.resolve(
      try metadata(film).time, modified: Timestamp(seconds: 1_800_000_000, nanoseconds: 0),
      placeZone: place, configuredZone: configured, zones: .system)
  }
}
