import Model
import TestSupport
import Testing

struct PathTextTests {
  @Test(arguments: [
    ("2024/a b.jpg", "2024/a b.jpg"),
    ("back\\slash.jpg", "back\\slash.jpg"),
    ("café.jpg", "café.jpg"),
  ])
  func `a path that is UTF-8 is spelled as it is`(path: String, spelling: String) {
    #expect(indexSpelling(of: RelativePath(path)) == spelling)
  }

  @Test func `bytes that are not UTF-8, and backslashes in such a name, are escaped`() {
    let name = Array("é\\".utf8) + [0xff, 0xc3]
    let path = RelativePath("a\\b").appending(name)
    #expect(indexSpelling(of: path) == "a\\b/é\\x5C\\xFF\\xC3")
  }

  /// A directory's spelling must be the prefix of its files', or key ranges would miss some.
  @Test(arguments: 0..<200)
  func `the spelling of a directory begins the spelling of what it holds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let directory = RelativePath(bytes: randomName(using: &random))
    let file = directory.appending(randomName(using: &random))
    #expect(indexSpelling(of: file).hasPrefix(indexSpelling(of: directory) + "/"))
  }

  @Test func `no name can move the cursor or forge a line`() {
    #expect(printable("a\u{1b}[2J\nb\u{7f}\u{9b}é".utf8) == "a\\x1B[2J\\x0Ab\\x7F\\xC2\\x9Bé")
    #expect(printable([0xe2, 0x82]) == "\\xE2\\x82")
  }
}

private func randomName(using random: inout SeededGenerator) -> [UInt8] {
  (0..<Int.random(in: 1...12, using: &random)).map { _ in
    let byte = UInt8.random(in: 1...255, using: &random)
    return byte == UInt8(ascii: "/") ? 0x5c : byte
  }
}
