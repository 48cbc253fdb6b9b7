import Linux
import TestSupport
import Testing

@Suite struct MappedWordsTests {
  private let words: [UInt32] = (0..<10_000).map { $0 &* 2_654_435_761 }

  /// The pages of a file come back from it; those that no file holds must not be given away.
  @Test func `words that were left to the cache are there again`() throws {
    let directory = try TemporaryDirectory()
    let path = Array((directory.path + "/words").utf8)
    try replaceFile(at: path, with: words)
    for mapped in [try MappedWords(file: path), try MappedWords(copying: words)] {
      for _ in 0..<2 {
        #expect((0..<mapped.count).map { mapped[$0] } == words)
        mapped.leaveToCache()
      }
    }
  }
}
