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
}
