import Glibc
import Library
import Model
import Sync
import TestSupport
import Testing

/// Raws and films linked to the pictures of their shots.
struct CompanionTests {
  @Test func `raw and JPEG of one name and time are one shot`() async throws {
    let library = try FixtureLibrary([
      "IMG.jpg": jpeg("10"), "IMG.dng": raw("10"), "late.jpg": jpeg("10"), "late.dng": raw("11"),
      "bare.jpg": JPEGFixture().bytes, "bare.dng": TIFFFixture.raw(taken: nil).bytes,
      "x/IMG.dng": raw("10"), "two.jpg": jpeg("20"), "two.png": photo(1), "two.dng": raw("20"),
      // What puts the time of one of them right leaves them one shot.
      "IMG.dng.xmp": xmpSidecar(
        "<exif:DateTimeOriginal>2001-01-01T00:00:00</exif:DateTimeOriginal>"),
      "IMG.xmp": xmpSidecar(),
    ])
    try await library.sync()
    #expect(
      try library.links() == ["IMG.dng > IMG.jpg name+time", "two.dng > two.jpg name+time"])
    let shot = try library.query(
      """
      SELECT jpeg_paths, raw_paths, replace(sidecar_paths, char(10), ' ') FROM shots
      WHERE jpeg_paths LIKE '%/IMG.jpg'
      """)
    let root = library.disk.path
    #expect(shot == ["\(root)/IMG.jpg|\(root)/IMG.dng|\(root)/IMG.dng.xmp \(root)/IMG.xmp"])
    #expect(try library.query("SELECT count(*) FROM shots") == ["8"])
    #expect(try library.query("SELECT count(*) FROM photos") == ["10"])
  }

  @Test func `a link goes with its ground, and comes with it`() async throws {
    let library = try FixtureLibrary(["IMG.jpg": jpeg("10"), "IMG.dng": raw("10")])
    try await library.sync()
    let linked = ["IMG.dng > IMG.jpg name+time"]
    #expect(try library.links() == linked)
    for (change, undo) in [
      (
        { try library.disk.move("IMG.jpg", to: "other.jpg") },
        { try library.disk.move("other.jpg", to: "IMG.jpg") }
      ),
      (
        { try library.disk.move("IMG.dng", to: "IMG.png") },
        { try library.disk.move("IMG.png", to: "IMG.dng") }
      ),
      ({ library.disk.remove("IMG.jpg") }, { try library.write("IMG.jpg", jpeg("10")) }),
      ({ library.disk.remove("IMG.dng") }, { try library.write("IMG.dng", raw("10")) }),
      (
        { try library.write("IMG.jpg", jpeg("11")) }, { try library.write("IMG.jpg", jpeg("10")) }
      ),
      (
        { library.rules = PhotoRules(exclude: [Glob("*.jpg")].compactMap(\.self)) },
        { library.rules = PhotoRules() }
      ),
    ] as [(() throws -> Void, () throws -> Void)] {
      try change()
      try await library.sync()
      #expect(try library.links() == [])
      try undo()
      try await library.sync()
      #expect(try library.links() == linked)
    }
    try library.disk.makeDirectory("new")
    try library.disk.move("IMG.jpg", to: "new/IMG.jpg")
    try library.disk.move("IMG.dng", to: "new/IMG.dng")
    try await library.sync()
    #expect(try library.links() == ["new/IMG.dng > new/IMG.jpg name+time"])
    let again = try await library.sync()
    #expect(again.photoRowsRead == 0)
  }

  @Test func `Live Photos are found by their identifier, beside each other or alone in the root`()
    async throws
  {
    let library = try FixtureLibrary([
      "a/IMG_1.jpg": live("one"), "a/IMG_1.mov": film("one"),
      "b/IMG_1.jpg": live("one"), "b/other.mov": film("one"), "b/IMG_E1.jpg": live("one"),
      "c/far.mov": film("two"), "d/near.jpg": live("two"),
      "e/three.mov": film("three"), "f/1.jpg": live("three"), "f/2.jpg": live("three"),
      "g/IMG_4.mov": film("four"), "g/IMG_4.jpg": photo(4),
    ])
    try await library.sync()
    #expect(
      try library.links() == [
        "a/IMG_1.mov > a/IMG_1.jpg content-identifier",
        "b/other.mov > b/IMG_1.jpg content-identifier",
        "c/far.mov > d/near.jpg content-identifier",
      ])
    // What happens to a picture elsewhere is heard of where its film is.
    library.disk.remove("f/2.jpg")
    try library.disk.move("d/near.jpg", to: "a/near.jpg")
    try await library.sync()
    #expect(
      try library.links().suffix(2) == [
        "c/far.mov > a/near.jpg content-identifier", "e/three.mov > f/1.jpg content-identifier",
      ])
    try library.write("f/1.jpg", photo(9))
    library.disk.remove("a/near.jpg")
    try await library.sync()
    #expect(try library.links().map { $0.prefix(1) } == ["a", "b"])
    #expect(try library.query("SELECT * FROM companion_due") == [])
    #expect(
      try library.query("SELECT count(*) FROM shots WHERE video_paths LIKE '%/a/IMG_1.mov'")
        == ["1"])
  }

  @Test func `a Live Photo whose picture is a raw is one shot, too`() async throws {
    let library = try FixtureLibrary([
      "a/IMG_1.dng": liveRaw("one"), "a/IMG_1.mov": film("one"),
      "b/IMG_2.dng": liveRaw("two"), "b/IMG_2.heic": liveHEIC("two"), "b/IMG_2.mov": film("two"),
      "c/far.mov": film("three"), "d/near.dng": liveRaw("three"),
      // What the raw was developed into has no identifier.
      "e/IMG_4.dng": liveRaw("four"), "e/IMG_4.mov": film("four"),
    ])
    try await library.sync()
    let links = [
      "a/IMG_1.mov > a/IMG_1.dng content-identifier", "b/IMG_2.dng > b/IMG_2.heic name+time",
      "b/IMG_2.mov > b/IMG_2.heic content-identifier",
      "c/far.mov > d/near.dng content-identifier",
      "e/IMG_4.mov > e/IMG_4.dng content-identifier",
    ]
    #expect(try library.links() == links)
    #expect(
      try library.query(
        """
        SELECT jpeg_paths IS NULL, raw_paths LIKE '%/a/IMG_1.dng', video_paths LIKE '%/a/IMG_1.mov'
        FROM shots WHERE raw_paths LIKE '%/a/%'
        """) == ["1|1|1"])
    try library.write("e/IMG_4.jpg", jpeg("10"))
    try await library.sync()
    #expect(
      try library.links() == links.dropLast() + [
        "e/IMG_4.dng > e/IMG_4.jpg name+time", "e/IMG_4.mov > e/IMG_4.jpg content-identifier",
      ])
    #expect(try library.query("SELECT count(*) FROM shots") == ["4"])
    library.disk.remove("e/IMG_4.jpg")
    try await library.sync()
    #expect(try library.links() == links)
    #expect(try library.query("SELECT * FROM companion_due") == [])
    let again = try await library.sync()
    #expect(again.photoRowsRead == 0)
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool finds the identifier of a raw where we do`() async throws {
    let library = try FixtureLibrary(["a.dng": liveRaw("one")])
    let found = try output(of: [
      "/usr/bin/exiftool", "-s3", "-Apple:all", "-FileType", library.disk.path + "/a.dng",
    ])
    #expect(found.split(separator: "\n") == ["shot one", "DNG"])
    try await library.sync()
    #expect(try library.query("SELECT content_identifier FROM photo") == ["shot one"])
  }

  @Test func `a film beside a picture of its name is its own, if the picture tells of one`()
    async throws
  {
    var motion = JPEGFixture.photo()
    motion.after = [
      JPEGFixture.segment(
        0xe1,
        Array("http://ns.adobe.com/xap/1.0/\0".utf8)
          + xmpSidecar(attributes: #"GCamera:MicroVideo="1""#))
    ]
    var plain = MovieFixture()
    plain.brand = "mp42"
    let library = try FixtureLibrary([
      "PXL_1.MP.jpg": photo(1), "PXL_1.MP4": plain.bytes, "PXL_2.MP.jpg": photo(2),
      "PXL_2.MP.mp4": plain.bytes, "MVIMG_3.jpg": motion.bytes, "MVIMG_3.mp4": plain.bytes,
      "IMG_4.jpg": photo(4), "IMG_4.mp4": plain.bytes,
    ])
    try await library.sync()
    #expect(
      try library.links() == [
        "MVIMG_3.mp4 > MVIMG_3.jpg name+motion", "PXL_1.MP4 > PXL_1.MP.jpg name+motion",
        "PXL_2.MP.mp4 > PXL_2.MP.jpg name+motion",
      ])
    #expect(try library.query("SELECT path FROM photo WHERE has_motion = 1") == ["MVIMG_3.jpg"])
  }

  @Test func `thousands of files in one directory take no longer than their number`() async throws {
    let library = try FixtureLibrary()
    let (picture, other) = (jpeg("10"), raw("10"))
    for number in 0..<300 {
      try library.write("IMG_\(number).jpg", picture)
      try library.write("IMG_\(number).dng", other)
    }
    let summary = try await library.sync()
    #expect(try library.links().count == 300)
    // Each row once, for its links.
    #expect(summary.photoRowsRead <= 600 * 2)
  }
}

extension FixtureLibrary {
  fileprivate func links() throws -> [String] {
    try query(
      """
      SELECT photo.path || ' > ' || picture.path || ' ' || photo.companion_evidence
      FROM photo JOIN photo AS picture ON picture.id = photo.companion_of ORDER BY 1
      """)
  }
}

private func jpeg(_ seconds: String) -> [UInt8] {
  JPEGFixture.photo(taken: "2024:05:01 13:45:\(seconds)").bytes
}

private func raw(_ seconds: String) -> [UInt8] {
  TIFFFixture.raw(taken: "2024:05:01 13:45:\(seconds)").bytes
}

/// A ProRAW file, whose maker note is that of the other formats.
private func liveRaw(_ identifier: String) -> [UInt8] {
  var fixture = TIFFFixture.raw(taken: "2024:05:01 13:45:10")
  fixture.addAppleNote(identifier: "shot \(identifier)")
  return fixture.bytes
}

private func liveHEIC(_ identifier: String) -> [UInt8] {
  var exif = TIFFFixture()
  exif.add(.exif, 0x9003, "2024:05:01 13:45:10")
  exif.addAppleNote(identifier: "shot \(identifier)")
  return HEIFFixture(exif: exif).bytes
}

private func live(_ identifier: String) -> [UInt8] { livePicture("shot \(identifier)").bytes }

private func film(_ identifier: String) -> [UInt8] {
  MovieFixture.live(identifier: "shot \(identifier)", taken: "2024-05-01T13:45:10+0900").bytes
}
