import IndexStore
import Sync
import TestSupport
import Testing

/// Photos that are none any more.
struct BrokenTests {
  private func states(_ library: FixtureLibrary) throws -> [String] {
    try library.query("SELECT state FROM roots")
  }

  private func library(_ count: Int, most: Int) async throws -> FixtureLibrary {
    let library = try FixtureLibrary()
    for number in 0..<count { try library.write("\(number % 3)/\(number).jpg", photo(number)) }
    library.settings.mostBroken = most
    try await library.sync()
    return library
  }

  private func scramble(_ library: FixtureLibrary, _ numbers: Range<Int>) throws {
    for number in numbers {
      try library.write("\(number % 3)/\(number).jpg", photo(number).map { $0 ^ 0x5a })
    }
  }

  @Test(arguments: [20, -10])
  func `a file that shrank and is cut off is damaged, and its last good hash is kept`(length: Int)
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try await library.sync()
    let good = try library.value("content_hash", of: "a.jpg") ?? ""
    let id = try library.id("a.jpg")
    // Inside its metadata, or behind them.
    let whole = photo(1)
    try library.write("a.jpg", Array(whole[..<(length < 0 ? whole.count + length : length)]))
    try await library.sync()
    #expect(try library.id("a.jpg") == id)
    #expect(try library.query("SELECT kind, old_hash FROM suspects") == ["damaged|\(good)"])
    #expect(try library.query("SELECT lower(hex(content_hash)) FROM hash_history") == [good])
    #expect(try library.value("device", of: "a.jpg") == "Canon EOS R5")
    // Cut off further, the last good bytes are still those.
    try library.write("a.jpg", Array(whole[..<10]))
    try await library.sync()
    #expect(try library.query("SELECT kind, old_hash FROM suspects") == ["damaged|\(good)"])
    try library.write("a.jpg", whole)
    try await library.sync()
    #expect(try library.query("SELECT * FROM suspects") == [])
    #expect(try library.value("content_hash", of: "a.jpg") == good)
    #expect(try library.id("a.jpg") == id)
  }

  @Test func `a smaller picture is an edit, and not damaged`() async throws {
    var large = JPEGFixture.photo()
    large.trailer = Array(repeating: 7, count: 100)
    let library = try FixtureLibrary(["a.jpg": large.bytes])
    try await library.sync()
    try library.write("a.jpg", JPEGFixture.photo().bytes)
    #expect(try await library.sync().counts.updated == 1)
    #expect(try library.query("SELECT * FROM suspects") == [])
  }

  @Test func `a few that do not open are updates, and damaged`() async throws {
    let library = try await library(9, most: 4)
    try scramble(library, 0..<4)
    let summary = try await library.sync()
    #expect(summary.held == nil)
    #expect(summary.counts.updated == 4)
    #expect(try library.query("SELECT count(*) FROM suspects WHERE kind = 'damaged'") == ["4"])
    #expect(try library.query("SELECT count(*) FROM photos WHERE media_type IS NULL") == ["4"])
    #expect(try library.query("SELECT count(*) FROM photos") == ["9"])
    #expect(try await library.sync().result == .unchanged)
    // One more of that day, and the root waits for a person.
    try scramble(library, 4..<5)
    #expect(try await library.sync().held?.hasPrefix("1 photos do not open any more") == true)
    #expect(try states(library) == ["held"])
    // Until it is whole again; that the day is over says nothing.
    library.clock.set(ahead: .seconds(3600 + 86_401))
    #expect(try await library.sync().held?.hasPrefix("1 photos do not open any more") == true)
    try library.write("1/4.jpg", photo(4))
    #expect(try await library.sync().held == nil)
    #expect(try states(library) == ["online"])
  }

  @Test func `many that do not open hold the root, and the index keeps what it knew`() async throws
  {
    let library = try await library(12, most: 4)
    let before = try library.shell.contents()
    let end = try library.feedEnd()
    try scramble(library, 0..<8)
    library.disk.remove("0/9.jpg")
    let summary = try await library.sync()
    #expect(summary.held?.hasSuffix("--confirm-removals photos") == true)
    #expect(try states(library) == ["held"])
    #expect(try library.shell.contents() == before)
    #expect(try library.feed(after: end) == [])
    #expect(try library.query("SELECT count(*) FROM suspects WHERE kind = 'damaged'") == ["8"])
    #expect(try library.query("SELECT sum(photos) FROM held_removals") == ["1"])
    #expect(try library.changeToken() == nil)
    // A look elsewhere lets nothing slip, and new photos are indexed.
    try library.write("4/new.jpg", photo(30))
    #expect(try await library.sync("4").held != nil)
    #expect(try library.query("SELECT count(*) FROM photos") == ["13"])
    library.disk.remove("4/new.jpg")
    // All are back from a backup.
    for number in 0..<8 { try library.write("\(number % 3)/\(number).jpg", photo(number)) }
    try library.write("0/9.jpg", photo(9))
    try await library.sync()
    #expect(try states(library) == ["online"])
    #expect(try library.query("SELECT * FROM suspects") == [])
    #expect(try library.query("SELECT count(*) FROM photos WHERE device IS NULL") == ["0"])
  }

  @Test func `what is held is read once, and again when its file or the judgement changes`()
    async throws
  {
    let library = try await library(12, most: 4)
    try scramble(library, 0..<8)
    #expect(try await library.sync().filesRead == 8)
    for _ in 0..<2 {
      let again = try await library.sync()
      #expect(again.filesRead == 0)
      #expect(again.counts.bytesRead == 0)
      #expect(again.held?.hasPrefix("8 photos do not open any more") == true)
    }
    try library.touch("1/1.jpg")
    #expect(try await library.sync().filesRead == 1)
    #expect(try await library.sync().filesRead == 0)
    // However few the others are by then, they wait for a person.
    for number in 0..<7 { try library.write("\(number % 3)/\(number).jpg", photo(number)) }
    #expect(
      try await library.sync().held?.hasPrefix("1 photos do not open any more") == true)
    #expect(try states(library) == ["held"])
    #expect(try library.query("SELECT count(*) FROM photos WHERE media_type IS NULL") == ["0"])
    #expect(
      try library.query("SELECT kind, count(*), sum(is_held) FROM suspect") == ["damaged|1|1"])
    try library.write("1/7.jpg", photo(7))
    try await library.sync()
    #expect(try states(library) == ["online"])
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `files that do not open and then go are no less held`() async throws {
    let library = try await library(12, most: 4)
    try scramble(library, 0..<8)
    try await library.sync()
    for number in 0..<8 { library.disk.remove("\(number % 3)/\(number).jpg") }
    let summary = try await library.sync()
    #expect(summary.counts.removed == 0)
    #expect(summary.held?.hasPrefix("8 photos do not open any more") == true)
    #expect(try library.query("SELECT sum(photos) FROM held_removals") == ["8"])
    // From a backup, each with the time that it had.
    for number in 0..<7 {
      let name = "\(number % 3)/\(number).jpg"
      try library.disk.write(name, photo(number))
      try library.disk.touch(name, modified: 1_720_000_001 + number)
    }
    #expect(
      try await library.sync().held?.hasPrefix("1 photos do not open any more") == true)
    library.settings.confirmsRemovals = true
    #expect(try await library.sync().counts.removed == 1)
    library.settings.confirmsRemovals = false
    #expect(try states(library) == ["online"])
    #expect(try library.query("SELECT * FROM suspects") == [])
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `what a person confirms is written`() async throws {
    let library = try await library(12, most: 4)
    try scramble(library, 0..<8)
    try await library.sync()
    library.settings.confirmsRemovals = true
    #expect(try await library.sync().held == nil)
    library.settings.confirmsRemovals = false
    #expect(try states(library) == ["online"])
    #expect(try library.query("SELECT count(*) FROM photos WHERE media_type IS NULL") == ["8"])
    #expect(try library.query("SELECT count(*) FROM suspects WHERE kind = 'damaged'") == ["8"])
    let again = try await library.sync()
    #expect(again.result == .unchanged)
    #expect(again.photoRowsRead == 0)
    try scramble(library, 8..<10)
    #expect(try await library.sync().held == nil)
  }

  @Test func `without a fuse all that happens is written`() async throws {
    let library = try await library(12, most: 4)
    library.settings.removalFuse = nil
    try scramble(library, 0..<8)
    #expect(try await library.sync().counts.updated == 8)
    #expect(try states(library) == ["online"])
  }
}
