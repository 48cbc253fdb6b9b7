import IndexStore
import Library
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// A tree that was renamed as it was is moved without a look at any of its photos.
struct MovedTreeTests {
  /// Renames, and expects each photo below to be where it went, moved once, and no row to be read.
  private func expectUnseenMoves(
    from old: String, to new: String, _ files: [String],
    prepare: (FixtureLibrary) throws -> Void = { _ in }
  ) async throws {
    let library = try FixtureLibrary()
    for (number, name) in files.enumerated() { try library.write(name, photo(number)) }
    try prepare(library)
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    try library.disk.move(old, to: new)
    let summary = try await library.sync()
    let moved = before.filter { $0.key.hasPrefix(old + "/") }
    let after = before.map { path, id in
      (moved[path] == nil ? path : new + path.dropFirst(old.count), id)
    }
    #expect(try library.photos() == Dictionary(uniqueKeysWithValues: after))
    #expect(summary.counts.moved == moved.count)
    #expect([summary.photoRowsRead, summary.filesRead] == [0, 0])
    #expect(
      try library.feed(after: end).sorted() == moved.values.map { "move \($0) path" }.sorted())
    try await expectRowsOfNewIndex(library)
    #expect(try await library.sync().photoRowsRead == 0)
  }

  /// Paths and tokens are what an index made from nothing has.
  private func expectRowsOfNewIndex(_ library: FixtureLibrary) async throws {
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    let paths =
      "SELECT path, hex(path_bytes), search_path FROM photo "
      + "WHERE missing_since IS NULL ORDER BY path_key"
    #expect(try library.query(paths) == fresh.query(paths))
    #expect(try library.tokens() == fresh.tokens())
  }

  @Test func `with directories below it, and others beside it that begin like it`() async throws {
    try await expectUnseenMoves(
      from: "x", to: "z/y",
      ["x/a.jpg", "x/deep/B.JPG", "x/deep/er/c.jpg", "x-/d.jpg", "x0/e.jpg", "z/g/f.jpg"])
  }

  @Test func `to a longer name and to a shorter one`() async throws {
    try await expectUnseenMoves(
      from: "x/y", to: "longer", ["x/y/a.jpg", "x/y/Y/b.jpg", "x/z/c.jpg"])
    try await expectUnseenMoves(from: "longer", to: "l", ["longer/a.jpg", "longer/longer/b.jpg"])
  }

  @Test(arguments: [
    ("2024", "사진"), ("사진", "2024"), ("사진", "여행"), ("Été", "É"), ("ÉTÉ", "x"), ("x", "Straße"),
  ])
  func `whatever its letters are`(old: String, new: String) async throws {
    try await expectUnseenMoves(
      from: old, to: new, ["\(old)/a.jpg", "\(old)/B/가을.jpg", "\(old)/B/Ä.JPG"]
    ) { library in
      // Neither name is one that the path can spell.
      try library.disk.write(
        Array("\(old)/B/".utf8) + [0xff, 0x5c] + Array(".jpg".utf8), photo(100))
      try library.disk.write(Array("\(old)/\\é".utf8) + [0xfe] + Array(".jpg".utf8), photo(101))
    }
  }

  @Test func `what the user said of its photos stays, and so do the hashes' tokens`() async throws {
    let library = try FixtureLibrary(["x/y/a.jpg": photo(1), "x/b.jpg": photo(2)])
    try await library.sync()
    try library.write(byHand: "UPDATE photo SET is_favorite = 1 WHERE path = 'x/y/a.jpg'")
    let token = try #require(try library.contentToken("x/y"))
    try library.disk.move("x", to: "z")
    library.settings.hashesNow = false
    try await library.sync()
    #expect(try library.value("is_favorite", of: "z/y/a.jpg") == "1")
    #expect(try library.contentToken("z/y") == token)
  }

  @Test func `one of whose photos was changed on the way`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "x/y/b.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    try library.disk.move("x", to: "z")
    try library.write("z/a.jpg", photo(3))
    try await library.sync()
    #expect(try library.id("z/y/b.jpg") == before["x/y/b.jpg"])
    try await expectRowsOfNewIndex(library)
  }

  @Test func `with a photo that has a missing hard link`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "x/c.jpg": photo(2)])
    try await library.sync()
    try library.disk.hardLink("b.jpg", to: "x/a.jpg")
    try await library.sync()
    let before = try library.photos()
    library.disk.remove("b.jpg")
    try await library.sync()
    try library.disk.move("x", to: "y")
    try await library.sync()
    let states = try library.states()
    #expect(states.values.sorted() == ["missing", "present", "present"])
    #expect(
      try library.photos() == ["y/a.jpg": before["x/a.jpg"], "y/c.jpg": before["x/c.jpg"]])
  }

  @Test func `two of them that are hard links of each other`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    try library.disk.makeDirectory("y")
    try library.disk.hardLink("y/a.jpg", to: "x/a.jpg")
    try await library.sync()
    let before = try library.photos()
    try library.disk.move("x", to: "p")
    try library.disk.move("y", to: "q")
    try await library.sync()
    #expect(try library.paths() == ["p/a.jpg", "q/a.jpg"])
    #expect(try library.photos().values.sorted() == before.values.sorted())
  }

  @Test func `with a photo that a rule had left out by the name of the tree`() async throws {
    let library = try FixtureLibrary(["x/a.jpg": photo(1), "x/b.jpg": photo(2)])
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("/x/b.jpg"))])
    try await library.sync()
    let before = try library.photos()
    try library.disk.move("x", to: "y")
    try await library.sync()
    #expect(try library.id("y/a.jpg") == before["x/a.jpg"])
    #expect(try library.paths() == ["y/a.jpg", "y/b.jpg"])
  }

  @Test func `and back before the pass that moved it has come to its end`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x/y/b.jpg": photo(2), "c.jpg": photo(3),
    ])
    try await library.sync()
    let before = try library.photos()
    for count in 1...12 {
      try library.disk.move("x", to: "z")
      try? await library.sync(cutAfter: count)
      try library.disk.move("z", to: "x")
      try await library.sync()
      #expect(try library.photos() == before, "cut after \(count) reports")
    }
  }
}
