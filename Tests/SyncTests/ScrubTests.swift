import IndexStore
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// Files that are read again, to see whether they are still what they were.
struct ScrubTests {
  /// Its three photos have been hashed a day ago.
  private func library() async throws -> FixtureLibrary {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2), "x/c.jpg": photo(3)])
    try await library.sync()
    library.clock.set(ahead: .seconds(3600 + 86_400))
    return library
  }

  private func scrub(
    _ library: FixtureLibrary, _ files: Int = 100, onlyTouched: Bool = false
  ) async throws -> SyncSummary {
    library.settings.scrub = Scrub(files: files, onlyTouched: onlyTouched)
    defer { library.settings.scrub = nil }
    return try await library.sync()
  }

  /// Other bytes of the same length under the same time.
  private func overwrite(_ library: FixtureLibrary, _ name: String, _ number: Int) throws {
    let stamp = try library.query("SELECT mtime_ns / 1000000000 FROM photo WHERE path = '\(name)'")
    try library.disk.write(name, photo(number))
    try library.disk.touch(name, modified: try #require(Int(stamp[0])))
  }

  private func suspects(_ library: FixtureLibrary) throws -> [String] {
    try library.query("SELECT path, kind FROM suspects ORDER BY path").map {
      String($0.dropFirst(library.disk.path.count + 1))
    }
  }

  @Test func `files that are what they were are verified without a word`() async throws {
    let library = try await library()
    let end = try library.feedEnd()
    // Each once, though more were asked for.
    let summary = try await scrub(library)
    #expect(summary.verified == 3)
    #expect(summary.suspects == [:])
    #expect(try suspects(library) == [])
    #expect(try library.feed(after: end) == [])
    #expect(try library.query("SELECT count(*) FROM photo WHERE hash_due = 1") == ["0"])
  }

  @Test func `who asks for it has one file verified at least, however few are due`() async throws {
    let library = try await library()
    _ = try await library.index.scrub(of: 1, .seconds(30 * 86_400))
    // Of three in 30 days, none is due after one.
    let asked = try await library.index.scrub(of: 1, .seconds(30 * 86_400))
    #expect(asked == Scrub(files: 1, onlyTouched: false))
    #expect(try await scrub(library, asked.files).verified == 1)
  }

  @Test func `what was verified longest ago has its turn first, what was touched before all`()
    async throws
  {
    let library = try await library()
    try library.write(
      byHand: """
        UPDATE photo SET hashed_at = hashed_at - 20 WHERE path = 'b.jpg';
        UPDATE photo SET hash_due = 1 WHERE path = 'x/c.jpg';
        CREATE TABLE my_before AS SELECT id, hashed_at FROM photo
        """)
    func verified() throws -> [String] {
      try library.query(
        """
        SELECT path FROM photo JOIN my_before USING (id)
        WHERE photo.hashed_at <> my_before.hashed_at ORDER BY 1
        """)
    }
    #expect(try await scrub(library, 1).verified == 1)
    #expect(try verified() == ["x/c.jpg"])
    #expect(try await scrub(library, 1).verified == 1)
    #expect(try verified() == ["b.jpg", "x/c.jpg"])
  }

  /// To the index nothing but the hash tells of it.
  @Test func `bit rot is corrupt, and the row keeps the hash of the good bytes`() async throws {
    let library = try await library()
    library.countsInodes = false
    let good = try library.value("content_hash", of: "b.jpg")
    try overwrite(library, "b.jpg", 9)
    let end = try library.feedEnd()
    let summary = try await scrub(library)
    #expect(summary.suspects == [.corrupt: 1])
    #expect(try suspects(library) == ["b.jpg|corrupt"])
    #expect(try library.value("content_hash", of: "b.jpg") == good)
    #expect(
      try library.query("SELECT old_hash = '\(good ?? "")', new_hash <> old_hash FROM suspects")
        == ["1|1"])
    #expect(try library.feed(after: end) == [])
    // It is told once more, and then put right from a backup.
    #expect(try await scrub(library).suspects == [.corrupt: 1])
    try overwrite(library, "b.jpg", 2)
    #expect(try await scrub(library).suspects == [:])
    #expect(try suspects(library) == [])
  }

  @Test func `corrupt bytes that are accepted are read anew`() async throws {
    let library = try await library()
    library.countsInodes = false
    let good = try library.value("content_hash", of: "x/c.jpg")
    try overwrite(library, "x/c.jpg", 9)
    _ = try await scrub(library)
    let path = RelativePath("x/c.jpg")
    #expect(try await library.index.accept(RelativePath("a.jpg"), in: 1) == nil)
    #expect(try await library.index.accept(path, in: 1) == .corrupt)
    try await library.sync()
    #expect(try suspects(library) == [])
    let hash = try library.value("content_hash", of: "x/c.jpg")
    #expect(hash != good && hash != nil)
    #expect(try library.value("taken_local", of: "x/c.jpg") == "2024-05-01T13:00:09")
    #expect(try library.query("SELECT lower(hex(content_hash)) FROM hash_history") == [good])
    #expect(try library.contentToken() != nil)
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    #expect(try library.tokens() == fresh.tokens())
  }

  @Test func `a corrupt file that gets another time is a changed one`() async throws {
    let library = try await library()
    library.countsInodes = false
    try overwrite(library, "b.jpg", 9)
    _ = try await scrub(library)
    try library.touch("b.jpg")
    try await library.sync()
    #expect(try suspects(library) == [])
    #expect(try library.value("taken_local", of: "b.jpg") == "2024-05-01T13:00:09")
  }

  /// Its change time tells that somebody wrote, however the time was put back.
  @Test func `other bytes under the old time are replaced, and an update`() async throws {
    let library = try await library()
    let (old, id) = (
      try library.value("content_hash", of: "x/c.jpg"), try #require(try library.id("x/c.jpg"))
    )
    try overwrite(library, "x/c.jpg", 9)
    let end = try library.feedEnd()
    let summary = try await scrub(library, onlyTouched: true)
    #expect(summary.verified == 1)
    #expect(summary.suspects == [.replaced: 1])
    #expect(try suspects(library) == ["x/c.jpg|replaced"])
    #expect(try library.query("SELECT lower(hex(content_hash)) FROM hash_history") == [old])
    #expect(try library.feed(after: end).contains { $0.contains("content_hash") })
    #expect(try library.id("x/c.jpg") == id)
    #expect(try library.value("taken_local", of: "x/c.jpg") == "2024-05-01T13:00:09")
    try await library.sync()
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    #expect(try library.shell.contents() == fresh.shell.contents())
    #expect(try library.tokens() == fresh.tokens())
  }

  /// The same time, size, and metadata: only the pixels differ.
  @Test func `other pixels under the old time are found by the hash alone`() async throws {
    let library = try await library()
    let old = try library.value("content_hash", of: "x/c.jpg")
    var bytes = photo(3)
    bytes[bytes.count - 3] ^= 1
    let stamp = try library.query("SELECT mtime_ns / 1000000000 FROM photo WHERE path = 'x/c.jpg'")
    try library.disk.write("x/c.jpg", bytes)
    try library.disk.touch("x/c.jpg", modified: try #require(Int(stamp[0])))
    try await library.sync()
    #expect(try library.value("content_hash", of: "x/c.jpg") == old)
    let end = try library.feedEnd()
    let summary = try await scrub(library, onlyTouched: true)
    #expect(summary.verified == 1)
    #expect(summary.suspects == [.replaced: 1])
    #expect(try suspects(library) == ["x/c.jpg|replaced"])
    #expect(try library.value("content_hash", of: "x/c.jpg") != old)
    let id = try #require(try library.id("x/c.jpg"))
    #expect(try library.feed(after: end) == ["update \(id) content_hash"])
    try await library.sync()
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    #expect(try library.tokens() == fresh.tokens())
  }

  /// As a change of the time zone does to FAT.
  @Test func `files that shifted by an hour are read once at most, and without a word`()
    async throws
  {
    let library = try await library()
    library.countsInodes = false
    let end = try library.feedEnd()
    for name in ["a.jpg", "b.jpg", "x/c.jpg"] {
      let stamp = try library.query(
        "SELECT mtime_ns / 1000000000 FROM photo WHERE path = '\(name)'")
      try library.disk.touch(name, modified: try #require(Int(stamp[0])) + 3600)
    }
    #expect(try await library.sync().filesRead == 0)
    #expect(try await scrub(library, onlyTouched: true).filesRead == 3)
    #expect(try await scrub(library, onlyTouched: true).filesRead == 0)
    #expect(try library.feed(after: end) == [])
    #expect(try suspects(library) == [])
  }

  @Test func `each file has its turn within the time`() async throws {
    let library = try FixtureLibrary()
    for number in 0..<60 { try library.write("\(number).jpg", photo(number)) }
    try await library.sync()
    let (interval, day) = (Int64(30 * 86_400), Int64(86_400))
    #expect(try await library.index.scrubShare(of: 1, interval: interval) == 0)
    var verified = 0
    for days in 1...30 {
      library.clock.set(ahead: .seconds(3600 + day * Int64(days)))
      let due = try await library.index.scrubShare(of: 1, interval: interval)
      // 60 files in 30 days.
      #expect(due == 2)
      verified += try await scrub(library, due).verified
      try await library.index.spendScrub(of: 1, files: due, interval: interval)
    }
    #expect(verified == 60)
    let oldest = try library.query(
      "SELECT count(*) FROM photo WHERE hashed_at < unixepoch() + 86400")
    #expect(oldest == ["0"])
    // After a long sleep all are due, and never more than that; nor by a clock that was put back.
    library.clock.set(ahead: .seconds(400 * day))
    #expect(try await library.index.scrubShare(of: 1, interval: interval) == 60)
    library.clock.set(ahead: .zero)
    #expect(try await library.index.scrubShare(of: 1, interval: interval) == 0)
  }
}
