import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// Triggers write the feed, so that no edit misses it.
struct FeedTests {
  @Test func `a new photo is an insert, and its device another`() async throws {
    let filled = try await FilledIndex()
    let device = DeviceIdentity(make: "Canon", model: "R5", serial: nil)
    try await filled.index.apply(
      [.insert(reading("a.jpg", device: device)), .insert(reading("b.jpg", device: device))],
      to: filled.root)
    #expect(
      try filled.feed().sorted() == ["device insert 1", "photo insert 1", "photo insert 2"])
    #expect(try filled.shell.rows("SELECT count(DISTINCT mark) = count(*) FROM change") == ["1"])
  }

  @Test func `an update names the columns that changed`() async throws {
    let filled = try await FilledIndex("a.jpg")
    let end = try filled.end()
    try await filled.index.apply(
      [.update(id: 1, reading("a.jpg", size: 11), .other)], to: filled.root)
    #expect(try filled.feed(after: end) == ["photo update 1 size"])
  }

  @Test func `what is not in the contract is not in the feed`() async throws {
    let filled = try await FilledIndex("a.jpg")
    let end = try filled.end()
    let later = Fingerprint(
      size: 10, modified: Timestamp(nanoseconds: 2), changed: Timestamp(nanoseconds: 3), inode: 4)
    try await filled.index.apply(
      [.refresh(id: 1, later, hashDue: true), .update(id: 1, reading("a.jpg"), .same)],
      to: filled.root)
    #expect(try filled.feed(after: end) == [])
  }

  @Test func `leaving is a delete and coming back a restore`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    let end = try filled.end()
    try await filled.index.apply(
      [.leave(id: 1, .missing), .leave(id: 2, .excluded), .leave(id: 2, .missing)],
      to: filled.root)
    try await filled.index.apply([.comeBack(id: 1), .comeBack(id: 2)], to: filled.root)
    #expect(
      try filled.feed(after: end)
        == ["photo delete 1", "photo delete 2", "photo restore 1", "photo restore 2"])
  }

  @Test func `a purge of a missing row says nothing more`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    try await filled.index.apply([.leave(id: 1, .missing)], to: filled.root)
    let end = try filled.end()
    try filled.shell.execute("DELETE FROM photo WHERE id = 1; DELETE FROM photo WHERE id = 2")
    #expect(try filled.feed(after: end) == ["photo delete 2"])
  }

  @Test func `a move is one entry`() async throws {
    let filled = try await FilledIndex("a.jpg")
    let end = try filled.end()
    let move = PhotoMove(id: 1, path: RelativePath("b.jpg"), fingerprint: stamps(10))
    try await filled.index.move([move], exchanging: false, to: filled.root)
    #expect(try filled.feed(after: end) == ["photo move 1 path"])
  }

  @Test func `a swap is two moves and nothing else`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    let end = try filled.end()
    let moves = [
      PhotoMove(id: 1, path: RelativePath("b.jpg"), fingerprint: stamps(10)),
      PhotoMove(id: 2, path: RelativePath("a.jpg"), fingerprint: stamps(10)),
    ]
    try await filled.index.move(moves, exchanging: true, to: filled.root)
    #expect(try filled.feed(after: end) == ["photo move 1 path", "photo move 2 path"])
    #expect(
      try filled.shell.rows("SELECT id, path, path_bytes FROM photo") == ["1|b.jpg|", "2|a.jpg|"])
  }

  @Test func `what a person writes is in the feed`() async throws {
    let filled = try await FilledIndex("a.jpg")
    let end = try filled.end()
    try filled.shell.execute(
      """
      UPDATE photo SET is_favorite = 1 WHERE id = 1;
      UPDATE photo SET is_favorite = 1 WHERE id = 1;
      INSERT INTO photo_rating VALUES (1, 5);
      UPDATE photo_rating SET rating = 3;
      DELETE FROM photo_rating;
      """)
    #expect(
      try filled.feed(after: end) == [
        "photo update 1 is_favorite", "photo update 1 rating", "photo update 1 rating",
        "photo update 1 rating",
      ])
  }

  @Test func `what happens to a detached root is no news, and its return is a restore`()
    async throws
  {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    _ = try await filled.index.attach([])
    let end = try filled.end()
    try filled.shell.execute(
      """
      UPDATE photo SET is_favorite = 1 WHERE id = 1;
      INSERT INTO photo_rating VALUES (1, 5);
      UPDATE photo SET missing_since = 1 WHERE id = 2;
      """)
    #expect(try filled.feed(after: end) == [])
    _ = try await filled.index.attach([
      RootDeclaration(name: "r", path: Array("/r".utf8), owner: nil)
    ])
    #expect(try filled.feed(after: end) == ["photo restore 1"])
  }

  @Test func `words of a photo leave the index sound by SQLite's own check`() async throws {
    let filled = try await FilledIndex("a.jpg")
    try filled.shell.execute(
      """
      INSERT INTO text (photo_id, kind, language, text, source)
        VALUES (1, 'title', 'en', 'Sea', 'xmp');
      INSERT INTO keyword (photo_id, keyword, source) VALUES (1, 'sea', 'xmp');
      """)
    #expect(try filled.shell.faults() == [])
  }

  @Test func `a new word to search a place by is told`() async throws {
    let filled = try await FilledIndex()
    try filled.shell.execute(
      """
      INSERT INTO place (id, source, level, code, name, label, search)
        VALUES (1, 's', 'country', 'KR', 'Korea', 'Korea', 'korea');
      UPDATE place SET search = 'korea corea', latitude = 36.5, longitude = 127.8;
      """)
    #expect(
      try filled.feed() == ["place insert 1", "place update 1 latitude,longitude,search"])
  }

  @Test func `a rating of a photo that is gone is no news`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    try await filled.index.apply(
      [.leave(id: 1, .missing), .leave(id: 2, .excluded)], to: filled.root)
    let end = try filled.end()
    try filled.shell.execute(
      """
      INSERT INTO photo_rating VALUES (1, 5), (2, 5);
      UPDATE photo_rating SET rating = 3;
      DELETE FROM photo_rating;
      """)
    #expect(try filled.feed(after: end) == [])
  }

  @Test func `a device's new name is the device's change`() async throws {
    let filled = try await FilledIndex()
    let device = DeviceIdentity(make: "Canon", model: "R5", serial: nil)
    try await filled.index.apply([.insert(reading("a.jpg", device: device))], to: filled.root)
    let end = try filled.end()
    try filled.shell.execute("UPDATE device SET name = 'Mina''s', is_registered = 1")
    #expect(try filled.feed(after: end) == ["device update 1 name,is_registered"])
  }

  @Test func `a root's photos leave and return with it`() async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    let end = try filled.end()
    _ = try await filled.index.attach([])
    #expect(try filled.feed(after: end) == ["photo delete 1", "photo delete 2"])
    #expect(try filled.shell.rows("SELECT id FROM photos") == [])
    #expect(try filled.shell.rows("SELECT state FROM photos_all") == ["detached", "detached"])
    let again = try filled.end()
    _ = try await filled.index.attach([
      RootDeclaration(name: "r", path: Array("/elsewhere".utf8), owner: nil)
    ])
    #expect(
      try filled.feed(after: again).filter { $0.contains("restore") }
        == ["photo restore 1", "photo restore 2"])
    #expect(
      try filled.shell.rows("SELECT path FROM photos")
        == ["/elsewhere/a.jpg", "/elsewhere/b.jpg"])
  }

  @Test func `one path is not two roots`() async throws {
    let filled = try await FilledIndex()
    await #expect(throws: IndexError.rootNamedTwice(path: "/r", name: "s", known: "r")) {
      try await filled.index.attach(
        RootDeclaration(name: "s", path: Array("/r".utf8), owner: nil))
    }
  }

  @Test func `what a failed transaction wrote is not in the feed`() async throws {
    let filled = try await FilledIndex("a.jpg")
    let end = try filled.end()
    let device = DeviceIdentity(make: "Canon", model: "R5", serial: nil)
    await #expect(throws: (any Error).self) {
      try await filled.index.apply(
        [.insert(reading("b.jpg", device: device)), .insert(reading("a.jpg"))], to: filled.root)
    }
    #expect(try filled.feed(after: end) == [])
    // The device's row went with it, and its id must not be remembered.
    try await filled.index.apply([.insert(reading("b.jpg", device: device))], to: filled.root)
    #expect(
      try filled.shell.rows("SELECT file, device FROM photos ORDER BY 1") == [
        "a.jpg|", "b.jpg|Canon R5",
      ])
    #expect(try filled.shell.faults() == [])
  }
}
