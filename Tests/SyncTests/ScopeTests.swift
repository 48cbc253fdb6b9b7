import IndexStore
import Library
import Linux
import Model
import Sync
import TestSupport
import Testing

/// Passes over some directories, as events name them: not over all that lies below.
struct ScopeTests {
  private func files() -> KeyValuePairs<String, [UInt8]> {
    [
      "a.jpg": photo(1), "x/b.jpg": photo(2), "x/y/c.jpg": photo(3), "x/y/z/d.jpg": photo(4),
      "w/e.jpg": photo(5),
    ]
  }

  private func shallow(_ paths: String...) -> [SyncScope] {
    paths.map { SyncScope(RelativePath($0), isDeep: false) }
  }

  private func expectAsFresh(_ library: FixtureLibrary) async throws {
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    let (known, expected) = (try library.shell.contents(), try fresh.shell.contents())
    #expect(known == expected)
    let (tokens, freshTokens) = (try library.tokens(), try fresh.tokens())
    #expect(tokens == freshTokens)
  }

  @Test func `a shallow look does not look below, and knows what is there`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    try library.write("x/new.jpg", photo(6))
    let summary = try await library.sync(parts: shallow("x"))
    #expect(summary.counts.directories == 1)
    #expect(summary.counts.added == 1)
    try await expectAsFresh(library)
  }

  @Test func `a new tree is looked at whole`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    for name in ["x/n/1.jpg", "x/n/m/2.jpg", "x/n/m/k/3.jpg"] {
      try library.write(name, photo(name.count))
    }
    #expect(try await library.sync(parts: shallow("x")).counts.added == 3)
    try await expectAsFresh(library)
  }

  @Test func `a tree moves from one directory to another without a reading`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    let ids = try library.query("SELECT id FROM photos ORDER BY id")
    try library.disk.move("x/y", to: "w/moved")
    let summary = try await library.sync(
      parts: shallow("x", "w") + [SyncScope(RelativePath("w/moved"))])
    #expect(summary.counts.moved == 2)
    #expect(summary.filesRead == 0)
    #expect(summary.vanished.sorted() == [RelativePath("x/y"), RelativePath("x/y/z")])
    #expect(try library.query("SELECT id FROM photos ORDER BY id") == ids)
    try await expectAsFresh(library)
  }

  @Test func `a scope that is not there any more is told by what lies above it`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    library.disk.remove("x/y")
    let summary = try await library.sync(parts: shallow("x/y/z", "w"))
    #expect(summary.counts.removed == 2)
    #expect(try library.paths() == ["a.jpg", "w/e.jpg", "x/b.jpg"])
    try await expectAsFresh(library)
  }

  @Test func `a directory that is replaced by another is looked at whole, if it is to be`()
    async throws
  {
    let library = try FixtureLibrary(files())
    try await library.sync()
    library.disk.remove("x/y")
    try library.write("x/y/z/new.jpg", photo(9))
    try await library.sync(parts: shallow("x") + [SyncScope(RelativePath("x/y"))])
    try await expectAsFresh(library)
  }

  @Test func `a scope that a rule leaves out is told by what lies above it`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("x/y"))])
    try library.write("x/y/z/new.jpg", photo(9))
    try library.write("x/new.jpg", photo(10))
    let summary = try await library.sync(parts: [SyncScope(RelativePath("x/y/z"))])
    #expect(summary.excluded == 2)
    #expect(try library.paths() == ["a.jpg", "w/e.jpg", "x/b.jpg", "x/new.jpg"])
  }

  @Test func `young files are left for later, but for those that are complete`() async throws {
    let library = try FixtureLibrary(files())
    library.clock.set(ahead: .zero)
    library.settings.settle = .milliseconds(300)
    library.settings.waitsToSettle = false
    pause(milliseconds: 350)
    try await library.sync()
    try library.write("x/one.jpg", photo(7))
    try library.write("x/two.jpg", photo(8))
    let complete = SyncScope(
      RelativePath("x"), isDeep: false, complete: [Array("one.jpg".utf8)[...]])
    let first = try await library.sync(parts: [complete])
    #expect(first.unsettled == [RelativePath("x")])
    #expect(first.counts.added == 1)
    #expect(try library.id("x/one.jpg") != nil && library.id("x/two.jpg") == nil)
    #expect(try library.changeToken("x") == nil)
    pause(milliseconds: 350)
    let last = try await library.sync(
      parts: [SyncScope(RelativePath("x"), isDeep: false, isLastLook: true)])
    #expect(last.unsettled == [])
    #expect(last.counts.added == 1)
    // The directory above had lost its token, too.
    #expect(try library.changeToken() != nil)
    try await expectAsFresh(library)
  }

  @Test(arguments: 0..<12)
  func `whatever parts are looked at, those that changed are enough`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let library = try FixtureLibrary()
    let folders = ["", "a/", "a/b/", "a/b/c/", "d/", "d/e/", "a b/"]
    for number in 0..<20 {
      let folder = folders[number % folders.count]
      try library.write("\(folder)\(number).jpg", photo(number))
    }
    try await library.sync()
    for round in 0..<6 {
      var parts: Set<SyncScope> = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let (from, to) = (
          folders.randomElement(using: &generator) ?? "",
          folders.randomElement(using: &generator) ?? ""
        )
        let number = Int.random(in: 0..<20, using: &generator)
        if library.disk.holds("\(from)\(number).jpg"), round % 2 == 0 {
          try library.disk.move("\(from)\(number).jpg", to: "\(to)\(number + 100).jpg")
        } else {
          try library.write("\(to)\(number).jpg", photo(Int.random(in: 0..<250, using: &generator)))
        }
        for folder in [from, to] {
          parts.insert(SyncScope(RelativePath(String(folder.dropLast())), isDeep: false))
        }
      }
      try await library.sync(parts: Array(parts))
      #expect(try library.changeToken() != nil, "seed \(seed), round \(round)")
    }
    let (tokens, paths) = (try library.tokens(), try library.paths())
    let summary = try await library.sync()
    #expect(summary.result == .unchanged, "seed \(seed)")
    let same = try library.tokens() == tokens && library.paths() == paths
    #expect(same, "seed \(seed)")
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    let freshTokens = try fresh.tokens()
    #expect(freshTokens == tokens, "seed \(seed)")
  }
}
