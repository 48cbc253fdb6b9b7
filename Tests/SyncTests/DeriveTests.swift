import IndexStore
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
