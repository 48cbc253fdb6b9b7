import Decoding
import Glibc
import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// Files beside photos: what they say, and what becomes of it when they come, change and go.
struct SidecarTests {
  @Test func `XMP beside a photo wins over the photo, and the photo is itself again without it`()
    async throws
  {
    let library = try FixtureLibrary(["IMG.jpg": ownWords(), "other.jpg": photo(2)])
    try await library.sync()
    let before = try library.facts(of: "IMG.jpg")
    let other = try library.query("SELECT * FROM photos WHERE file = 'other.jpg'")
    #expect(before.first == "2024-05-01T13:45:10|original|37.5|exif|2")
    try library.write("IMG.jpg.xmp", fullSidecar)
    let end = try library.feedEnd()
    let summary = try await library.sync()
    #expect(summary.filesRead == 1)
    #expect(
      try library.facts(of: "IMG.jpg") == [
        "2019-02-03T04:05:06|sidecar+offset|-33.5|sidecar|-1",
        "keyword sea sidecar", "keyword 제주 sidecar", "caption x-default Below sidecar",
        "label x-default Red sidecar", "title x-default Own xmp",
      ])
    let feed = try library.feed(after: end)
    #expect(feed.contains { $0.contains("taken_local") } && feed.contains { $0.contains("rating") })
    let again = try await library.sync()
    #expect(again.filesRead == 0 && again.photoRowsRead == 0)

    try library.write("IMG.jpg.xmp", xmpSidecar(attributes: #"xmp:Rating="5""#))
    try await library.sync()
    #expect(
      try library.facts(of: "IMG.jpg").first == "2024-05-01T13:45:10|original|37.5|exif|5")
    library.disk.remove("IMG.jpg.xmp")
    try await library.sync()
    #expect(try library.facts(of: "IMG.jpg") == before)
    #expect(try library.query("SELECT * FROM sidecar") == [])
    #expect(try library.query("SELECT * FROM photos WHERE file = 'other.jpg'") == other)
  }

  @Test func `XMP of the very file beats that of the shot, which is of all its files`() async throws
  {
    let library = try FixtureLibrary([
      "IMG.jpg": photo(1), "IMG.dng": TIFFFixture.raw(taken: nil).bytes,
      "IMG.xmp": rated(3), "IMG.dng.xmp": rated(4), "IMG_01.dng.xmp": rated(1),
    ])
    try await library.sync()
    #expect(try library.ratings() == ["IMG.dng 4", "IMG.jpg 3"])
    #expect(
      try library.query(
        "SELECT photo.path, file, kind, raw IS NULL FROM sidecar JOIN photo ON photo.id = photo_id "
          + "ORDER BY 1, 2") == [
          "IMG.dng|IMG.dng.xmp|xmp|0", "IMG.dng|IMG.xmp|xmp-shot|1",
          "IMG.dng|IMG_01.dng.xmp|xmp-version|1", "IMG.jpg|IMG.xmp|xmp-shot|0",
        ])
    library.disk.remove("IMG.dng.xmp")
    try await library.sync()
    #expect(try library.ratings() == ["IMG.dng 3", "IMG.jpg 3"])
    // The version is a photo's own XMP when that photo is there.
    try library.write("IMG_01.dng", TIFFFixture.raw(taken: nil).bytes)
    try await library.sync()
    #expect(try library.ratings() == ["IMG.dng 3", "IMG.jpg 3", "IMG_01.dng 1"])
  }

  @Test func `Takeout's JSON fills gaps and no more`() async throws {
    // 2018-06-01 10:00:00 UTC
    let json = takeoutFile(
      taken: 1_527_847_200, latitude: 48.5, longitude: 2.25, description: "Below")
    let library = try FixtureLibrary([
      "bare.jpg": JPEGFixture().bytes, "bare.jpg.json": json,
      "full.jpg": ownWords(), "full.jpg.supplemental-metadata.json": json,
      "noted.jpg": JPEGFixture().bytes, "noted.jpg.json": json,
      "noted.jpg.xmp": xmpSidecar(
        "<exif:DateTimeOriginal>2001-01-01T00:00:00</exif:DateTimeOriginal>"),
    ])
    library.settings.timeZone = "Asia/Seoul"
    try await library.sync()
    #expect(
      try library.facts(of: "bare.jpg") == [
        "2018-06-01T19:00:00|takeout+zone|48.5|takeout|", "caption x-default Below takeout",
      ])
    #expect(try library.value("taken_at", of: "bare.jpg") == "1527847200")
    #expect(try library.value("altitude", of: "bare.jpg") == "12.5")
    #expect(try library.value("is_favorite", of: "bare.jpg") == "0")
    #expect(
      try library.facts(of: "full.jpg") == [
        "2024-05-01T13:45:10|original+zone|37.5|exif|2", "keyword own xmp",
        "caption x-default Below takeout", "title x-default Own xmp",
      ])
    #expect(
      try library.facts(of: "noted.jpg").first
        == "2001-01-01T00:00:00|sidecar+zone|48.5|takeout|")
  }

  @Test func `a date that only repeats the photo's own leaves that its decimals and its offset`()
    async throws
  {
    var exif = TIFFFixture()
    exif.add(.exif, 0x9003, "2024:05:01 13:45:10")
    exif.add(.exif, 0x9291, "25")
    exif.add(.exif, 0x9011, "+09:00")
    for (date, shown) in [
      ("2024-05-01T13:45:10", "2024-05-01T13:45:10.25|original+offset|540"),
      ("2024-05-01T13:45:10.000", "2024-05-01T13:45:10.25|original+offset|540"),
      ("2024-05-01", "2024-05-01T13:45:10.25|original+offset|540"),
      ("2024-05-01T13:45:10+02:00", "2024-05-01T13:45:10|sidecar+offset|120"),
      ("2024-05-01T13:45:11", "2024-05-01T13:45:11|sidecar|"),
      ("2024-05-02", "2024-05-02T00:00:00|sidecar|"),
      ("soon", "2024-05-01T13:45:10.25|original+offset|540"),
    ] {
      let library = try FixtureLibrary([
        "a.jpg": JPEGFixture(exif: exif).bytes,
        "a.xmp": xmpSidecar("<exif:DateTimeOriginal>\(date)</exif:DateTimeOriginal>"),
      ])
      try await library.sync()
      let rows = try library.query("SELECT taken_local, taken_source, taken_offset FROM photos")
      #expect(rows == [shown], "\(date)")
    }
  }

  @Test func `what the user says wins over sidecars`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "a.xmp": fullSidecar])
    try await library.sync()
    let id = try #require(try library.id("a.jpg"))
    try library.write(
      byHand: """
        INSERT INTO photo_time (photo_id, local) VALUES (\(id), '1974-08-01');
        INSERT INTO photo_rating (photo_id, rating) VALUES (\(id), 3);
        INSERT INTO device_clock (device_id, shift_s)
          SELECT device_id, 3600 FROM photo WHERE id = \(id);
        """)
    try library.write("a.xmp", fullSidecar + Array(" ".utf8))
    try await library.sync()
    #expect(try library.value("taken_source", of: "a.jpg") == "user")
    #expect(try library.value("rating", of: "a.jpg") == "3")
    // The sidecar's time is not what the camera's clock showed, and so is not put right with it.
    try library.write(byHand: "DELETE FROM photo_time")
    try await library.sync()
    #expect(try library.value("taken_local", of: "a.jpg") == "2019-02-03T04:05:06")
  }

  @Test func `a sidecar that says nothing is named, and harms nobody`() async throws {
    let library = try FixtureLibrary([
      "a.jpg": photo(1), "a.jpg.xmp": Array("<x".utf8), "a.xmp": rated(4),
      "b.jpg": photo(2), "b.jpg.json": Array(#"{"photoTakenTime": [["#.utf8), "c.jpg": photo(3),
      "c.jpg.xmp": [], "d.jpg": photo(4), "d.jpg.json": Array(#"{"title": "x"}"#.utf8),
      "e.jpg": photo(5), "e.xmp": Array(repeating: 0x20, count: 4 << 20) + [0x20],
      "f.jpg": photo(6), "f.jpg.json": Array(String(repeating: "[", count: 100_000).utf8),
      "g.jpg": photo(7),
      "g.jpg.json": Array(#"{"photoTakenTime":{"timestamp":"99999999999999999999"}}"#.utf8),
    ])
    let told = EventCounter()
    try await library.sync { told.count($0) }
    #expect(told.unreadSidecars == 6)
    #expect(
      try library.query("SELECT file, note FROM sidecar WHERE note IS NOT NULL ORDER BY 1") == [
        "a.jpg.xmp|the file is no XMP", "b.jpg.json|the file is none that Google Takeout writes",
        "c.jpg.xmp|the file is empty", "d.jpg.json|the file is none that Google Takeout writes",
        "e.xmp|the file is larger than any that says something of a photo",
        "f.jpg.json|the file is none that Google Takeout writes",
      ])
    // Then that of the shot counts.
    #expect(try library.ratings() == ["a.jpg 4"])
    #expect(try library.query("SELECT * FROM pending") == [])
    let again = try await library.sync()
    #expect(again.photoRowsRead == 0)
  }

  @Test func `a sidecar of which the decoder dies says nothing, its neighbours do`() async throws {
    let library = try FixtureLibrary([
      "a.jpg": photo(1), "a.jpg.xmp": Array("crash".utf8), "a.xmp": rated(3),
      "b.jpg": photo(2), "b.jpg.xmp": rated(4), "b.jpg.json": Array("exit".utf8),
      "c.jpg": photo(3), "c.jpg.json": Array("crash".utf8),
    ])
    let plain = try FixtureLibrary(["c.jpg": photo(3)])
    try await plain.sync()
    library.decoder = DecoderPool(program: Array(try builtProgram("faulty-decoder").utf8))
    let told = EventCounter()
    try await library.sync { told.count($0) }
    #expect(told.unreadSidecars == 3)
    #expect(
      try library.query(
        """
        SELECT file, note GLOB 'the decoder was ended by *', raw IS NULL FROM sidecar ORDER BY 1
        """) == [
          "a.jpg.xmp|1|1", "a.xmp||0", "b.jpg.json|1|1", "b.jpg.xmp||0", "c.jpg.json|1|1",
        ])
    #expect(try library.ratings() == ["a.jpg 3", "b.jpg 4"])
    #expect(try library.facts(of: "c.jpg") == plain.facts(of: "c.jpg"))
    #expect(try library.query("SELECT * FROM pending") == [])
    #expect(try await library.sync().filesRead == 0)
  }

  @Test func `sidecars move with their photos' directory without a read`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "x/a.jpg.xmp": rated(4)])
    try await library.sync()
    try library.disk.move("x", to: "y")
    let moved = try await library.sync()
    #expect(moved.counts.moved == 1 && moved.filesRead == 0)
    #expect(
      try library.query("SELECT sidecar_paths FROM shots") == [library.disk.path + "/y/a.jpg.xmp"])
    // By itself, the photo loses it.
    try library.disk.move("y/a.jpg", to: "y/b.jpg")
    try await library.sync()
    #expect(try library.ratings() == ["b.jpg "])
    try library.disk.move("y/a.jpg.xmp", to: "y/b.xmp")
    try await library.sync()
    #expect(try library.ratings() == ["b.jpg 4"])
  }

  @Test func `the photo waits for a sidecar that is being written`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.settings.waitsToSettle = false
    try await library.sync()
    try library.disk.write("a.xmp", rated(2))
    try library.disk.touch("a.xmp", modified: Int(library.clock.now().seconds) + 1)
    let young = try await library.sync()
    #expect(young.unsettled == [.root] && young.filesRead == 0)
    #expect(try library.changeToken() == nil)
    let closed = SyncScope(.root, complete: [Array("a.xmp".utf8)[...]])
    try await library.sync(parts: [closed])
    #expect(try library.ratings() == ["a.jpg 2"])
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool's sidecars are read as exiftool reads them`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try run([
      "/usr/bin/exiftool", "-q", "-o", library.disk.path + "/a.xmp", "-XMP:Rating=4",
      "-XMP:Subject=sea", "-XMP:Subject=제주", "-XMP-lr:HierarchicalSubject=places|Jeju",
      "-XMP:Title=Title", "-XMP:Description-ko=설명", "-XMP:Label=Green",
      "-XMP:DateTimeOriginal=2020:03:04 05:06:07+09:00", "-XMP:GPSLatitude=-33.8568",
      "-XMP:GPSLongitude=151.2153", "-XMP:GPSAltitude=12.5",
    ])
    try library.touch("a.xmp")
    try await library.sync()
    #expect(
      try library.facts(of: "a.jpg") == [
        "2020-03-04T05:06:07|sidecar+offset|-33.8568|sidecar|4", "keyword Jeju sidecar",
        "keyword sea sidecar", "keyword 제주 sidecar", "caption ko 설명 sidecar",
        "label x-default Green sidecar", "title x-default Title sidecar",
      ])
  }
}

extension FixtureLibrary {
  /// Time and position with their sources, and rating; then keywords and texts.
  fileprivate func facts(of path: String) throws -> [String] {
    let id = try self.id(path) ?? 0
    return try [
      """
      SELECT taken_local, taken_source, round(latitude, 6), position_source, rating FROM photos
        WHERE id = \(id)
      """,
      "SELECT 'keyword ' || keyword || ' ' || source FROM keyword WHERE photo_id = \(id) ORDER BY 1",
      """
      SELECT kind || ' ' || language || ' ' || text || ' ' || source FROM text
        WHERE photo_id = \(id) ORDER BY 1
      """,
    ].flatMap { try query($0) }
  }

  fileprivate func ratings() throws -> [String] {
    try query(
      "SELECT file || ' ' || coalesce(rating, '') FROM photos "
        + "WHERE rating IS NOT NULL OR (SELECT count(*) FROM photos) = 1 ORDER BY 1")
  }
}

/// With a position, and a rating and words of its own.
private func ownWords() -> [UInt8] {
  var fixture = JPEGFixture.photo(latitude: 37.5, longitude: 127)
  let packet = xmpSidecar(
    attributes: #"xmp:Rating="2""#, xmpList("dc:subject", ["own"]), "<dc:title>Own</dc:title>")
  fixture.after = [
    JPEGFixture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  ]
  return fixture.bytes
}

private let fullSidecar = xmpSidecar(
  attributes: #"xmp:Rating="-1" xmp:Label="Red""#,
  "<exif:DateTimeOriginal>2019-02-03T04:05:06+01:00</exif:DateTimeOriginal>",
  "<exif:GPSLatitude>33,30S</exif:GPSLatitude><exif:GPSLongitude>151,12E</exif:GPSLongitude>",
  xmpList("dc:subject", ["제주", "sea"]),
  xmpList("lr:hierarchicalSubject", ["places|제주", "darktable|format|jpg"]),
  "<dc:description>Below</dc:description>")

private func rated(_ stars: Int) -> [UInt8] {
  xmpSidecar(attributes: #"xmp:Rating="\#(stars)""#)
}
