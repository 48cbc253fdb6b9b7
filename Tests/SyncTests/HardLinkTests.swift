import IndexStore
import Sync
import TestSupport
import Testing

/// Several names of one file are photos of their own, each with its row.
struct HardLinkTests {
  @Test func `hard links are photos of their own`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try library.disk.hardLink("b.jpg", to: "a.jpg")
    try await library.sync()
    let before = try library.photos()
    #expect(before.count == 2)
    try library.disk.hardLink("c.jpg", to: "a.jpg")
    #expect(try await library.sync().counts.added == 1)
    #expect(try library.paths() == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(try library.photos().filter { $0.key != "c.jpg" } == before)
  }

  @Test func `of two hard links, the older row lives on when its name is removed`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.disk.hardLink("b.jpg", to: "a.jpg")
    try await library.sync()
    try library.write(byHand: "INSERT INTO photo_rating SELECT id, 4 FROM photo")
    library.disk.remove("a.jpg")
    let summary = try await library.sync()
    #expect([summary.counts.moved, summary.counts.removed] == [1, 0])
    #expect(try library.photos() == ["b.jpg": 1])
    #expect(try library.value("rating", of: "b.jpg") == "4")
  }

  @Test func `of two hard links, the older is told what was said of the younger`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.settings.contentHashing = .off
    try await library.sync()
    try library.disk.hardLink("b.jpg", to: "a.jpg")
    try await library.sync()
    try library.write(byHand: "UPDATE photo SET is_favorite = 1 WHERE id = 2")
    library.disk.remove("b.jpg")
    #expect(try await library.sync().counts.removed == 1)
    #expect(try library.photos() == ["a.jpg": 1])
    #expect(try library.value("is_favorite", of: "a.jpg") == "1")
    #expect(try library.states() == [1: "present", 2: "missing"])
  }

  @Test func `hard links in a renamed tree stay who they were`() async throws {
    let library = try FixtureLibrary(["x/b.jpg": photo(1)])
    for name in ["a", "c", "d"] { try library.disk.hardLink("x/\(name).jpg", to: "x/b.jpg") }
    try await library.sync()
    let before = try library.photos()
    library.disk.remove("x/a.jpg")
    try library.disk.move("x", to: "y")
    try await library.sync()
    let after = try library.photos()
    for name in ["b.jpg", "c.jpg", "d.jpg"] { #expect(after["y/" + name] == before["x/" + name]) }
  }

  @Test func `an older row whose path another photo takes lives on as the link that moves`()
    async throws
  {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    try await library.sync()
    try library.disk.makeDirectory("z")
    try library.disk.hardLink("z/b.jpg", to: "x/a.jpg")
    try library.write("z/other.jpg", photo(2))
    try await library.sync()
    try library.write(byHand: "INSERT INTO photo_rating VALUES (1, 4)")
    let other = try #require(try library.id("z/other.jpg"))
    try library.disk.move("z/other.jpg", to: "x/a.jpg")
    try library.disk.move("z", to: "y")
    let summary = try await library.sync()
    #expect(try library.photos() == ["x/a.jpg": other, "y/b.jpg": 1])
    #expect(summary.counts.moved == 2)
    #expect(try library.value("rating", of: "y/b.jpg") == "4")
  }

  @Test func `a link that is missing does not come back for an older row that moves to its name`()
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.disk.makeDirectory("x")
    try library.disk.hardLink("x/b.jpg", to: "a.jpg")
    try await library.sync()
    library.disk.remove("x/b.jpg")
    try await library.sync()
    try library.write("y/b.jpg", photo(2))
    try await library.sync()
    let other = try #require(try library.id("y/b.jpg"))
    try library.disk.exchange("a.jpg", "y/b.jpg")
    try await library.sync()
    #expect(try library.photos() == ["a.jpg": other, "y/b.jpg": 1])
  }
}
