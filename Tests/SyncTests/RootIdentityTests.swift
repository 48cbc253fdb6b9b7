import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// Which directory a root is, by its file system and the way to it, whatever its path.
struct RootIdentityTests {
  @Test func `one file system is known again by its name, or else by its type`() {
    let (ext4, exfat) = (0xef53, 0x2011_bab0)
    let known = FileSystem(type: exfat, stableIdentity: "exfat-1234-ABCD")
    #expect(known.canBe("exfat-1234-ABCD"))
    #expect(!known.canBe("exfat-1234-ABCE"))
    // udev did not answer then, or does not answer now.
    #expect(known.canBe("exfat"))
    #expect(FileSystem(type: exfat, stableIdentity: nil).canBe("exfat-1234-ABCD"))
    #expect(!FileSystem(type: ext4, stableIdentity: nil).canBe("exfat-1234-ABCD"))
    #expect(!FileSystem(type: ext4, stableIdentity: "ext4-1").canBe("exfat"))
  }

  @Test func `the way below the file system counts where that has a name`() {
    func identity(_ name: String?, _ path: String?) -> RootIdentity {
      RootIdentity(
        fileSystem: FileSystem(type: 0xef53, stableIdentity: name),
        path: path.map { Array($0.utf8) })
    }
    #expect(identity("ext4-1", "/photos").text == "ext4-1:/photos")
    #expect(identity(nil, "/photos").text == nil)
    #expect(identity("ext4-1", "/photos").canBe("ext4-1:/photos"))
    #expect(!identity("ext4-1", "/").canBe("ext4-1:/photos"))
    #expect(identity("ext4-1", "/a:b").canBe("ext4-1:/a:b"))
    #expect(identity("ext4-1", "/other").canBe("ext4-1"))
    #expect(identity("ext4-1", nil).canBe("ext4-1:/photos"))
    #expect(identity(nil, "/").canBe("ext4-1:/photos"))
  }

  /// The directories of these names are below `disk`, the root is at `photos`.
  private func sync(_ library: FixtureLibrary, at name: String = "photos") async throws
    -> SyncSummary
  {
    let path = library.disk.path(name)
    let row = try await library.index.attach(
      RootDeclaration(name: "photos", path: path, owner: nil))
    var pass = SyncPass(
      root: SyncRoot(id: row?.id ?? 0, name: "photos", path: path, rules: PhotoRules()),
      index: library.index, places: nil, settings: library.settings, clock: library.clock.now,
      report: { _ in })
    return try await pass.run(kind: "test")
  }

  @Test func `a root that a link to elsewhere replaced is held`() async throws {
    let library = try FixtureLibrary([
      "photos/a.jpg": photo(1), "photos/b.jpg": photo(2), "other/c.jpg": photo(3),
    ])
    _ = try await sync(library)
    let end = try library.feedEnd()
    try library.disk.move("photos", to: "kept")
    try library.disk.link("photos", to: "other")
    let refused = try await sync(library)
    #expect(refused.refused != nil)
    #expect(refused.filesRead == 0)
    #expect(try library.query("SELECT state FROM roots") == ["held"])
    #expect(try library.feed(after: end) == [])
    library.disk.remove("photos")
    try library.disk.link("photos", to: "kept")
    // The photos themselves are behind this one.
    let back = try await sync(library)
    #expect(back.result == .unchanged)
    #expect(back.filesRead == 0)
    #expect(try library.query("SELECT state, state_reason FROM roots") == ["online|"])
    #expect(try library.feed(after: end) == [])
  }

  @Test func `a link that leads to nothing is a root that is not there`() async throws {
    let library = try FixtureLibrary(["photos/a.jpg": photo(1)])
    _ = try await sync(library)
    try library.disk.move("photos", to: "kept")
    try library.disk.link("photos", to: "nowhere")
    #expect(try await !sync(library).isOfRoot)
    #expect(try library.query("SELECT state FROM roots") == ["offline"])
    #expect(try library.query("SELECT count(*) FROM photos") == ["1"])
  }

  @Test func `a root with another path in the configuration is the same root`() async throws {
    let library = try FixtureLibrary(["photos/a.jpg": photo(1), "photos/x/b.jpg": photo(2)])
    _ = try await sync(library)
    let before = try library.query("SELECT id, file, local_identifier FROM photos ORDER BY 1")
    try library.disk.move("photos", to: "pictures")
    let end = try library.feedEnd()
    let moved = try await sync(library, at: "pictures")
    #expect(moved.filesRead == 0)
    #expect(moved.result == .unchanged)
    #expect(
      try library.query("SELECT id, file, local_identifier FROM photos ORDER BY 1") == before)
    #expect(try library.feed(after: end).sorted() == ["move 1 path", "move 2 path"])
    #expect(
      try library.query("SELECT filesystem LIKE '%/pictures' FROM roots") == ["1"])
  }

  @Test func `nothing is held where there is nothing to lose`() async throws {
    let library = try FixtureLibrary(["photos/note.txt": [1], "other/c.jpg": photo(3)])
    _ = try await sync(library)
    library.disk.remove("photos")
    try library.disk.link("photos", to: "other")
    #expect(try await sync(library).counts.added == 1)
  }

  /// FAT, exFAT and FUSE make inode numbers up at each mount.
  @Test func `new inode numbers cost nothing where they do not count`() async throws {
    let library = try FixtureLibrary(["photos/a.jpg": photo(1), "photos/x/b.jpg": photo(2)])
    library.countsInodes = false
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    try run(["/bin/cp", "-rp", library.disk.path + "/photos", library.disk.path + "/copy"])
    library.disk.remove("photos")
    try library.disk.move("copy", to: "photos")
    let again = try await library.sync()
    #expect(again.result == .unchanged)
    #expect(again.filesRead == 0)
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])
  }
}
