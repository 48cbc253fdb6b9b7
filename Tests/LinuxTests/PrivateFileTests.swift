import Linux
import TestSupport
import Testing

struct PrivateFileTests {
  @Test func `a private file is its owner's alone, and an old one stays as it is`() throws {
    let directory = try TemporaryDirectory()
    try ensurePrivateFile(at: directory.path("index"))
    #expect(try directory.mode(of: "index") == 0o600)
    try directory.write("old", "content")
    try ensurePrivateFile(at: directory.path("old"))
    #expect(try directory.read("old") == Array("content".utf8))
    #expect(try directory.mode(of: "old") == 0o644)
  }

  @Test func `a new private file replaces nothing, and no group shares it`() throws {
    let directory = try TemporaryDirectory()
    try directory.setMode("", 0o2770)
    try makePrivateFile(at: directory.path("copy"))
    #expect(try directory.mode(of: "copy") == 0o600)
    #expect(throws: SystemError.self) { try makePrivateFile(at: directory.path("copy")) }
  }

  @Test func `private directories are made with those above them`() throws {
    let directory = try TemporaryDirectory()
    try ensurePrivateDirectory(at: directory.path("a/b/c"))
    try ensurePrivateDirectory(at: directory.path("a/b/c"))
    for name in ["a", "a/b", "a/b/c"] { #expect(try directory.mode(of: name) == 0o700) }
    try directory.write("file", "")
    #expect(throws: SystemError.self) { try ensurePrivateDirectory(at: directory.path("file/x")) }
  }

  @Test func `a file is replaced whole, or not at all`() throws {
    let directory = try TemporaryDirectory()
    try replaceFile(at: directory.path("words"), with: [1, 2])
    try replaceFile(at: directory.path("words"), with: [0x0403_0201])
    #expect(try directory.read("words") == [1, 2, 3, 4])
    let list = try Directory(absolutePath: Array(directory.path.utf8)).list { _, _ in true }
    #expect(list.entries.count == 1)
  }
}
