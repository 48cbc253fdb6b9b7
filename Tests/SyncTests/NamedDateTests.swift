import IndexStore
import Sync
import TestSupport
import Testing

/// Dates of names in the index: on and off, without a look at the files.
struct NamedDateTests {
  private let library: FixtureLibrary

  init() throws {
    library = try FixtureLibrary([
      "IMG_20190501_134510.jpg": undated(1), "IMG-20190501-WA0001.jpg": undated(2),
      "plain.jpg": undated(3), "IMG_20180101_000000.jpg": photo(4),
    ])
    library.settings.timeZone = "Asia/Seoul"
  }

  private func set(_ count: Bool) async throws {
    library.settings.namesTellDates = count
    try await library.index.setNamesTellDates(count)
  }

  private func dates() throws -> [String] {
    try library.query(
      "SELECT file, taken_local, taken_source, taken_precision FROM photos ORDER BY file")
  }

  private let own = "IMG_20180101_000000.jpg|2024-05-01T13:00:04|original+zone|second"
  private var dated: [String] {
    [
      "IMG-20190501-WA0001.jpg|2019-05-01T00:00:00|name+zone|day", own,
      "IMG_20190501_134510.jpg|2019-05-01T13:45:10|name+zone|second", "plain.jpg|||",
    ]
  }
  private var undatedRows: [String] {
    ["IMG-20190501-WA0001.jpg|||", own, "IMG_20190501_134510.jpg|||", "plain.jpg|||"]
  }

  @Test func `without the key a name tells nothing`() async throws {
    try await library.sync()
    #expect(try dates() == undatedRows)
  }

  @Test func `with the key it counts where the file has no date`() async throws {
    try await set(true)
    try await library.sync()
    #expect(try dates() == dated)
    // 13:45:10 in Seoul is 04:45:10 UTC.
    #expect(try library.value("taken_at", of: "IMG_20190501_134510.jpg") == "1556685910")
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `to turn the key reads no file and touches no other row`() async throws {
    try await library.sync()
    try await set(true)
    let on = try await library.sync()
    #expect(on.filesRead == 0)
    // The two that gain a date, and the one that could have.
    #expect(on.counts.updated == 3)
    #expect(try dates() == dated)
    #expect(try await library.sync().result == .unchanged)
    try await set(true)
    #expect(try await library.sync().result == .unchanged)
    try await set(false)
    #expect(try await library.sync().filesRead == 0)
    #expect(try dates() == undatedRows)
  }

  @Test func `a new name is a new date`() async throws {
    try await set(true)
    try await library.sync()
    try library.disk.move("plain.jpg", to: "2017-02-03.jpg")
    try library.disk.move("IMG_20190501_134510.jpg", to: "other.jpg")
    try library.disk.move("IMG_20180101_000000.jpg", to: "2016-02-03.jpg")
    let summary = try await library.sync()
    #expect(summary.counts.moved == 3)
    #expect(summary.filesRead == 0)
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    #expect(try library.shell.contents() == fresh.shell.contents())
    #expect(try library.value("taken_source", of: "2017-02-03.jpg") == "name+zone")
    #expect(try library.value("taken_local", of: "other.jpg") == nil)
  }

  @Test func `a new directory is none`() async throws {
    try await set(true)
    try await library.sync()
    try library.disk.makeDirectory("x")
    try library.disk.move("IMG_20190501_134510.jpg", to: "x/IMG_20190501_134510.jpg")
    let summary = try await library.sync()
    #expect(summary.counts.moved == 1)
    #expect(summary.counts.updated == 0)
  }

  @Test func `another zone moves the dates of names, too`() async throws {
    try await set(true)
    try await library.sync()
    library.settings.timeZone = "Europe/Berlin"
    let root = try #require(try await library.index.roots().first)
    try await library.index.setTimeZone(of: root, "Europe/Berlin")
    try await library.sync()
    // 13:45:10 in Berlin, in summer, is 11:45:10 UTC.
    #expect(try library.value("taken_at", of: "IMG_20190501_134510.jpg") == "1556711110")
  }

  @Test func `what the user says of the time wins`() async throws {
    try await set(true)
    try await library.sync()
    let id = try #require(try library.id("IMG_20190501_134510.jpg"))
    try library.write(byHand: "INSERT INTO photo_time (photo_id, local) VALUES (\(id), '1999')")
    try await library.sync()
    #expect(
      try library.value("taken_local", of: "IMG_20190501_134510.jpg") == "1999-01-01T00:00:00")
    try await set(false)
    try await library.sync()
    #expect(
      try library.value("taken_local", of: "IMG_20190501_134510.jpg") == "1999-01-01T00:00:00")
  }

  @Test func `an edit in the pass that turns the key is still an edit`() async throws {
    try await library.sync()
    let id = try library.id("IMG_20190501_134510.jpg")
    try await set(true)
    var edited = JPEGFixture.photo(taken: nil)
    edited.shade = 99
    try library.write("IMG_20190501_134510.jpg", edited.bytes)
    try await library.sync()
    #expect(try library.id("IMG_20190501_134510.jpg") == id)
  }

  @Test func `a file that could not be read has no date of its name`() async throws {
    try await set(true)
    try library.write("20200101.jpg", Array(photo(5).prefix(40)))
    try await library.sync()
    #expect(try library.value("taken_local", of: "20200101.jpg") == nil)
    #expect(try library.query("SELECT reason FROM pending") == ["truncated"])
  }
}

private func undated(_ number: Int) -> [UInt8] {
  var fixture = JPEGFixture.photo(taken: nil)
  fixture.shade = UInt8(number)
  return fixture.bytes
}
