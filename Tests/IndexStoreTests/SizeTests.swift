import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// What keeps the index small.
@Suite struct SizeTests {
  /// By SQLite's own count of the bytes in its cells. The time of the hashing comes to it, which has a
  /// column of its own and takes 4 bytes until 2038.
  @Test func `hashes take the room that a row was made with`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg", "c.jpg")
    let bytes = "SELECT sum(payload) FROM dbstat WHERE name = 'photo'"
    let before = try filled.shell.integer(bytes) ?? 0
    let hashes = try hashes()
    try await filled.index.store(
      ["a.jpg", "b.jpg", "c.jpg"].map {
        PhotoHashes(id: try filled.id($0), fingerprint: stamps(10), hashes: hashes)
      })
    #expect(
      try filled.shell.rows("SELECT count(*) FROM photo WHERE content_hash NOT NULL") == ["3"])
    #expect(before > 0)
    #expect(try filled.shell.integer(bytes) == before)
  }

  @Test func `a photo that comes with its hashes takes the same room`() async throws {
    let bytes = "SELECT sum(payload) FROM dbstat WHERE name = 'photo'"
    let without = try await FilledIndex()
    try await without.index.apply([.insert(reading("a.jpg"))], to: without.root)
    let with = try await FilledIndex()
    try await with.index.apply([.insert(reading("a.jpg", hashes: try hashes()))], to: with.root)
    let room = try #require(try without.shell.integer(bytes))
    #expect(try with.shell.integer(bytes) == room)
  }

  private func hashes() throws -> FileHashes {
    let content = try #require(Hash(bytes: (0..<32).map { UInt8($0) }))
    return FileHashes(content: content, image: ImageHash(bytes: (32..<48).map { UInt8($0) }))
  }

  @Test func `a lens is one row, however many photos were taken with it`() async throws {
    let filled = try await FilledIndex()
    let lenses = ["RF85mm", "RF85mm", nil, "Z 50mm", "RF85mm"]
    var writes: [PhotoWrite] = []
    for (number, lens) in lenses.enumerated() {
      var exposure = Exposure()
      exposure.lens = lens
      exposure.fNumber = 2
      writes.append(.insert(reading("\(number).jpg", exposure: exposure)))
    }
    try await filled.index.apply(writes, to: filled.root)
    let named = try filled.shell.rows("SELECT name FROM lens WHERE name IS NOT NULL ORDER BY name")
    #expect(named == ["RF85mm", "Z 50mm"])
    let shown = try filled.shell.rows(
      "SELECT substr(path, 4), coalesce(lens, 'none') FROM exposures ORDER BY path")
    #expect(
      shown == [
        "0.jpg|RF85mm", "1.jpg|RF85mm", "2.jpg|none", "3.jpg|Z 50mm", "4.jpg|RF85mm",
      ])
  }

  /// A 0 is in the header of a row, and takes nothing behind it (SQLite, "Record Format").
  @Test func `common words are numbers, and others stay what they are`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    try filled.shell.execute(
      "UPDATE photo SET media_type_code = 'image/x-new' WHERE path = 'b.jpg'")
    #expect(
      try filled.shell.rows(
        "SELECT media_type_code, photos.media_type FROM photo JOIN photos USING (id) ORDER BY id")
        == ["0|image/jpeg", "image/x-new|image/x-new"])
    #expect(throws: SQLiteError.self) {
      try filled.shell.execute("UPDATE photo SET taken_precision_code = 6")
    }
  }
}
