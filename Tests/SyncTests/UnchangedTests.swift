import Decoding
import IndexStore
import Library
import Metadata
import Model
import Sync
import Synchronization
import TestSupport
import Testing

/// A pass over a library that did not change, or of which only the rules changed.
struct UnchangedTests {
  @Test func `a second pass reads nothing and says so`() async throws {
    let library = try FixtureLibrary([
      "2024/05/a.jpg": photo(1), "2024/b.jpg": photo(2), "c.JPG": photo(3), "notes.txt": [1],
    ])
    let first = try await library.sync()
    #expect(first.counts.added == 3)
    #expect(first.result == .changed)
    let second = try await library.sync()
    #expect(second.result == .unchanged)
    #expect(second.filesRead == 0)
    #expect(second.photoRowsRead == 0)
    #expect(second.counts.files == 3)
    #expect(
      try library.query("SELECT result FROM scan ORDER BY id") == ["changed", "nothing changed"])
  }

  @Test func `a second pass reads nothing either where hashes are for photos alone`() async throws {
    let video: [UInt8] = [0, 0, 0, 16] + Array("ftypqt  ".utf8) + [0, 0, 0, 0]
    let library = try FixtureLibrary(["2024/a.jpg": photo(1), "2024/b.mov": video])
    library.settings.contentHashing = .photos
    #expect(try await library.sync().hashed == 1)
    #expect(try library.value("media_type", of: "2024/b.mov") == "video/quicktime")
    for scope in ["", "2024"] {
      let second = try await library.sync(scope)
      #expect(second.photoRowsRead == 0)
      #expect(second.filesRead == 0)
    }
    try library.write("2024/c.jpg", photo(2))
    #expect(try await library.sync().hashed == 1)
    library.settings.contentHashing = .full
    #expect(try await library.sync().hashed == 1)
    #expect(try library.contentToken() != nil)
  }

  @Test func `a decoder is made ready as soon as a photo differs, and never where none does`()
    async throws
  {
    let library = try FixtureLibrary(["2024/05/a.jpg": photo(1), "2024/b.jpg": photo(2)])
    let decoder = AwaitedDecoder()
    library.decoder = decoder
    try await library.sync()
    #expect(decoder.takeCalls() > 0)
    try library.write("2024/notes.txt", [1])
    for scope in ["", "2024", "2024/05"] {
      try await library.sync(scope)
      #expect(decoder.takeCalls() == 0)
    }
    for (number, path) in ["2024/05/a.jpg", "2024/b.jpg", "2024/05/c.jpg"].enumerated() {
      try library.write(path, photo(10 + number))
      #expect(try await library.sync().filesRead == 1)
      #expect(decoder.takeCalls() > 0)
      try await library.sync()
      #expect(decoder.takeCalls() == 0)
    }
  }

  @Test func `a second pass over one directory reads nothing`() async throws {
    let library = try FixtureLibrary(["2024/a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    #expect(try await library.sync("2024").photoRowsRead == 0)
  }

  @Test func `missing photos are no concern of a pass in which nothing is new`() async throws {
    let library = try FixtureLibrary()
    for number in 0..<40 { try library.write("y/\(number).jpg", photo(number)) }
    try library.write("x/a.jpg", photo(50))
    try library.write("x/b.jpg", photo(51))
    try await library.sync()
    library.disk.remove("y")
    try await library.sync()
    // The one that changes, and the other of its directory.
    library.disk.remove("x/b.jpg")
    #expect(try await library.sync("x").photoRowsRead < 40)
    try library.write("x/a.jpg", photo(52))
    #expect(try await library.sync("x").photoRowsRead < 40)
    // A new one may be any of them.
    try library.write("x/c.jpg", photo(7))
    #expect(try await library.sync("x").counts.moved == 1)
  }

  @Test func `missing and excluded photos make no work either`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x/b.jpg": photo(2), "y/c.jpg": photo(3),
    ])
    library.rules = PhotoRules(exclude: [try #require(Glob("x/b.jpg"))])
    try await library.sync()
    library.disk.remove("x/a.jpg")
    library.disk.remove("y")
    try await library.sync()
    let second = try await library.sync()
    #expect(second.result == .unchanged)
    #expect(second.photoRowsRead == 0)
  }

  @Test func `a file that is no photo does not count`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.write("sync.log", [1, 2, 3])
    let second = try await library.sync()
    #expect(second.result == .unchanged)
    #expect(second.photoRowsRead == 0)
  }

  @Test func `a new pattern takes rows out, and they come back with their ids`() async throws {
    let library = try FixtureLibrary([
      "a.jpg": photo(1), "work/b.jpg": photo(2), "work/deep/c.jpg": photo(3),
    ])
    try await library.sync()
    let before = try library.photos()
    library.rules = PhotoRules(exclude: [try #require(Glob("work/"))])
    let out = try await library.sync()
    #expect(out.excluded == 2)
    #expect(out.filesRead == 0)
    #expect(try library.paths() == ["a.jpg"])
    #expect(try library.states().values.sorted() == ["excluded", "excluded", "present"])
    library.rules = PhotoRules()
    let back = try await library.sync()
    #expect(back.restored == 2)
    #expect(back.filesRead == 0)
    #expect(try library.photos() == before)
  }

  @Test func `a pattern for files works like one for directories`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "a-edited.jpg": photo(2)])
    try await library.sync()
    let before = try library.photos()
    library.rules = PhotoRules(exclude: [try #require(Glob("*-edited.jpg"))])
    try await library.sync()
    #expect(try library.paths() == ["a.jpg"])
    library.rules = PhotoRules()
    #expect(try await library.sync().filesRead == 0)
    #expect(try library.photos() == before)
  }

  @Test(arguments: ["/tmp", "/dev/shm"])
  func `a pattern may leave everything out`(fileSystem: String) async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)], on: fileSystem)
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("*.jpg"))])
    #expect(try await library.sync().excluded == 1)
    #expect(try library.states().values.sorted() == ["excluded"])
  }

  @Test(arguments: ["", "holiday/"])
  func `a .nomedia marker leaves its directory out`(directory: String) async throws {
    let library = try FixtureLibrary(
      ["holiday/a.jpg": photo(1), "holiday/deep/b.jpg": photo(2)], on: "/dev/shm")
    try await library.sync()
    let before = try library.photos()
    try library.disk.write(directory + ".nomedia", "")
    #expect(try await library.sync().excluded == 2)
    #expect(try library.paths() == [])
    library.disk.remove(directory + ".nomedia")
    let back = try await library.sync()
    #expect(back.restored == 2)
    #expect(back.filesRead == 0)
    #expect(try library.photos() == before)
  }

  @Test func `what systems leave among photos is no photo`() async throws {
    let library = try FixtureLibrary([
      "a.jpg": photo(1), "_x.jpg": photo(2), "._a.jpg": photo(3), ".hidden.jpg": photo(4),
      ".thumbnails/a.jpg": photo(5), "@eaDir/a.jpg": photo(6), "#recycle/a.jpg": photo(7),
      "lost+found/a.jpg": photo(8), "x.lrdata/a.jpg": photo(9), "b.jpg.part": photo(10),
      "Mac.photoslibrary/originals/1/c.jpg": photo(11),
      "Mac.photoslibrary/resources/d.jpg": photo(12), ".Trash-1000/files/e.jpg": photo(13),
    ])
    try await library.sync()
    #expect(try library.paths() == ["Mac.photoslibrary/originals/1/c.jpg", "_x.jpg", "a.jpg"])
  }

  @Test func `a newer reader reads its type again, and no other`() async throws {
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let library = try FixtureLibrary(["a.jpg": photo(1), "x/b.jpg": photo(2), "x/c.png": png])
    library.versions = ReaderVersions(["image/jpeg": 1])
    try await library.sync()
    #expect(try library.value("media_type", of: "x/c.png") == "image/png")
    let end = try library.feedEnd()
    library.versions = ReaderVersions(["image/jpeg": 2])
    #expect(try await library.sync().filesRead == 2)
    #expect(
      try library.query("SELECT path, reader_version FROM photo ORDER BY path")
        == ["a.jpg|2", "x/b.jpg|2", "x/c.png|1"])
    library.versions = ReaderVersions(["image/jpeg": 2, "image/png": 2])
    #expect(try await library.sync().filesRead == 1)
    #expect(try library.feed(after: end) == [])
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `a reader that learns a type reads again what had none`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": [1, 2, 3, 4]])
    library.versions = ReaderVersions(["image/jpeg": 1, nil: 1])
    try await library.sync()
    library.versions = ReaderVersions(["image/jpeg": 1, nil: 2])
    #expect(try await library.sync().filesRead == 1)
    #expect(
      try library.query("SELECT path, reader_version FROM photo ORDER BY path")
        == ["a.jpg|1", "b.jpg|2"])
    #expect(try await library.sync().photoRowsRead == 0)
  }

  @Test func `a newer reader does not make other content of another mode`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    library.versions = ReaderVersions(["image/jpeg": 1])
    try await library.sync()
    library.versions = ReaderVersions(["image/jpeg": 2])
    try library.disk.setMode("a.jpg", 0o600)
    try await library.sync()
    #expect(try library.query("SELECT reader_version, hash_due FROM photo") == ["2|1"])
    #expect(try library.query("SELECT count(*) FROM hash_history") == ["0"])
  }
}

/// Counts how often it was to be made ready.
private final class AwaitedDecoder: Decoder {
  private let decoder = InProcessDecoder()
  private let calls = Mutex(0)

  func prepare(_ count: Int) { calls.withLock { $0 += 1 } }

  func takeCalls() -> Int {
    calls.withLock { calls in
      defer { calls = 0 }
      return calls
    }
  }

  func metadata(
    of files: [DecoderInput]
  ) async throws -> [Result<MetadataReading, DecoderFailure>] {
    try await decoder.metadata(of: files)
  }

  func digests(of files: [DecoderInput]) async throws -> [Result<FileHashes, DecoderFailure>] {
    try await decoder.digests(of: files)
  }

  func sidecars(
    of files: [DecoderInput]
  ) async throws -> [Result<SidecarValues.Finding, DecoderFailure>] {
    try await decoder.sidecars(of: files)
  }

  func rest() {}
}
