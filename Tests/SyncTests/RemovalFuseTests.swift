import IndexStore
import Library
import Sync
import TestSupport
import Testing

/// Many photos that go at once go only when a person has said so.
struct RemovalFuseTests {
  private let library: FixtureLibrary

  /// Four of ten may go in a day, and so may any two.
  init() throws {
    library = try FixtureLibrary()
    for number in 0..<10 {
      try library.write((number < 5 ? "x/" : "y/") + "\(number).jpg", photo(number))
    }
    library.settings.removalFuse = RemovalFuse(share: 0.4, count: 2)
  }

  private func remove(_ numbers: ClosedRange<Int>) {
    for number in numbers { library.disk.remove((number < 5 ? "x/" : "y/") + "\(number).jpg") }
  }

  private func state() throws -> [String] { try library.query("SELECT state FROM roots") }

  @Test func `as many as the fuse allows turn missing`() async throws {
    try await library.sync()
    remove(0...3)
    let summary = try await library.sync()
    #expect(summary.counts.removed == 4)
    #expect(summary.held == nil)
    #expect(try state() == ["online"])
  }

  @Test func `a large share of a few photos is no matter`() async throws {
    let small = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2), "c.jpg": photo(3)])
    small.settings.removalFuse = RemovalFuse(share: 0.4, count: 2)
    try await small.sync()
    small.disk.remove("a.jpg")
    small.disk.remove("b.jpg")
    #expect(try await small.sync().counts.removed == 2)
  }

  @Test func `too many hold the root, and nothing turns missing`() async throws {
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    remove(1...5)
    let summary = try await library.sync()
    #expect(summary.counts.removed == 0)
    let reason = try #require(summary.held)
    #expect(reason.hasPrefix("5 of 10 photos would be gone:"))
    #expect(reason.hasSuffix("photoindexd --rescan --confirm-removals photos"))
    #expect(try library.query("SELECT state, state_reason FROM roots") == ["held|\(reason)"])
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])
    #expect(
      try library.query("SELECT root, folder, photos FROM held_removals ORDER BY folder")
        == ["photos|x|4", "photos|y|1"])
    // Two libraries of one content token hold the same files: this one is not to be compared.
    #expect(try library.contentToken() == nil)
    #expect(try library.changeToken() == nil)
  }

  @Test func `a held root stays held, and all else goes on`() async throws {
    try await library.sync()
    remove(1...5)
    try await library.sync()
    try library.write("new.jpg", photo(20))
    try library.touch("y/6.jpg")
    try library.disk.move("y/7.jpg", to: "moved.jpg")
    let id = try library.id("y/7.jpg")
    let summary = try await library.sync()
    #expect(summary.held != nil)
    #expect(summary.counts.added == 1)
    #expect(summary.counts.updated == 1)
    #expect(summary.counts.moved == 1)
    #expect(summary.counts.removed == 0)
    #expect(try library.id("moved.jpg") == id)
    #expect(try library.query("SELECT sum(photos) FROM held_removals") == ["5"])
    // The reason stays to be seen in a pass that looks elsewhere.
    let elsewhere = try await library.sync("y")
    #expect(elsewhere.held != nil)
    #expect(try state() == ["held"])
    #expect(try library.contentToken("y") == nil)
    #expect(try library.contentToken() == nil)
  }

  @Test func `one more removal does not slip past a held root`() async throws {
    try await library.sync()
    remove(0...4)
    library.disk.remove("x")
    try await library.sync()
    remove(5...5)
    #expect(try await library.sync("y").counts.removed == 0)
    #expect(try library.contentToken() == nil)
    #expect(try library.query("SELECT count(*) FROM photos") == ["10"])
  }

  @Test func `removals that are confirmed turn missing, and the root is online`() async throws {
    try await library.sync()
    library.disk.remove("x")
    try await library.sync()
    library.settings.confirmsRemovals = true
    let summary = try await library.sync()
    #expect(summary.counts.removed == 5)
    #expect(summary.held == nil)
    #expect(try state() == ["online"])
    #expect(try library.query("SELECT * FROM held_removals") == [])
    #expect(try library.contentToken() != nil)
    library.settings.confirmsRemovals = false
    // They are not held against what goes later that day.
    remove(5...6)
    #expect(try await library.sync().counts.removed == 2)
    #expect(try state() == ["online"])
    let again = try await library.sync()
    #expect(again.result == .unchanged)
    #expect(again.photoRowsRead == 0)
  }

  @Test func `removals of one day add up, those of two do not`() async throws {
    try await library.sync()
    remove(0...2)
    #expect(try await library.sync().counts.removed == 3)
    remove(3...4)
    // 5 of the 10 that were there.
    #expect(try await library.sync().held?.hasPrefix("2 of 7 ") == true)
    #expect(try library.query("SELECT count(*) FROM photos") == ["7"])

    let patient = try FixtureLibrary()
    for number in 0..<10 { try patient.write("\(number).jpg", photo(number)) }
    patient.settings.removalFuse = RemovalFuse(share: 0.4, count: 2)
    try await patient.sync()
    for number in 0...2 { patient.disk.remove("\(number).jpg") }
    try await patient.sync()
    patient.clock.set(ahead: .seconds(3600 + 86_400))
    for number in 3...4 { patient.disk.remove("\(number).jpg") }
    #expect(try await patient.sync().counts.removed == 2)
    #expect(try patient.query("SELECT state FROM roots") == ["online"])
  }

  @Test func `a held root stays held until a person confirms, however many days go by`()
    async throws
  {
    try await library.sync()
    remove(0...2)
    try await library.sync()
    remove(3...4)
    #expect(try await library.sync().held != nil)
    // By now these two alone would be no matter.
    library.clock.set(ahead: .seconds(3600 + 40 * 86_400))
    for scope in ["", "", "y"] {
      let summary = try await library.sync(scope)
      #expect(summary.counts.removed == 0)
      #expect(summary.held?.hasPrefix("2 of 7 ") == true)
    }
    // Nor does one more slip by, or let the others go.
    remove(5...5)
    #expect(try await library.sync().held?.hasPrefix("3 of 7 ") == true)
    library.settings.confirmsRemovals = true
    #expect(try await library.sync().counts.removed == 3)
    #expect(try state() == ["online"])
  }

  @Test func `a held root stays held until the last photo is back`() async throws {
    try await library.sync()
    try library.disk.move("x", to: ".x")
    try await library.sync()
    for number in 1...4 {
      try library.disk.makeDirectory("x")
      try library.disk.move(".x/\(number).jpg", to: "x/\(number).jpg")
      let summary = try await library.sync()
      #expect(summary.held?.hasPrefix("\(5 - number) of 10 ") == true)
      #expect(summary.counts.removed == 0)
    }
    try library.disk.move(".x/0.jpg", to: "x/0.jpg")
    #expect(try await library.sync().held == nil)
    #expect(try state() == ["online"])
    // Then the day counts again.
    remove(0...3)
    #expect(try await library.sync().counts.removed == 4)
  }

  /// As when the directory cannot be listed for a while.
  @Test func `what nobody can look at any more is held still`() async throws {
    try await library.sync()
    library.disk.remove("x")
    try await library.sync()
    let evidence = try library.query("SELECT filesystem FROM sync_state WHERE directory = 'x'")[0]
    func showsEvidence(_ isShown: Bool) throws {
      let name = isShown ? evidence : "ext4-1234"
      try library.write(
        byHand: "UPDATE sync_state SET filesystem = '\(name)' WHERE directory = 'x'")
    }
    try showsEvidence(false)
    library.clock.set(ahead: .seconds(3600 + 2 * 86_400))
    #expect(try await library.sync().held != nil)
    #expect(try library.query("SELECT sum(photos) FROM held_removals") == ["5"])
    try showsEvidence(true)
    #expect(try await library.sync().counts.removed == 0)
    #expect(try state() == ["held"])
    // A person lets go what is gone, and no more.
    try showsEvidence(false)
    library.settings.confirmsRemovals = true
    #expect(try await library.sync().counts.removed == 0)
    #expect(try state() == ["online"])
    #expect(try library.query("SELECT count(*) FROM photos") == ["10"])
  }

  @Test func `what a rule left out holds no root, and is held by none`() async throws {
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("y"))])
    #expect(try await library.sync().excluded == 5)
    // The rule goes, and the photos as well: they are no removals, for `photos` had none of them.
    library.disk.remove("y")
    library.rules = PhotoRules()
    #expect(try await library.sync().held == nil)
    #expect(try library.query("SELECT count(*) FROM missing") == ["5"])
    #expect(try state() == ["online"])
  }

  @Test func `photos that are back are held no more`() async throws {
    try await library.sync()
    let before = try library.photos()
    try library.disk.move("x", to: ".x")
    try await library.sync()
    #expect(try state() == ["held"])
    try library.disk.move(".x", to: "x")
    let summary = try await library.sync()
    #expect(summary.held == nil)
    #expect(try state() == ["online"])
    #expect(try library.query("SELECT * FROM held_removals") == [])
    #expect(try library.photos() == before)
    #expect(try library.changeToken() != nil)
  }

  @Test func `held photos that turn up elsewhere are moved`() async throws {
    try await library.sync()
    let id = try library.id("x/0.jpg")
    try library.disk.move("x", to: ".x")
    try await library.sync()
    try library.disk.move(".x", to: "z")
    let summary = try await library.sync()
    #expect(summary.counts.moved == 5)
    #expect(try library.id("z/0.jpg") == id)
    #expect(try state() == ["online"])
  }

  @Test func `photos that a rule leaves out are no removals`() async throws {
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("x"))])
    let summary = try await library.sync()
    #expect(summary.excluded == 5)
    #expect(summary.held == nil)
    // Nor do they hold a root when the held ones among them are left out.
    library.rules = PhotoRules()
    try await library.sync()
    library.disk.remove("x")
    #expect(try await library.sync().held != nil)
    library.rules = PhotoRules(exclude: [try #require(Glob("x"))])
    #expect(try await library.sync().held == nil)
    #expect(try state() == ["online"])
  }

  @Test func `without a fuse all go at once`() async throws {
    library.settings.removalFuse = nil
    try await library.sync()
    remove(0...8)
    #expect(try await library.sync().counts.removed == 9)
    #expect(try state() == ["online"])
  }
}
