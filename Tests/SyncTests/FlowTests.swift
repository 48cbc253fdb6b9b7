import IndexStore
import Library
import Sync
import TestSupport
import Testing

/// The flow of work through a pass, where one kind of it is much and another little.
struct FlowTests {
  /// More rows than one transaction takes come back without a reading, and one file is new.
  @Test func `many writes without a reading do not block the one reading behind them`() async throws
  {
    let library = try FixtureLibrary()
    for number in 0..<2_100 { try library.write("x/\(number).jpg", [0]) }
    try await library.sync()
    library.rules = PhotoRules(exclude: [try #require(Glob("x/"))])
    #expect(try await library.sync().excluded == 2_100)

    library.rules = PhotoRules()
    try library.write("x/new.jpg", [0])
    let summary = try await library.sync()
    #expect(summary.restored == 2_100)
    #expect(summary.counts.added == 1)
  }
}
