import Decoding
import IndexStore
import Sync
import TestSupport
import Testing

/// Files that cannot be read, or have nothing to say.
struct PendingTests {
  /// Cut inside its EXIF.
  private var truncated: [UInt8] { Array(photo(1).prefix(60)) }

  @Test func `a truncated photo is pending, and its neighbours are not`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": truncated, "c.jpg": photo(3)])
    let summary = try await library.sync()
    #expect(summary.counts.added == 3)
    #expect(summary.counts.pending == 1)
    #expect(
      try library.query("SELECT path, device_pending FROM photo ORDER BY path")
        == ["a.jpg|0", "b.jpg|1", "c.jpg|0"])
    #expect(
      try library.query("SELECT reason, attempts, next_attempt_at - first_failed_at FROM pending")
        == ["truncated|1|30"])
    #expect(try library.value("media_type", of: "b.jpg") == "image/jpeg")
  }

  @Test func `it is tried again when its time has come, and not before`() async throws {
    let library = try FixtureLibrary(["b.jpg": truncated])
    try await library.sync()
    #expect(try await library.sync().photoRowsRead == 0)
    library.clock.set(ahead: .seconds(3600 + 31))
    #expect(try await library.sync().filesRead == 1)
    #expect(
      try library.query("SELECT attempts, next_attempt_at - first_failed_at > 60 FROM retry")
        == ["2|1"])
    #expect(try await library.sync().filesRead == 0)
  }

  /// Six hours are the longest wait.
  @Test func `a clock that is put back makes it wait no longer than the plan`() async throws {
    let library = try FixtureLibrary(["b.jpg": truncated])
    library.clock.set(ahead: .seconds(400 * 86_400))
    try await library.sync()
    library.clock.set(ahead: .seconds(3600))
    #expect(try await library.sync().filesRead == 1)
    #expect(try library.query("SELECT attempts FROM retry") == ["2"])
  }

  @Test func `a file that was put right is read`() async throws {
    let library = try FixtureLibrary(["b.jpg": truncated])
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    try library.write("b.jpg", photo(1))
    #expect(try await library.sync().counts.pending == 0)
    #expect(try library.photos() == before)
    #expect(try library.value("device_pending || model", of: "b.jpg") == "0Canon EOS R5")
    #expect(try library.query("SELECT * FROM retry") == [])
    #expect(try library.feed(after: end).contains { $0.contains("device_pending") })
  }

  @Test func `another state of the file starts the plan anew`() async throws {
    let library = try FixtureLibrary(["b.jpg": truncated])
    try await library.sync()
    library.clock.set(ahead: .seconds(40 * 86_400))
    try await library.sync()
    #expect(try library.query("SELECT attempts, next_attempt_at FROM retry") == ["2|"])
    #expect(try await library.sync().filesRead == 0)
    try library.disk.setMode("b.jpg", 0o600)
    try await library.sync()
    #expect(
      try library.query("SELECT attempts, next_attempt_at - first_failed_at FROM retry")
        == ["1|30"])
  }

  @Test func `a photo without EXIF has been read`() async throws {
    let library = try FixtureLibrary(["screenshot.jpg": JPEGFixture().bytes])
    #expect(try await library.sync().counts.pending == 0)
    #expect(try library.value("media_type || width", of: "screenshot.jpg") == "image/jpeg64")
    #expect(try library.value("device", of: "screenshot.jpg") == nil)
    #expect(try library.query("SELECT * FROM retry") == [])
  }

  @Test(arguments: [[1, 2, 3], Array("hello, this is a text".utf8)])
  func `unknown content under a photo's name is a row without a type`(bytes: [UInt8]) async throws {
    let library = try FixtureLibrary(["a.jpg": bytes])
    #expect(try await library.sync().counts.pending == 0)
    #expect(try library.query("SELECT media_type, device_pending FROM photos") == ["|0"])
  }

  @Test func `a photo of which the decoder dies is pending, and no other`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2), "c.jpg": photo(3)])
    let program = Array(try builtProgram("faulty-decoder").utf8)
    library.decoder = DecoderPool(program: program)
    try await library.sync()
    try library.write("b.jpg", Array("crash".utf8))
    try library.write("d.jpg", Array("crash".utf8))
    for _ in 0..<2 {
      try await library.sync()
      #expect(
        try library.query("SELECT path, device_pending FROM photo ORDER BY path")
          == ["a.jpg|0", "b.jpg|1", "c.jpg|0", "d.jpg|1"])
      #expect(
        try library.query(
          "SELECT DISTINCT reason, attempts, message GLOB '*ended by signal*' FROM pending")
          == ["decoder|1|1"])
    }
    try library.write("b.jpg", photo(4))
    library.clock.set(ahead: .seconds(3600 + 31))
    try await library.sync()
    #expect(
      try library.query("SELECT path LIKE '%/d.jpg', attempts FROM pending")
        == ["1|2"])
  }

  @Test func `a FIFO with a photo's name holds nothing up`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try library.disk.makeFIFO("b.jpg")
    try library.disk.makeDirectory("c.jpg")
    try library.disk.link("d.jpg", to: "a.jpg")
    try await library.sync()
    #expect(try library.paths() == ["a.jpg"])
  }
}
