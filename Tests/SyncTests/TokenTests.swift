import IndexStore
import Library
import Sync
import Synchronization
import TestSupport
import Testing

/// Hashes, and the tokens that follow from what directories hold.
struct TokenTests {
  @Test func `a content hash is what sha256sum prints`() async throws {
    let big = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2) + big, "c.jpg": []])
    try await library.sync()
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      let line = try output(of: ["/usr/bin/sha256sum", library.disk.path + "/" + name])
      #expect(try library.value("content_hash", of: name) == String(line.prefix(64)))
    }
  }

  private func files() -> KeyValuePairs<String, [UInt8]> {
    ["a.jpg": photo(1), "x/b.jpg": photo(2), "x/y/c.jpg": photo(3), "z/d.jpg": photo(4)]
  }

  @Test func `files are hashed alike with their metadata and after it`() async throws {
    let together = try FixtureLibrary(files())
    let apart = try FixtureLibrary(freshlyIndexing: together)
    apart.settings.smallFile = 0
    #expect(try await together.sync().hashed == 4)
    #expect(try await apart.sync().hashed == 4)
    let hashes = "SELECT path, hex(content_hash), hex(image_hash) FROM photo ORDER BY path"
    #expect(try together.query(hashes) == apart.query(hashes))
    #expect(try together.tokens() == apart.tokens())
    #expect(try together.contentToken() != nil)
    // The feed shows which way they went.
    #expect(try together.feed().count == 4)
    #expect(try apart.feed().count == 8)
  }

  @Test func `copies of a library have one content token`() async throws {
    let library = try FixtureLibrary(files())
    // Another order, another file system, other stamps, an empty directory more.
    let copy = try FixtureLibrary([:], on: "/dev/shm")
    for (name, bytes) in files().reversed() { try copy.write(name, bytes) }
    try copy.disk.makeDirectory("empty")
    try await library.sync()
    try await copy.sync()
    let token = try #require(try library.contentToken())
    #expect(try copy.contentToken() == token)
    #expect(try copy.changeToken() != library.changeToken())
    var bytes = photo(3)
    bytes[bytes.count - 1] ^= 1
    try copy.write("x/y/c.jpg", bytes)
    try await copy.sync()
    #expect(try copy.contentToken() != token)
    #expect(try copy.contentToken("z") == library.contentToken("z"))
    try copy.write("x/y/c.jpg", photo(3))
    try await copy.sync()
    #expect(try copy.contentToken() == token)
    try copy.disk.move("z", to: "zz")
    try await copy.sync()
    #expect(try copy.contentToken() != token)
  }

  @Test func `what is left of a hashed directory has its token without a pass that hashes`()
    async throws
  {
    let library = try FixtureLibrary(files())
    try library.write("x/e.jpg", photo(5))
    try await library.sync()
    library.disk.remove("x/e.jpg")
    library.settings.hashesNow = false
    #expect(try await library.sync().hashed == 0)
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    fresh.settings.hashesNow = true
    try await fresh.sync()
    #expect(try library.contentToken() != nil)
    #expect(try library.tokens() == fresh.tokens())
    // One that has something to be hashed has none, and neither has what is above it.
    try library.write("x/f.jpg", photo(6) + [0])
    try await library.sync()
    #expect(try library.contentToken("x") == nil)
    #expect(try library.contentToken() == nil)
    #expect(try library.contentToken("x/y") == fresh.contentToken("x/y"))
    #expect(try library.contentToken("z") == fresh.contentToken("z"))
  }

  @Test func `a content token waits for the last hash`() async throws {
    let library = try FixtureLibrary(files())
    library.settings.hashesNow = false
    try await library.sync()
    #expect(try library.tokens().allSatisfy { $0.hasSuffix("|") })
    #expect(try library.changeToken() != nil)
    library.settings.hashesNow = true
    #expect(try await library.sync().hashed == 4)
    #expect(try library.contentToken() != nil)
    library.settings.hashesNow = false
    // Of a size that no photo had: nothing else needs its bytes.
    try library.write("x/y/e.jpg", photo(5) + [0])
    try await library.sync()
    #expect(try library.contentToken("z") != nil)
    for directory in ["x/y", "x", ""] { #expect(try library.contentToken(directory) == nil) }
  }

  @Test func `outside of its hours a pass leaves the hashes, and says how many`() async throws {
    let library = try FixtureLibrary(files())
    library.settings.mayHash = { false }
    let summary = try await library.sync()
    #expect(summary.hashed == 0)
    #expect(summary.hashesLeft == 4)
    #expect(summary.counts.added == 4)
    #expect(try library.changeToken() != nil)
    #expect(try library.contentToken() == nil)
    // The hours end behind the second directory, of four: a.jpg and b.jpg have been hashed.
    let left = Mutex(2)
    library.settings.mayHash = {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }
    let interrupted = try await library.sync()
    #expect(interrupted.hashed == 2)
    #expect(interrupted.hashesLeft == 2)
    library.settings.mayHash = { true }
    let whole = try await library.sync()
    #expect(whole.hashed == 2)
    #expect(whole.hashesLeft == 0)
    #expect(try library.contentToken() != nil)
    // With nothing left to hash, the hour does not matter.
    library.settings.mayHash = { false }
    let last = try await library.sync()
    #expect(last.result == .unchanged)
    #expect(last.hashesLeft == 0)
    library.disk.remove("a.jpg")
    try await library.sync()
    #expect(try library.contentToken() != nil)
  }

  @Test func `a change reaches the tokens up to the root, and no other`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    let before = try library.tokens()
    try library.write("x/y/c.jpg", photo(3))
    try await library.sync()
    let after = try library.tokens()
    let same = Set(before).intersection(after).map { $0.split(separator: "|")[0] }
    #expect(same == ["z"])
  }

  @Test func `new rules and new readers make every change token another`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    let before = try library.query("SELECT hex(change_token) FROM sync_state")
    library.rules = PhotoRules(exclude: [try #require(Glob("nothing"))])
    try await library.sync()
    let after = try library.query("SELECT hex(change_token) FROM sync_state")
    #expect(Set(before).isDisjoint(with: after))
  }

  /// As an event does that names a directory.
  @Test(arguments: ["x/y", "x", "z"])
  func `a pass over a part leaves the tokens that a full one computes`(scope: String) async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    try library.write(scope + "/new.jpg", photo(7))
    try library.write(scope + "/deeper/new.jpg", photo(8))
    try await library.sync(scope)
    let part = try library.tokens()
    #expect(try library.changeToken() != nil)
    #expect(try library.contentToken() != nil)
    let summary = try await library.sync()
    #expect(summary.result == .unchanged)
    #expect(summary.photoRowsRead == 0)
    #expect(try library.tokens() == part)
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    #expect(try fresh.tokens() == part)
  }

  @Test func `a pass over a part overlooks the rest`() async throws {
    let library = try FixtureLibrary(files())
    try await library.sync()
    library.disk.remove("z/d.jpg")
    try library.write("x/new.jpg", photo(7))
    try await library.sync("x")
    #expect(try library.paths() == ["a.jpg", "x/b.jpg", "x/new.jpg", "x/y/c.jpg", "z/d.jpg"])
    try await library.sync()
    #expect(try library.paths() == ["a.jpg", "x/b.jpg", "x/new.jpg", "x/y/c.jpg"])
  }

  @Test func `a photo without a hash somewhere else keeps the root's token open`() async throws {
    let library = try FixtureLibrary(files())
    library.settings.hashesNow = false
    try await library.sync()
    library.settings.hashesNow = true
    try await library.sync("x")
    #expect(try library.contentToken("x") != nil)
    #expect(try library.contentToken() == nil)
    try await library.sync()
    #expect(try library.contentToken() != nil)
  }
}
