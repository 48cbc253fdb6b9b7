import Decoding
import Glibc
import IndexStore
import Linux
import Metadata
import Model
import Sync
import TestSupport
import Testing

/// Files that changed where they are.
struct ChangeTests {
  @Test func `new bytes in place are an update with the same id`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    let tagged = retagged(photo(1), as: "2024:05:02 09:00:00")
    try library.write("a.jpg", tagged)
    let summary = try await library.sync()
    #expect(summary.counts.updated == 1)
    #expect(try library.photos() == before)
    #expect(try library.value("taken_local", of: "a.jpg") == "2024-05-02T09:00:00")
    let id = try #require(before["a.jpg"])
    let changes = try library.feed(after: end)
    #expect(changes.allSatisfy { $0.hasPrefix("update \(id) ") })
    #expect(changes.contains { $0.contains("taken_local") })
    #expect(try library.query("SELECT photo_id FROM hash_history") == ["\(id)"])
  }

  @Test func `an editor that renames over the file updates it`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    let before = try library.photos()
    try library.replace("a.jpg", retagged(photo(1), as: "2024:05:02 09:00:00"))
    let summary = try await library.sync()
    #expect(summary.counts.updated == 1)
    #expect(summary.counts.added == 0)
    #expect(try library.photos() == before)
  }

  @Test(arguments: [1, 200_000]) func `a file that was only touched is nothing to tell`(
    more: Int
  ) async throws {
    let bytes = photo(1) + [UInt8](repeating: 7, count: more)
    let library = try FixtureLibrary(["a.jpg": bytes])
    try await library.sync()
    let hash = try library.value("content_hash", of: "a.jpg")
    let end = try library.feedEnd()
    try library.touch("a.jpg")
    let summary = try await library.sync()
    #expect([summary.counts.updated, summary.filesRead] == [1, 1])
    #expect(try library.value("content_hash", of: "a.jpg") == hash)
    #expect(hash != nil)
    #expect(try library.feed(after: end) == [])
  }

  @Test func `a size that changed is an update, too`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    let before = try library.photos()
    try library.write("a.jpg", photo(1) + [0, 0, 0])
    try await library.sync()
    #expect(try library.photos() == before)
    #expect(try library.value("size", of: "a.jpg") == "\(photo(1).count + 3)")
  }

  @Test func `a touched file is read again and says nothing new`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    let hash = try library.value("content_hash", of: "a.jpg")
    let before = try library.photos()
    try library.touch("a.jpg")
    #expect(try await library.sync().filesRead > 0)
    #expect(try library.photos() == before)
    #expect(try library.value("content_hash", of: "a.jpg") == hash)
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `a chmod costs a look at the head, and the hash is to be verified`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let end = try library.feedEnd()
    let hash = try library.value("content_hash", of: "a.jpg")
    try library.disk.setMode("a.jpg", 0o600)
    let summary = try await library.sync()
    #expect(summary.filesRead == 1)
    #expect(summary.hashed == 0)
    #expect(try library.feed(after: end) == [])
    #expect(try library.value("content_hash", of: "a.jpg") == hash)
    #expect(
      try library.query("SELECT path, hash_due FROM photo ORDER BY path")
        == ["a.jpg|1", "b.jpg|0"])
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `a chmod says nothing where change times do not count`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.countsInodes = false
    try await library.sync()
    try library.disk.setMode("a.jpg", 0o600)
    let summary = try await library.sync()
    #expect(summary.result == .unchanged)
    #expect(summary.photoRowsRead == 0)
  }

  /// FAT keeps local time: in summer all its files are an hour younger.
  @Test(arguments: [3600, -7200, 3601])
  func `a shift by whole hours costs no reading where FAT may be the cause`(seconds: Int)
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.countsInodes = false
    try library.disk.touch("a.jpg", modified: 1_720_000_000)
    try await library.sync()
    let end = try library.feedEnd()
    try library.disk.touch("a.jpg", modified: 1_720_000_000 + seconds)
    #expect(try await library.sync().filesRead == 0)
    #expect(try library.feed(after: end) == [])
    #expect(try library.query("SELECT hash_due FROM photo") == ["1"])
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `a clock that went backwards hides no change`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.write("a.jpg", retagged(photo(1), as: "2024:05:02 09:00:00"))
    try library.disk.touch("a.jpg", modified: 1_000_000_000)
    try await library.sync()
    #expect(
      try library.value("taken_local", of: "a.jpg") == "2024-05-02T09:00:00")
  }

  @Test func `a file just written is looked at twice in one pass`() async throws {
    let library = try youngLibrary(["a.jpg": photo(1), "old/b.jpg": photo(2)])
    let (settled, clock) = (EventCounter(), library.clock)
    let first = try await library.sync { event in
      settled.count(event)
      if case .settling = event { clock.set(ahead: .seconds(3600)) }
    }
    #expect(settled.settlings == 1)
    #expect(first.counts.added == 2)
    #expect(first.filesRead == 2)  // once, for the metadata and the hash
    #expect(try library.changeToken() != nil)
    let second = try await library.sync { settled.count($0) }
    #expect(settled.settlings == 1)
    #expect(second.photoRowsRead == 0)
  }

  @Test func `a stamp that stays in the future is waited for once`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try library.disk.touch("a.jpg", modified: 4_000_000_000)
    let settled = EventCounter()
    try await library.sync { settled.count($0) }
    #expect(settled.settlings == 1)
    #expect(try library.paths() == ["a.jpg"])
    let second = try await library.sync { settled.count($0) }
    #expect(settled.settlings == 1)
    #expect(second.photoRowsRead == 0)
  }

  @Test func `what is written while a pass waits is read by that pass`() async throws {
    let library = try youngLibrary(["x/a.jpg": photo(1)])
    let (disk, clock) = (library.disk, library.clock)
    try await library.sync { event in
      guard case .settling = event else { return }
      try? disk.write("x/a.jpg", photo(3))
      clock.set(ahead: .seconds(3600))
    }
    #expect(try library.value("taken_local", of: "x/a.jpg") == "2024-05-01T13:00:03")
    #expect(try library.changeToken() != nil)
  }

  /// The file may be written once more within one tick of the clock that stamps it.
  @Test func `a file still young after the wait leaves its directory open`() async throws {
    let library = try youngLibrary(["x/a.jpg": photo(1), "y/b.jpg": photo(2)])
    let (disk, clock) = (library.disk, library.clock)
    try await library.sync { event in
      guard case .settling = event else { return }
      pause(milliseconds: 60)  // twice as long as a file must rest
      try? disk.write("x/a.jpg", photo(3))
      clock.freeze()
    }
    #expect(try library.value("taken_local", of: "x/a.jpg") == "2024-05-01T13:00:03")
    #expect(try library.changeToken("x") == nil)
    #expect(try library.changeToken() == nil)
    #expect(try library.changeToken("y") != nil)
    library.clock.set(ahead: .seconds(3600))
    try await library.sync()
    #expect(try library.changeToken() != nil)
  }

  @Test func `a camera that counted over has another photo under the old name`() async throws {
    let library = try FixtureLibrary(["DSC_0001.jpg": photo(1)])
    try await library.sync()
    let old = try #require(try library.id("DSC_0001.jpg"))
    try library.write(
      byHand: """
        INSERT INTO album (name) VALUES ('Trip'); INSERT INTO album_photo VALUES (1, \(old), 0);
        UPDATE photo SET is_favorite = 1; INSERT INTO photo_rating VALUES (\(old), 4)
        """)
    let end = try library.feedEnd()
    try library.replace("DSC_0001.jpg", photo(2))
    let summary = try await library.sync()
    #expect(summary.counts.added == 1)
    #expect(summary.counts.removed == 1)
    let new = try #require(try library.id("DSC_0001.jpg"))
    #expect(new != old)
    #expect(try library.states() == [old: "missing", new: "present"])
    // What was said was said of the old one.
    #expect(
      try library.query("SELECT album_id, photo_id FROM album_photo ORDER BY 1")
        == ["0|\(old)", "1|\(old)"])
    #expect(try library.query("SELECT is_favorite, rating FROM photos") == ["0|"])
    #expect(try library.query("SELECT rating FROM photo_rating") == ["4"])
    #expect(try library.feed(after: end) == ["delete \(old)", "insert \(new)"])
    // Its file turns up elsewhere, and it is the photo that it was.
    try library.write("kept/DSC_0001.jpg", photo(1))
    try await library.sync()
    #expect(try library.photos() == ["DSC_0001.jpg": new, "kept/DSC_0001.jpg": old])
    #expect(
      try library.query(
        "SELECT photos.id FROM album_photo JOIN photos ON id = photo_id WHERE album_id = 1")
        == ["\(old)"])
  }

  @Test func `it has one, too, when the new photo could not be read at first`() async throws {
    let library = try FixtureLibrary(["DSC_0001.jpg": photo(1)])
    try await library.sync()
    let old = try #require(try library.id("DSC_0001.jpg"))
    try library.write(byHand: "UPDATE photo SET is_favorite = 1")
    try library.replace("DSC_0001.jpg", photo(2))
    library.decoder = RefusedDecoder()
    try await library.sync()
    try await library.sync()
    #expect(try library.states() == [old: "present"])
    #expect(try library.query("SELECT reason FROM pending") == ["permission"])
    #expect(try library.changeToken() == nil)
    library.decoder = InProcessDecoder()
    try await library.sync()
    let new = try #require(try library.id("DSC_0001.jpg"))
    #expect(try library.states() == [old: "missing", new: "present"])
    #expect(try library.query("SELECT is_favorite FROM photos") == ["0"])
    #expect(try library.query("SELECT count(*) FROM pending") == ["0"])
  }

  @Test func `a file that is empty and cannot be read leaves its row as it was`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    let hash = try #require(try library.value("content_hash", of: "a.jpg"))
    try library.write("a.jpg", [])
    library.decoder = RefusedDecoder()
    try await library.sync()
    #expect(try library.value("content_hash", of: "a.jpg") == hash)
    #expect(try library.query("SELECT reason FROM pending") == ["permission"])
    library.decoder = InProcessDecoder()
    try await library.sync()
    #expect(try library.query("SELECT kind, old_hash FROM suspects") == ["damaged|\(hash)"])
    #expect(try library.query("SELECT reason FROM pending") == ["truncated"])
  }

  @Test func `without an image hash, the device or the pixel size tells two photos apart`()
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2), "c.jpg": photo(3)])
    library.settings.contentHashing = .off
    try await library.sync()
    let before = try library.photos()
    var wider = JPEGFixture.photo()
    wider.width = 128
    try library.write("a.jpg", wider.bytes)
    try library.write("b.jpg", JPEGFixture.photo(make: "Apple", model: "iPhone 15").bytes)
    try library.write("c.jpg", JPEGFixture.photo(taken: "2023:01:01 00:00:00").bytes)
    try await library.sync()
    let after = try library.photos()
    #expect(after["a.jpg"] != before["a.jpg"])
    #expect(after["b.jpg"] != before["b.jpg"])
    #expect(after["c.jpg"] == before["c.jpg"])
  }
}

/// A library whose clock stands still since before its files were written.
private func youngLibrary(_ files: KeyValuePairs<String, [UInt8]>) throws -> FixtureLibrary {
  let library = try FixtureLibrary()
  library.clock.freeze()
  for (name, bytes) in files { try library.write(name, bytes) }
  return library
}

/// The same picture with another capture time, of the same length.
func retagged(_ photo: [UInt8], as time: String) -> [UInt8] {
  let prefix = Array("2024:05:01 ".utf8)
  guard let start = photo.indices.first(where: { photo[$0...].starts(with: prefix) }) else {
    return photo
  }
  var tagged = photo
  tagged.replaceSubrange(start..<start + 19, with: Array(time.utf8))
  return tagged
}

/// Decodes nothing, as if no file could be opened.
private struct RefusedDecoder: Decoder {
  func metadata(of files: [DecoderInput]) -> [Result<MetadataReading, DecoderFailure>] {
    files.map { _ in refused() }
  }

  func digests(of files: [DecoderInput]) -> [Result<FileHashes, DecoderFailure>] {
    files.map { _ in refused() }
  }

  func sidecars(of files: [DecoderInput]) -> [Result<SidecarValues.Finding, DecoderFailure>] {
    files.map { _ in refused() }
  }

  func rest() {}

  private func refused<Value>() -> Result<Value, DecoderFailure> {
    .failure(.system(SystemError(call: "openat2", subject: "open file", code: EACCES)))
  }
}
