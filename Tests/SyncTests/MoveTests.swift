import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// Photos under a new path are the photos they were.
struct MoveTests {
  /// Syncs, moves, and syncs: each photo must keep its id and be fed as a move, and no file may
  /// be read.
  private func expectMoves(
    _ files: [String], _ expected: [String: String], countsInodes: Bool? = nil,
    _ move: (TemporaryDirectory) throws -> Void
  ) async throws {
    let library = try FixtureLibrary()
    library.countsInodes = countsInodes
    for (number, name) in files.enumerated() { try library.write(name, photo(number)) }
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    try move(library.disk)
    let summary = try await library.sync()
    let after = Dictionary(
      uniqueKeysWithValues: before.map { (expected[$0.key] ?? $0.key, $0.value) })
    #expect(try library.photos() == after)
    #expect(summary.counts.moved == expected.count)
    if countsInodes == nil { #expect(summary.filesRead == 0) }
    let ids = expected.keys.compactMap { before[$0] }.map { "move \($0) path" }
    #expect(try library.feed(after: end).sorted() == ids.sorted())
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `a new name in the same directory`() async throws {
    try await expectMoves(["x/a.jpg", "x/b.jpg"], ["x/a.jpg": "x/c.jpg"]) {
      try $0.move("x/a.jpg", to: "x/c.jpg")
    }
  }

  @Test func `another directory`() async throws {
    try await expectMoves(["x/a.jpg", "x/b.jpg"], ["x/a.jpg": "y/z/a.jpg"]) {
      try $0.makeDirectory("y/z")
      try $0.move("x/a.jpg", to: "y/z/a.jpg")
    }
  }

  @Test func `a renamed tree`() async throws {
    let files = ["x/a.jpg", "x/deep/b.jpg", "x/deep/er/c.jpg", "y/d.jpg"]
    let moved = [
      "x/a.jpg": "2024/a.jpg", "x/deep/b.jpg": "2024/deep/b.jpg",
      "x/deep/er/c.jpg": "2024/deep/er/c.jpg",
    ]
    try await expectMoves(files, moved) { try $0.move("x", to: "2024") }
  }

  @Test func `a swap of two names`() async throws {
    try await expectMoves(["a.jpg", "y/b.jpg"], ["a.jpg": "y/b.jpg", "y/b.jpg": "a.jpg"]) {
      try $0.exchange("a.jpg", "y/b.jpg")
    }
  }

  @Test func `a swap of two trees`() async throws {
    let moved = ["x/a.jpg": "y/a.jpg", "x/b.jpg": "y/b.jpg", "y/a.jpg": "x/a.jpg"]
    try await expectMoves(["x/a.jpg", "x/b.jpg", "y/a.jpg"], moved) { try $0.exchange("x", "y") }
  }

  @Test func `a chain of renames`() async throws {
    let moved = ["1.jpg": "2.jpg", "2.jpg": "3.jpg", "3.jpg": "4.jpg"]
    try await expectMoves(["1.jpg", "2.jpg", "3.jpg"], moved) {
      try $0.move("3.jpg", to: "4.jpg")
      try $0.move("2.jpg", to: "3.jpg")
      try $0.move("1.jpg", to: "2.jpg")
    }
  }

  @Test func `a ring of three`() async throws {
    let moved = ["1.jpg": "2.jpg", "2.jpg": "3.jpg", "3.jpg": "1.jpg"]
    try await expectMoves(["1.jpg", "2.jpg", "3.jpg"], moved) {
      try $0.exchange("1.jpg", "2.jpg")
      try $0.exchange("1.jpg", "3.jpg")
    }
  }

  @Test func `only the case`() async throws {
    try await expectMoves(["a.jpg"], ["a.jpg": "A.JPG"]) { try $0.move("a.jpg", to: "A.JPG") }
  }

  @Test func `from composed to decomposed letters`() async throws {
    let (composed, decomposed) = ("caf\u{e9}.jpg", "cafe\u{301}.jpg")
    let library = try FixtureLibrary([composed: photo(1)])
    try await library.sync()
    let end = try library.feedEnd()
    try library.disk.move(composed, to: decomposed)
    #expect(try await library.sync().counts.moved == 1)
    #expect(try library.feed(after: end) == ["move 1 path"])
    #expect(try library.query("SELECT hex(path) FROM photo") == ["63616665CC812E6A7067"])
  }

  @Test func `by content where inodes do not count`() async throws {
    try await expectMoves(["x/a.jpg", "b.jpg"], ["x/a.jpg": "y/c.jpg"], countsInodes: false) {
      try $0.makeDirectory("y")
      try $0.move("x/a.jpg", to: "y/c.jpg")
    }
  }

  @Test func `by content while another file of the directory is still being written`() async throws
  {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    library.countsInodes = false
    try await library.sync()
    let id = try library.id("x/a.jpg")
    try library.disk.makeDirectory("y")
    try library.disk.move("x/a.jpg", to: "y/a.jpg")
    try library.disk.write("y/b.jpg", photo(2))
    try library.disk.touch("y/b.jpg", modified: 4_000_000_000)
    let summary = try await library.sync()
    #expect(summary.counts.moved == 1)
    #expect(try library.paths() == ["y/a.jpg", "y/b.jpg"])
    #expect(try library.id("y/a.jpg") == id)
  }

  @Test func `of two files with the bytes, none is the one that went`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.countsInodes = false
    try await library.sync()
    let id = try #require(try library.id("a.jpg"))
    library.disk.remove("a.jpg")
    try library.write("b.jpg", photo(1))
    try library.write("c.jpg", photo(1))
    #expect(try await library.sync().counts.moved == 0)
    #expect(try library.states()[id] == "missing")
    #expect(try library.paths() == ["b.jpg", "c.jpg"])
  }

  @Test func `a copy beside the photo is a photo of its own`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.countsInodes = false
    try await library.sync()
    let id = try library.id("a.jpg")
    try library.write("b.jpg", photo(1))
    let summary = try await library.sync()
    #expect(summary.counts.added == 1)
    #expect(try library.id("a.jpg") == id)
    #expect(try library.query("SELECT copies FROM duplicates") == ["2", "2"])
  }

  @Test func `a move by content brings the stamps of the new file`() async throws {
    let library = try FixtureLibrary()
    library.countsInodes = false
    try library.write("a.jpg", photo(1))
    try await library.sync()
    #expect(try library.value("taken_source", of: "a.jpg") == "original")
    try library.disk.move("a.jpg", to: "b.jpg")
    // Long before the photo says that it was taken.
    try library.disk.touch("b.jpg", modified: 1_600_000_000)
    #expect(try await library.sync().counts.moved == 1)
    #expect(try library.value("taken_source", of: "b.jpg") == "original-future")
  }

  @Test func `over another photo: the inode beats the path`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    try library.disk.move("b.jpg", to: "a.jpg")
    let summary = try await library.sync()
    #expect(summary.counts.moved == 1)
    #expect(summary.counts.removed == 1)
    #expect(try library.photos() == ["a.jpg": try #require(before["b.jpg"])])
    #expect(try library.states()[try #require(before["a.jpg"])] == "missing")
    #expect(
      try library.feed(after: end) == [
        "delete \(before["a.jpg"] ?? 0)", "move \(before["b.jpg"] ?? 0) path",
      ])
  }

  @Test func `a moved file and a new one under its old name`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    let id = try library.id("a.jpg")
    try library.disk.move("a.jpg", to: "b.jpg")
    try library.write("a.jpg", photo(2))
    let summary = try await library.sync()
    #expect(summary.counts.moved == 1)
    #expect(summary.counts.added == 1)
    #expect(try library.id("b.jpg") == id)
  }

  @Test func `where inodes do not count, too, whatever has the old name`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    library.countsInodes = false
    try await library.sync()
    let id = try #require(try library.id("x/a.jpg"))
    try library.disk.move("x/a.jpg", to: "b.jpg")
    try library.write("x/a.jpg", photo(2))
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.added] == [1, 1])
    #expect(try library.id("b.jpg") == id)
  }

  @Test func `a photo that another one was written over lives on in a copy that came with that`()
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.write("b.jpg", photo(1))
    try library.write("a.jpg", photo(2))
    try await library.sync()
    #expect(try library.photos() == ["a.jpg": 2, "b.jpg": 1])
  }

  @Test func `a photo that a rule left out has its own path again, and not another's row`()
    async throws
  {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    try library.disk.hardLink("b.jpg", to: "x/a.jpg")
    try await library.sync()
    let id = try #require(try library.id("x/a.jpg"))
    library.rules = PhotoRules(exclude: [try #require(Glob("x/"))])
    try library.replace("b.jpg", photo(2))
    try await library.sync()
    library.rules = PhotoRules()
    // With something new, rows that are missing are thought of.
    try library.write("new.jpg", photo(3))
    try await library.sync()
    #expect(try library.id("x/a.jpg") == id)
    #expect(try library.states()[3 - id] == "missing")
  }

  @Test func `a photo is moved over one that a rule left out`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    library.rules = PhotoRules(exclude: [try #require(Glob("x/"))])
    try await library.sync()
    library.rules = PhotoRules()
    try library.disk.move("b.jpg", to: "x/a.jpg")
    try await library.sync()
    #expect(try library.photos() == ["x/a.jpg": try #require(before["b.jpg"])])
    #expect(try library.states().values.sorted() == ["missing", "present"])
  }

  @Test func `a photo that was found before it was missed is the photo it was`() async throws {
    let library = try FixtureLibrary(["old/a.jpg": photo(1), "new/b.jpg": photo(2)])
    try await library.sync()
    let id = try #require(try library.id("old/a.jpg"))
    try library.write(
      byHand: """
        UPDATE photo SET is_favorite = 1;
        INSERT INTO photo_time (photo_id, local) VALUES (\(id), '1974-07');
        """)
    try library.disk.move("old/a.jpg", to: "new/a.jpg")
    #expect(try await library.sync("new").counts.added == 1)
    let stranger = try #require(try library.id("new/a.jpg"))
    try library.write(
      byHand: """
        INSERT INTO album (name) VALUES ('Trip');
        INSERT INTO album_photo (album_id, photo_id) VALUES (1, \(stranger));
        """)
    let end = try library.feedEnd()
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.removed, summary.filesRead] == [1, 0, 0])
    #expect(try library.id("new/a.jpg") == id)
    #expect(try library.states().count == 2)
    #expect(
      try library.query(
        "SELECT album_id, photo_id FROM album_photo WHERE photo_id IN (\(id), \(stranger))")
        == ["0|\(id)", "1|\(id)"])
    #expect(
      try library.value("is_favorite || taken_local", of: "new/a.jpg") == "11974-07-01T00:00:00")
    let feed = try library.feed(after: end)
    #expect(feed == ["delete \(stranger)", "update \(id) albums", "move \(id) path"])
    #expect(try library.shell.faults() == [])
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `a copy that was found before the photo was missed is a photo of its own`()
    async throws
  {
    let library = try FixtureLibrary(["old/a.jpg": photo(1), "new/b.jpg": photo(2)])
    try await library.sync()
    let id = try #require(try library.id("old/a.jpg"))
    try library.write("new/a.jpg", photo(1))
    try await library.sync("new")
    let copy = try library.id("new/a.jpg")
    library.disk.remove("old/a.jpg")
    #expect(try await library.sync().counts.removed == 1)
    #expect(try library.id("new/a.jpg") == copy)
    #expect(try library.states()[id] == "missing")
  }

  @Test func `a renamed tree where inodes do not count, before any hash`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x/b.jpg": photo(2), "x/deep/c.jpg": photo(3), "y/d.jpg": photo(4),
    ])
    library.countsInodes = false
    library.settings.contentHashing = .off
    try await library.sync()
    let before = try library.photos()
    try library.disk.move("x", to: "z")
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.filesRead] == [3, 0])
    let names = ["x/a.jpg": "z/a.jpg", "x/b.jpg": "z/b.jpg", "x/deep/c.jpg": "z/deep/c.jpg"]
    let after = before.map { (names[$0.key] ?? $0.key, $0.value) }
    #expect(try library.photos() == Dictionary(uniqueKeysWithValues: after))
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `of two trees with the same names and stamps, none is guessed`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "y/a.jpg": photo(2)])
    library.countsInodes = false
    library.settings.contentHashing = .off
    for name in ["x/a.jpg", "y/a.jpg"] { try library.disk.touch(name, modified: 1_720_000_000) }
    try await library.sync()
    try library.disk.move("x", to: "p")
    try library.disk.move("y", to: "q")
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.added, summary.counts.removed] == [0, 2, 2])
  }

  @Test func `a tree that came with a file more is not the one that went`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    library.countsInodes = false
    library.settings.contentHashing = .off
    try await library.sync()
    try library.disk.move("x", to: "z")
    try library.write("z/b.jpg", photo(2))
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.added, summary.counts.removed] == [0, 2, 1])
  }

  @Test func `a row of a root that is detached is no heir of a photo that goes`() async throws {
    let library = try FixtureLibrary(["s/a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let id = try #require(try library.id("s/a.jpg"))
    try library.write(byHand: "UPDATE photo SET is_favorite = 1 WHERE id = \(id)")
    // As if another configuration had once named a part of the library as a root of its own.
    try library.shell.execute(
      """
      INSERT INTO root (id, name, path, state) VALUES (9, 'part', '\(library.disk.path)/s', 'online');
      INSERT INTO photo (root_id, local_identifier, path, size, mtime_ns, ctime_ns, inode,
          reader_version, added_at)
        SELECT 9, 'other', 'a.jpg', size, mtime_ns, ctime_ns, inode, reader_version, 0
        FROM photo WHERE id = \(id);
      UPDATE root SET state = 'detached' WHERE id = 9;
      """)
    library.disk.remove("s/a.jpg")
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.removed] == [0, 1])
    #expect(
      try library.query("SELECT root, is_favorite FROM photos_all WHERE id = \(id)") == ["photos|1"]
    )
    try library.write("s/a.jpg", photo(1))
    try await library.sync()
    #expect(try library.id("s/a.jpg") == id)
  }

  @Test(arguments: [["old", "new"], ["new", "old"]])
  func `a photo that moved from one root to another keeps its id`(order: [String]) async throws {
    let library = try FixtureLibrary(["old/a.jpg": photo(1), "old/b.jpg": photo(2)])
    try library.disk.makeDirectory("new")
    let index = library.index
    func sync(_ name: String) async throws -> SyncSummary {
      let path = library.disk.path("\(name)")
      let row = try await index.attach(RootDeclaration(name: name, path: path, owner: nil))
      var pass = SyncPass(
        root: SyncRoot(id: row?.id ?? 0, name: name, path: path, rules: PhotoRules()),
        index: index, places: nil, settings: library.settings, clock: library.clock.now,
        report: { _ in })
      return try await pass.run(kind: "test")
    }
    _ = try await sync("old")
    let before = try library.query("SELECT file, id FROM photos ORDER BY file")
    try library.disk.move("old/a.jpg", to: "new/a.jpg")
    var moved = 0
    for name in order { moved += try await sync(name).counts.moved }
    #expect(moved == 1)
    #expect(
      try library.query("SELECT root, file FROM photos ORDER BY file")
        == ["new|a.jpg", "old|b.jpg"])
    #expect(try library.query("SELECT file, id FROM photos ORDER BY file") == before)
    #expect(try library.shell.faults() == [])
  }
}
