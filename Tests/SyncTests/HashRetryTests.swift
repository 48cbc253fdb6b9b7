import Decoding
import IndexStore
import Metadata
import Sync
import TestSupport
import Testing

/// Photos that can be read, but not hashed.
struct HashRetryTests {
  /// A photo that kills the faulty decoder when it is to reckon the hash of the picture, that of the bytes
  /// as well, or whatever it is to do.
  private func deadly(_ number: Int, to what: String) -> [UInt8] {
    photo(number) + Array("of \(what): crash".utf8)
  }

  private func library(_ files: KeyValuePairs<String, [UInt8]>) throws -> FixtureLibrary {
    let library = try FixtureLibrary(files)
    library.decoder = DecoderPool(program: Array(try builtProgram("faulty-decoder").utf8))
    return library
  }

  @Test(arguments: [0, 128 << 10] as [Int64])
  func `a photo whose picture kills the decoder has all but the hash of the picture`(
    smallFile: Int64
  ) async throws {
    let library = try library([
      "a.jpg": photo(1), "b.jpg": deadly(2, to: "picture"), "c.jpg": photo(3),
    ])
    library.settings.smallFile = smallFile
    #expect(try await library.sync().counts.pending == 1)
    #expect(
      try library.query(
        """
        SELECT path, device_pending, device_id IS NOT NULL, taken_local IS NOT NULL,
          content_hash IS NOT NULL, image_hash IS NOT NULL FROM photo ORDER BY path
        """) == ["a.jpg|0|1|1|1|1", "b.jpg|1|1|1|1|0", "c.jpg|0|1|1|1|1"])
    let line = try output(of: ["/usr/bin/sha256sum", library.disk.path + "/b.jpg"])
    #expect(try library.value("content_hash", of: "b.jpg") == String(line.prefix(64)))
    #expect(
      try library.query(
        """
        SELECT path LIKE '%/b.jpg', reason, lacks, attempts, next_attempt_at - first_failed_at,
          message GLOB 'the picture has no hash: *ended by signal*' FROM pending
        """) == ["1|decoder|hash|1|30|1"])
    #expect(try library.contentToken() != nil)
    #expect(try library.reader().pendingByReason().map(\.reason) == ["decoder"])
  }

  @Test func `it is hashed again when its time has come, and not before`() async throws {
    let library = try library(["b.jpg": deadly(2, to: "picture")])
    try await library.sync()
    let (photos, hash) = (try library.photos(), try library.value("content_hash", of: "b.jpg"))
    #expect(try await library.sync().photoRowsRead == 0)
    library.clock.set(ahead: .seconds(3600 + 31))
    library.settings.hashesNow = false
    #expect(try await library.sync().photoRowsRead == 0)
    library.settings.hashesNow = true
    #expect(try await library.sync().filesRead == 1)
    #expect(
      try library.query(
        "SELECT lacks, attempts, next_attempt_at - first_failed_at > 60 FROM pending")
        == ["hash|2|1"])
    #expect(try await library.sync().filesRead == 0)
    // As by a version that has learned to read it.
    library.decoder = InProcessDecoder()
    library.clock.set(ahead: .seconds(7200))
    try await library.sync()
    #expect(try library.query("SELECT * FROM retry") == [])
    #expect(try library.query("SELECT image_hash IS NULL, device_pending FROM photo") == ["0|0"])
    #expect(try library.photos() == photos)
    #expect(try library.value("content_hash", of: "b.jpg") == hash)
  }

  @Test func `a newer reader hashes it at once`() async throws {
    let library = try library(["b.jpg": deadly(2, to: "picture")])
    try await library.sync()
    library.decoder = InProcessDecoder()
    library.versions = ReaderVersions(["image/jpeg": 1000])
    try await library.sync()
    #expect(try library.query("SELECT image_hash IS NULL, device_pending FROM photo") == ["0|0"])
  }

  @Test func `a photo that cannot be hashed at all waits, and its neighbours do not`() async throws
  {
    let library = try library([
      "a.jpg": photo(1), "b.jpg": deadly(2, to: "bytes"), "c.jpg": photo(3),
    ])
    for _ in 0..<2 {
      try await library.sync()
      #expect(
        try library.query("SELECT path, content_hash IS NULL FROM photo ORDER BY path")
          == ["a.jpg|0", "b.jpg|1", "c.jpg|0"])
      #expect(
        try library.query("SELECT reason, lacks, attempts FROM pending") == ["decoder|hash|1"])
    }
    #expect(try library.contentToken() == nil)
    library.clock.set(ahead: .seconds(3600 + 31))
    try await library.sync()
    #expect(try library.query("SELECT lacks, attempts FROM pending") == ["hash|2"])
    // Another state of the file starts anew, and this one harms nobody.
    try library.write("b.jpg", photo(4))
    #expect(try await library.sync().counts.pending == 0)
    #expect(try library.contentToken() != nil)
  }

  @Test func `what can neither be read nor hashed is tried again as a whole`() async throws {
    let library = try library(["a.jpg": photo(1), "b.jpg": deadly(2, to: "all")])
    let pending = "SELECT reason, lacks, attempts, message LIKE '%ended by signal%' FROM pending"
    for _ in 0..<2 {
      try await library.sync()
      #expect(try library.query(pending) == ["decoder|both|1|1"])
    }
    library.clock.set(ahead: .seconds(3600 + 31))
    try await library.sync()
    #expect(try library.query(pending) == ["decoder|both|2|1"])
    library.decoder = InProcessDecoder()
    library.clock.set(ahead: .seconds(7200))
    try await library.sync()
    #expect(try library.query("SELECT * FROM retry") == [])
    #expect(
      try library.query(
        "SELECT count(content_hash), count(device_id), sum(device_pending) FROM photo")
        == ["2|2|0"])
  }

  @Test func `nobody waits for a hash that is not wanted any more`() async throws {
    let library = try library(["a.jpg": photo(1), "b.mov": film(killing: "bytes")])
    try await library.sync()
    #expect(try library.query("SELECT reason, lacks FROM pending") == ["decoder|hash"])
    library.settings.contentHashing = .photos
    library.clock.set(ahead: .seconds(3600 + 31))
    try await library.sync()
    #expect(try library.query("SELECT * FROM retry") == [])
  }

  private func film(killing what: String) -> [UInt8] {
    MovieFixture().bytes + Array("of \(what): crash".utf8)
  }

  @Test func `a photo that comes to a new place is itself, whatever its picture does`() async throws
  {
    let library = try library(["a.jpg": photo(1), "x/b.jpg": deadly(2, to: "picture")])
    library.countsInodes = false
    try await library.sync()
    let id = try library.id("x/b.jpg")
    // Another time, so that only the bytes tell.
    let bytes = try library.disk.read("x/b.jpg")
    library.disk.remove("x/b.jpg")
    try library.write("y/c.jpg", bytes)
    try await library.sync()
    #expect(try library.id("y/c.jpg") == id)
    #expect(try library.query("SELECT lacks FROM pending") == ["hash"])
  }
}
