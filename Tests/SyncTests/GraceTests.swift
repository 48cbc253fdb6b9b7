import Sync
import TestSupport
import Testing

/// How long a missing photo's row is kept, and what keeps it for good.
struct GraceTests {
  private let library: FixtureLibrary

  /// a.jpg turns missing on day 0; rows may go after two more days.
  init() throws {
    library = try FixtureLibrary(["a.jpg": photo(1)])
    library.settings.missingGrace = 2
  }

  private func lose() async throws {
    try await sync(day: 0)
    try library.write("x/b.jpg", photo(2))
    try await sync(day: 0)
    library.disk.remove("a.jpg")
    try await sync(day: 0)
  }

  @discardableResult
  private func sync(day: Int, _ scope: String = "") async throws -> SyncSummary {
    library.clock.set(ahead: .seconds(3600 + day * 86_400))
    return try await library.sync(scope)
  }

  private func isKept() throws -> Bool {
    try library.query("SELECT count(*) FROM missing") == ["1"]
  }

  @Test func `a missing photo goes after so many days with a scan, and the feed is silent`()
    async throws
  {
    try await lose()
    let end = try library.feedEnd()
    for _ in 0..<4 { try await sync(day: 0) }
    try await sync(day: 1)
    #expect(try isKept())
    let summary = try await sync(day: 7)
    #expect(summary.forgotten == 1)
    #expect(summary.result == .changed)
    #expect(try library.query("SELECT id FROM photo") == ["2"])
    #expect(try library.query("SELECT * FROM exposure WHERE photo_id = 1") == [])
    #expect(try library.feed(after: end) == [])
    #expect(try library.shell.faults() == [])
    #expect(try await sync(day: 8).result == .unchanged)
  }

  @Test func `a photo that was back in between begins anew`() async throws {
    try await lose()
    try await sync(day: 1)
    try library.write("a.jpg", photo(1))
    try await sync(day: 1)
    library.disk.remove("a.jpg")
    try await sync(day: 2)
    try await sync(day: 3)
    #expect(try isKept())
    #expect(try await sync(day: 4).forgotten == 1)
  }

  @Test(arguments: [
    "UPDATE photo SET is_favorite = 1 WHERE id = 1",
    "INSERT INTO album (id, name) VALUES (1, 'x'); INSERT INTO album_photo VALUES (1, 1, 0)",
    "INSERT INTO photo_rating VALUES (1, 3)",
    "INSERT INTO photo_time (photo_id, local) VALUES (1, '1974')",
    """
    INSERT INTO place (id, source, level, code, name, label, search)
    VALUES (1, 'user', 'custom', 'home', 'home', 'home', 'home');
    INSERT INTO photo_place VALUES (1, 1)
    """,
  ])
  func `what the user marked is never forgotten`(sql: String) async throws {
    try await lose()
    try library.write(byHand: sql)
    for day in 1...5 { #expect(try await sync(day: day).forgotten == 0) }
    #expect(try isKept())
  }

  @Test func `a clock that is put back and forth makes nothing go early`() async throws {
    try await lose()
    for _ in 0..<3 {
      try await sync(day: -1)
      try await sync(day: 0)
    }
    #expect(try isKept())
    // One day, whatever the clock made of it; and the next is the second.
    for _ in 0..<3 {
      try await sync(day: 9000)
      try await sync(day: 0)
    }
    #expect(try isKept())
    #expect(try await sync(day: 1).forgotten == 1)
  }

  @Test func `days without a good scan of it all do not count`() async throws {
    try await lose()
    for day in 1...3 { try await sync(day: day, "x") }
    for day in 4...6 {
      library.clock.set(ahead: .seconds(3600 + day * 86_400))
      await #expect(throws: CancellationError.self) { try await library.sync(cutAfter: 1) }
    }
    #expect(try isKept())
    try await sync(day: 7)
    #expect(try isKept())
    #expect(try await sync(day: 8).forgotten == 1)
  }

  @Test func `a long grace outlasts the rows of the scans`() async throws {
    library.settings.missingGrace = 120
    try await lose()
    for day in 1...119 { try await sync(day: day) }
    #expect(try isKept())
    #expect(try await sync(day: 120).forgotten == 1)
  }

  @Test func `without a grace the next scan's day is not waited for`() async throws {
    library.settings.missingGrace = 0
    try await lose()
    #expect(try library.query("SELECT id FROM photo") == ["2"])
  }
}
