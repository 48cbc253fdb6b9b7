import IndexStore
import Library
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// What the user says of times, and the zones that are configured, in the rows.
struct DeriveTests {
  private let library: FixtureLibrary

  init() throws {
    library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
  }

  private let columns = ["taken_at", "taken_local", "taken_offset", "taken_zone", "taken_source"]

  private func time(of path: String = "a.jpg") throws -> String {
    try columns.map { try library.value($0, of: path) ?? "" }.joined(separator: "|")
  }

  @Test func `an edit of a photo that the user dated is still an edit`() async throws {
    try await library.sync()
    let id = try #require(try library.id("a.jpg"))
    try library.write(
      byHand: """
        INSERT INTO photo_time (photo_id, local) VALUES (\(id), '1974');
        UPDATE photo SET is_favorite = 1 WHERE id = \(id);
        """)
    try await library.sync()
    var edited = JPEGFixture.photo(taken: "2024:05:01 13:00:01")
    edited.shade = 99
    try library.replace("a.jpg", edited.bytes)
    try await library.sync()
    #expect(try library.id("a.jpg") == id)
    #expect(try library.value("is_favorite", of: "a.jpg") == "1")
    #expect(try library.value("taken_local", of: "a.jpg") == "1974-01-01T00:00:00")
  }

  @Test func `an edit of a photo whose clock was put right is still an edit`() async throws {
    try await library.sync()
    let id = try #require(try library.id("a.jpg"))
    try library.write(byHand: "INSERT INTO device_clock (device_id, shift_s) VALUES (1, 420)")
    try await library.sync()
    var edited = JPEGFixture.photo(taken: "2024:05:01 13:00:01")
    edited.shade = 99
    try library.replace("a.jpg", edited.bytes)
    try await library.sync()
    #expect(try library.id("a.jpg") == id)
    #expect(try library.value("taken_local", of: "a.jpg") == "2024-05-01T13:07:01")
  }

  @Test(arguments: userWords)
  func `what the user says first or last gives the same row`(sql: String) async throws {
    library.settings.timeZone = "Asia/Seoul"
    try await library.sync()
    try library.write(byHand: sql)
    let words = try await library.sync()
    #expect(words.filesRead == 0)
    // The word was there before this reading of the file.
    try library.touch("a.jpg")
    let before = try time()
    #expect(try await library.sync().filesRead > 0)
    #expect(try time() == before)
    #expect(try before != time(of: "b.jpg"))
  }

  @Test func `a photo that comes after the word on its camera's clock is put right`() async throws {
    try await library.sync()
    try library.write(
      byHand: """
        INSERT INTO device_clock (device_id, from_local, to_local, shift_s)
          VALUES (1, '2024-05-01', '2024-05-02', 420);
        """)
    for number in 3..<40 { try library.write("new/\(number).jpg", photo(number)) }
    try await library.sync()
    #expect(try library.value("taken_local", of: "a.jpg") == "2024-05-01T13:07:01")
    for number in 3..<40 {
      let local = try library.value("taken_local", of: "new/\(number).jpg")
      #expect(local == "2024-05-01T13:07:\(twoDigits(number))")
    }
    #expect(try await library.sync().result == .unchanged)
  }

  @Test(arguments: userWords)
  func `to take a word back gives the file's time back`(sql: String) async throws {
    try await library.sync()
    let before = try library.shell.contents()
    try library.write(byHand: sql)
    try await library.sync()
    #expect(try library.shell.contents() != before)
    try library.write(byHand: "DELETE FROM photo_time; DELETE FROM device_clock")
    #expect(try await library.sync().filesRead == 0)
    #expect(try library.shell.contents() == before)
    #expect(try await library.sync().result == .unchanged)
  }

  @Test(arguments: [Int64.max, .min, 10_000_000_000, -10_000_000_000])
  func `a clock cannot be off by more than all of time`(shift: Int64) async throws {
    try await library.sync()
    let before = try time()
    let sql = "INSERT INTO device_clock (device_id, shift_s) VALUES (1, \(shift))"
    #expect(throws: SQLiteError.self) { try library.write(byHand: sql) }
    // As an index has it whose CHECK a person turned off.
    try library.write(byHand: "PRAGMA ignore_check_constraints = 1; \(sql)")
    try await library.sync()
    #expect(try time() == before)
    #expect(LocalTime(secondsAsUTC: shift) == nil)
  }

  @Test(arguments: dateTexts)
  func `the index takes just the dates that a sync understands`(
    text: String, isDate: Bool
  ) async throws {
    try await library.sync()
    let id = try #require(try library.id("a.jpg"))
    let sql = "INSERT INTO photo_time (photo_id, local) VALUES (?, ?)"
    let isTaken = (try? library.query(sql, [.integer(id), .text(text)])) != nil
    #expect(isTaken == isDate)
    #expect((LocalTime(partial: text) != nil) == isDate)
    try await library.sync()
    #expect(try library.value("taken_source LIKE 'user%'", of: "a.jpg") == (isDate ? "1" : "0"))
  }

  private func setZone(_ zone: String, of library: FixtureLibrary) async throws {
    library.settings.timeZone = zone
    for root in try await library.index.roots() {
      try await library.index.setTimeZone(of: root, zone)
    }
  }

  @Test func `another zone is a fresh index, and reads no file`() async throws {
    let scan = JPEGFixture.photo(taken: nil)
    try library.write("scan.jpg", scan.bytes)
    let words = """
      INSERT INTO photo_time (photo_id, local)
      SELECT id, '1974-08-03T12:00' FROM photo WHERE path = 'scan.jpg'
      """
    try await library.sync()
    try await setZone("Asia/Seoul", of: library)
    try library.write(byHand: words)
    try await library.sync()
    #expect(try time().hasSuffix("|540|Asia/Seoul|original+zone"))
    #expect(try time(of: "scan.jpg").hasSuffix("|540|Asia/Seoul|user+zone"))
    try await setZone("America/New_York", of: library)
    #expect(try await library.sync().filesRead == 0)
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    try fresh.write(byHand: words)
    try await fresh.sync()
    #expect(try library.shell.contents() == fresh.shell.contents())
    #expect(try time(of: "scan.jpg").hasSuffix("|-240|America/New_York|user+zone"))
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `words and times beside EXIF are stored, and change with the file`() async throws {
    func write(_ properties: String) throws {
      var fixture = JPEGFixture()
      let packet = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
        <rdf:Description>\(properties)</rdf:Description></rdf:RDF>
        """
      fixture.before = [
        JPEGFixture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8))
      ]
      try library.replace("c.jpg", fixture.bytes)
    }
    let words = """
      SELECT keyword, source FROM keyword UNION ALL SELECT kind || language || text, source FROM text
      """
    try write(
      """
      <xmp:Rating>-1</xmp:Rating><xmp:CreateDate>2024-05-01T13:45:10</xmp:CreateDate>
      <dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject><dc:title>Title</dc:title>
      """)
    try await library.sync()
    #expect(try library.value("rating", of: "c.jpg") == "-1")
    #expect(try library.query(words) == ["sea|xmp", "titlex-defaultTitle|xmp"])
    #expect(try time(of: "c.jpg") == "|2024-05-01T13:45:10|||xmp")
    // Another zone takes the date that is stored, not the file.
    try await setZone("Asia/Seoul", of: library)
    #expect(try await library.sync().filesRead == 0)
    #expect(
      try time(of: "c.jpg") == "1714538710|2024-05-01T13:45:10|540|Asia/Seoul|xmp+zone")
    let id = try library.id("c.jpg")
    try write("<dc:subject><rdf:Bag><rdf:li>land</rdf:li></rdf:Bag></dc:subject>")
    try await library.sync()
    #expect(try library.id("c.jpg") == id)
    #expect(try library.value("rating", of: "c.jpg") == nil)
    #expect(try library.query(words) == ["land|xmp"])
    #expect(try library.value("taken_local", of: "c.jpg") == nil)
  }

  /// On another disk it is a copy, and the first one is removed.
  @Test(arguments: [false, true])
  func `a photo that moves into another root keeps its id and has the zone of that root`(
    isOnOtherDisk: Bool
  ) async throws {
    let library = try FixtureLibrary(["old/a.jpg": photo(1), "old/b.jpg": photo(2)])
    try library.disk.makeDirectory("new")
    let index = library.index
    func sync(_ name: String, _ zone: String) async throws -> SyncSummary {
      let path = library.disk.path("\(name)")
      let row = try await index.attach(RootDeclaration(name: name, path: path, owner: nil))
      let root = try #require(row)
      try await index.setTimeZone(of: root, zone)
      var pass = SyncPass(
        root: SyncRoot(id: root.id, name: name, path: path, rules: PhotoRules(), timeZone: zone),
        index: index, places: nil, settings: library.settings, clock: library.clock.now,
        report: { _ in })
      return try await pass.run(kind: "test")
    }
    _ = try await sync("old", "Asia/Seoul")
    let id = try library.query("SELECT id FROM photos WHERE file = 'a.jpg'")
    if isOnOtherDisk {
      try library.disk.write("new/a.jpg", try library.disk.read("old/a.jpg"))
      library.disk.remove("old/a.jpg")
    } else {
      try library.disk.move("old/a.jpg", to: "new/a.jpg")
    }
    _ = try await sync("old", "Asia/Seoul")
    #expect(try await sync("new", "Europe/Berlin").counts.moved == 1)
    #expect(
      try library.query("SELECT file, taken_zone, taken_offset FROM photos ORDER BY file")
        == ["a.jpg|Europe/Berlin|120", "b.jpg|Asia/Seoul|540"])
    #expect(try library.query("SELECT id FROM photos WHERE file = 'a.jpg'") == id)
  }
}

/// What a user may say of `a.jpg` or its camera.
private let userWords = [
  "INSERT INTO photo_time (photo_id, local) SELECT id, '1974-08' FROM photo WHERE path = 'a.jpg'",
  """
  INSERT INTO photo_time (photo_id, local, precision, zone)
  SELECT id, '2001-02-03 04:05:06.789', 'hour', 'Europe/Berlin' FROM photo WHERE path = 'a.jpg'
  """,
  """
  INSERT INTO device_clock (device_id, from_local, to_local, shift_s)
  VALUES (1, '2024-05-01T13:00:01', '2024-05-01T13:00:02', 420)
  """,
  """
  INSERT INTO device_clock (device_id, from_local, to_local, shift_s, zone)
  VALUES (1, '2024-05-01T13:00:01', '2024-05-01T13:00:02', -86400, 'Asia/Tokyo')
  """,
]

private let dateTexts: [(String, Bool)] =
  [
    "1974", "1826", "2099", "1974-08", "1974-08-03", "1974-08-03T12", "1974-08-03T12:05",
    "1974-08-03 12:05:09", "1974-05-01T10:00:00.5", "1974-05-01T10:00:00.500",
    "1974-05-01 10:00:00.123456789", "2024-02-29", "2099-12-31T23:59:59",
  ].map { ($0, true) }
  + [
    "", "197", "19740", "1974-8", "1974-08-3", "1974-13", "1974-00", "1974-08-00", "2024-02-30",
    "2023-02-29", "2024-04-31", "1000", "1825", "2100", "2100-01-01", "1974-08-03T",
    "1974-08-03T24",
    "1974-08-03T24:00:00", "1974-08-03T12:60", "1974-08-03T12:05:60", "1974-08-03t12:05",
    "1974-08-03T12:05:09Z", "1974-08-03T12:05Z", "1974-08-03T12:05:09+09:00",
    "1974-08-03T12:05+09:00", "1974-08-03T12:05:09.", "1974-08-03T12:05:09.5Z",
    "1974-08-03T12:05:09.1234567890", "1974-08-03T12:05:09,5", "1974-08-03  12:05",
    "1974 08", "1974/08/03", "1974:08:03", "1974-08 03", "+974", "-974", " 1974", "1974 ",
    "1974-+8", "1974-08-03T+2:05", "１９７４", "197é", "1974\u{0}-8", "now", "2450000.5", "0x7b6",
    "1974-08-03T12:05:09.٣", "1974-08-03T12.05", "1974-08-03T12:05.09",
  ].map { ($0, false) }
