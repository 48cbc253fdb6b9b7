import SQLite
import TestSupport
import Testing

private let ext4: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("ext4"),
  "NOT TESTED: a service whose disk is full; needs root, loop devices and mkfs.ext4")

/// A service whose index cannot be written for a while.
struct IndexTroubleTests {
  @Test func `a person's write that lasts too long is reported, and all is done when it ends`()
    async throws
  {
    let library = try await ServedLibrary(patience: .milliseconds(200))
    try library.disk.write("a.jpg", photo(1))
    try await library.start()
    let count = "SELECT count(content_hash) FROM photos"
    #expect(try await library.rows(count, become: ["1"]) == ["1"])
    let person = try library.shell()
    try person.execute("BEGIN IMMEDIATE; UPDATE photo SET is_favorite = 1")
    try library.disk.write("b.jpg", photo(2))
    #expect(try await library.becomes { library.failures.contains { $0.contains("locked") } })
    #expect(try library.rows("SELECT count(*), sum(is_favorite) FROM photos") == ["1|0"])
    try person.execute("COMMIT")
    #expect(try await library.rows(count, become: ["2"]) == ["2"])
    try await library.rest()
    #expect(try library.rows("SELECT sum(is_favorite) FROM photos") == ["1"])
    #expect(try await library.difference() == nil)
    await library.stop()
  }

  @Test(ext4) func `a full disk is reported, and all is done when there is space again`()
    async throws
  {
    let disk = try LoopDisk("ext4")
    let home = try TemporaryDirectory()
    try disk.mount(at: home.path)
    let library = try await ServedLibrary(home: home)
    try library.disk.write("a.jpg", photo(1))
    try await library.start()
    let count = "SELECT count(content_hash) FROM photos"
    #expect(try await library.rows(count, become: ["1"]) == ["1"])
    try library.write(byHand: "UPDATE photo SET is_favorite = 1")
    try disk.fill(leaving: 20_000)
    for number in 0..<1500 { try library.disk.write("x/\(number).jpg", photo(number)) }
    #expect(try await library.becomes { library.failures.contains { $0.contains("full") } })
    #expect(
      try library.rows("SELECT count(content_hash) < 1501, sum(is_favorite) FROM photos") == ["1|1"]
    )
    try disk.freeSpace()
    #expect(try await library.rows(count, become: ["1501"]) == ["1501"])
    try await library.rest()
    #expect(try library.rows("SELECT sum(is_favorite) FROM photos") == ["1"])
    #expect(try await library.difference() == nil)
    await library.stop()
  }
}
