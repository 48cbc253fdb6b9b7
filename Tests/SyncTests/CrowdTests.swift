import TestSupport
import Testing

/// Directories of very many files.
struct CrowdTests {
  @Test func `photos of a crowded directory come into the index about in the order of their names`()
    async throws
  {
    let library = try FixtureLibrary()
    for number in 0..<2100 { try library.write("x/IMG_\(10_000 + number).jpg", photo(number)) }
    try await library.sync()
    // Batches of 64 are read side by side, and may come in any order. In that of the system, which is
    // none, half of all rows would stand behind one of a later name.
    let steps = try library.query(
      """
      SELECT count(*) FROM (SELECT path, lag(path) OVER (ORDER BY id) AS before FROM photo)
      WHERE path < before
      """)
    #expect(try #require(steps.first.flatMap { Int($0) }) < 100)
    #expect(try library.query("SELECT count(*) FROM photos") == ["2100"])
  }
}
