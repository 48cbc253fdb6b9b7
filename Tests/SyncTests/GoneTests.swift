import IndexStore
import Library
import Sync
import TestSupport
import Testing

/// Rows go on evidence, and come back with all that the user gave them.
struct GoneTests {
  @Test func `a deleted photo is missing, and its neighbours are not`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x/b.jpg": photo(2), "y/c.jpg": photo(3),
    ])
    try await library.sync()
    let end = try library.feedEnd()
    let id = try #require(try library.id("x/a.jpg"))
    library.disk.remove("x/a.jpg")
    #expect(try await library.sync().counts.removed == 1)
    #expect(try library.paths() == ["x/b.jpg", "y/c.jpg"])
    #expect(try library.states()[id] == "missing")
    #expect(try library.feed(after: end) == ["delete \(id)"])
  }

  @Test func `a deleted tree is missing with all in it`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x/y/b.jpg": photo(2), "x/y/z/c.jpg": photo(3), "x0.jpg": photo(4),
    ])
    try await library.sync()
    library.disk.remove("x")
    #expect(try await library.sync().counts.removed == 3)
    #expect(try library.paths() == ["x0.jpg"])
    #expect(try library.query("SELECT directory FROM sync_state") == [""])
  }

  @Test func `the last photo of all is missing, too`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    library.disk.remove("a.jpg")
    let summary = try await library.sync()
    // ext4, xfs and btrfs have an identity: an empty root of theirs is a root without photos.
    #expect(summary.counts.removed == 1)
    #expect(try library.paths() == [])
  }

  @Test func `an empty root on a file system without identity is offline`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "x/b.jpg": photo(2)], on: "/dev/shm")
    try await library.sync()
    let before = try library.photos()
    library.disk.remove("a.jpg")
    library.disk.remove("x")
    let summary = try await library.sync()
    guard case .offline = summary.result else { return #expect(summary.result == .changed) }
    #expect(try library.photos() == before)
    #expect(try library.query("SELECT state FROM roots") == ["offline"])
    #expect(try library.query("SELECT state_reason <> '' FROM roots") == ["1"])
  }

  @Test func `a root that is not there is offline, until it is there again`() async throws {
    let library = try FixtureLibrary(["photos/a.jpg": photo(1)])
    let path = library.disk.path("photos")
    let row = try await library.index.attach(
      RootDeclaration(name: "photos", path: path, owner: nil))
    func sync() async throws -> SyncSummary {
      var pass = SyncPass(
        root: SyncRoot(id: row?.id ?? 0, name: "photos", path: path, rules: PhotoRules()),
        index: library.index, places: nil, settings: library.settings, clock: library.clock.now,
        report: { _ in })
      return try await pass.run(kind: "test")
    }
    _ = try await sync()
    try library.disk.move("photos", to: "unplugged")
    let summary = try await sync()
    #expect(summary.counts.removed == 0)
    #expect(try library.query("SELECT state FROM roots") == ["offline"])
    #expect(try library.query("SELECT count(*) FROM photos") == ["1"])
    try library.disk.move("unplugged", to: "photos")
    #expect(try await sync().filesRead == 0)
    #expect(try library.query("SELECT state FROM roots") == ["online"])
    #expect(try library.query("SELECT id FROM photos") == ["1"])
  }

  /// A disk was mounted at `x`, and now its mount point alone is there.
  @Test(arguments: ["x", "x/deep"])
  func `rows of another file system than is there now are kept`(mount: String) async throws {
    let library = try FixtureLibrary([
      "a.jpg": photo(1), "x/b.jpg": photo(2), "x/deep/c.jpg": photo(3),
    ])
    try await library.sync()
    let before = try library.photos()
    try library.write(
      byHand: """
        UPDATE sync_state SET filesystem = 'ext4-1234', change_token = NULL
        WHERE directory = '\(mount)' OR directory LIKE '\(mount)/%';
        UPDATE sync_state SET change_token = NULL
        """)
    library.disk.remove("x/deep/c.jpg")
    library.disk.remove("a.jpg")
    let summary = try await library.sync()
    #expect(summary.counts.removed == 1)
    #expect(try library.paths() == before.keys.sorted().filter { $0 != "a.jpg" })
    #expect(try library.query("SELECT directory FROM unreadable") == ["x/deep"])
    // It stays so, however often one looks.
    try await library.sync()
    #expect(try library.paths() == before.keys.sorted().filter { $0 != "a.jpg" })
    #expect(try library.changeToken("x/deep") == nil)
  }

  @Test func `a mount point that is gone with its disk keeps its rows`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "x/b.jpg": photo(2)])
    try await library.sync()
    try library.write(
      byHand: "UPDATE sync_state SET filesystem = 'ext4-1234' WHERE directory = 'x'")
    library.disk.remove("x")
    for _ in 0..<2 {
      #expect(try await library.sync().counts.removed == 0)
      #expect(try library.paths() == ["a.jpg", "x/b.jpg"])
      #expect(try library.query("SELECT directory FROM unreadable") == ["x"])
    }
    // The disk is back.
    try library.write("x/b.jpg", photo(2))
    try await library.sync()
    #expect(try library.query("SELECT directory FROM unreadable") == [])
    #expect(try library.query("SELECT id FROM photos") == ["1", "2"])
  }

  @Test func `a missing photo that comes back is the photo it was`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    let aside = try TemporaryDirectory()
    try await library.sync()
    try library.write(byHand: "UPDATE photo SET is_favorite = 1")
    try run(["/bin/mv", library.disk.path + "/x/a.jpg", aside.path + "/a.jpg"])
    try await library.sync()
    #expect(try library.paths() == [])
    let end = try library.feedEnd()
    // The same inode, with another change time.
    try run(["/bin/mv", aside.path + "/a.jpg", library.disk.path + "/x/a.jpg"])
    let summary = try await library.sync()
    #expect(summary.restored == 1)
    #expect(summary.counts.added == 0)
    #expect(try library.query("SELECT id, is_favorite FROM photos") == ["1|1"])
    #expect(try library.feed(after: end) == ["restore 1"])
  }

  @Test func `it does so without a hash, by its inode`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.settings.contentHashing = .off
    let aside = try TemporaryDirectory()
    try await library.sync()
    try run(["/bin/mv", library.disk.path + "/a.jpg", aside.path + "/a.jpg"])
    try await library.sync()
    try run(["/bin/mv", aside.path + "/a.jpg", library.disk.path + "/a.jpg"])
    try await library.sync()
    #expect(try library.query("SELECT id FROM photos") == ["1"])
  }

  @Test func `a restored backup with other stamps is the photo it was`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    library.disk.remove("a.jpg")
    try await library.sync()
    try library.write("a.jpg", photo(1))
    #expect(try await library.sync().restored == 1)
    #expect(try library.photos() == before)
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `other bytes at a missing path are another photo`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    library.disk.remove("a.jpg")
    try await library.sync()
    try library.write("a.jpg", photo(2))
    let summary = try await library.sync()
    #expect(summary.counts.added == 1)
    #expect(summary.restored == 0)
    #expect(try library.query("SELECT id FROM photos") == ["2"])
    #expect(try library.states() == [1: "missing", 2: "present"])
  }

  @Test func `of two missing photos of one path, the one with the bytes comes back`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    library.disk.remove("a.jpg")
    try await library.sync()
    try library.write("a.jpg", photo(2) + [0])
    try await library.sync()
    library.disk.remove("a.jpg")
    try await library.sync()
    try library.write("a.jpg", photo(1))
    try await library.sync()
    #expect(try library.query("SELECT id FROM photos") == ["1"])
  }

  @Test func `a missing photo comes back under the path of another missing one`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2) + [0]])
    try await library.sync()
    let before = try library.photos()
    library.disk.remove("a.jpg")
    library.disk.remove("b.jpg")
    try await library.sync()
    try library.write("b.jpg", photo(1))
    try await library.sync()
    #expect(try library.photos() == ["b.jpg": try #require(before["a.jpg"])])
  }

  @Test func `all photos of a root that a rule left out are missing once they and it are gone`()
    async throws
  {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("x/"))])
    try await library.sync()
    #expect(try library.states() == [1: "excluded"])
    library.disk.remove("x")
    library.rules = PhotoRules()
    try await library.sync()
    #expect(try library.states() == [1: "missing"])
  }

  @Test func `all photos of a directory with a marker are missing once they and it are gone`()
    async throws
  {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    try library.disk.write("x/.nomedia", [])
    try await library.sync()
    let id = try #require(try library.query("SELECT id FROM photo WHERE path = 'x/a.jpg'").first)
    #expect(try library.states()[Int64(id) ?? 0] == "excluded")
    library.disk.remove("x/a.jpg")
    library.disk.remove("x/.nomedia")
    try await library.sync()
    #expect(try library.states()[Int64(id) ?? 0] == "missing")
  }

  @Test func `an excluded photo whose file is gone is missing once its rule is`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("a.jpg"))])
    try await library.sync()
    library.disk.remove("a.jpg")
    try await library.sync()
    #expect(try library.states().values.sorted() == ["excluded", "present"])
    library.rules = PhotoRules()
    try await library.sync()
    #expect(try library.states().values.sorted() == ["missing", "present"])
  }

  @Test func `a pass that was cut short takes nothing for gone`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "y/b.jpg": photo(2)])
    try await library.sync()
    library.disk.remove("x")
    await #expect(throws: CancellationError.self) {
      try await library.sync(cutAfter: 1)
    }
    #expect(try library.paths() == ["x/a.jpg", "y/b.jpg"])
  }
}
