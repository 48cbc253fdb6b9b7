import IndexStore
import Linux
import Model
import SQLite
import TestSupport
import Testing

/// A disk that may be dying is left alone, and all roots that lie on it.
struct DiskErrorTests {
  private let filled: FilledIndex
  private let other: Int64

  init() async throws {
    filled = try await FilledIndex("a.jpg", "b.jpg")
    let declaration = RootDeclaration(name: "other", path: Array("/other".utf8), owner: nil)
    other = try #require(try await filled.index.attach(declaration)).id
    try await lies(filled.root, on: "disk")
    try await lies(other, on: "another")
  }

  private func lies(_ root: Int64, on fileSystem: String) async throws {
    let state = DirectoryState(
      path: .root, changeToken: nil, contentToken: nil, fileSystem: fileSystem,
      modified: Timestamp(nanoseconds: 1), entries: 1)
    try await filled.index.store([state], of: root)
  }

  private func names(_ roots: [RestingRoot]) -> [String] { roots.map(\.name) }

  @Test func `twenty failures within an hour put the roots of that disk to rest`() async throws {
    let index = filled.index
    #expect(try await index.noteDiskErrors(19, on: "disk") == [])
    #expect(try await index.noteDiskErrors(19, on: "another") == [])
    #expect(names(try await index.noteDiskErrors(1, on: "disk")) == ["r"])
    #expect(try await index.isResting(filled.root))
    #expect(try await !index.isResting(other))
    // It is told once.
    #expect(try await index.noteDiskErrors(1, on: "disk") == [])
  }

  @Test func `failures of other hours do not count`() async throws {
    _ = try await filled.index.noteDiskErrors(19, on: "disk")
    for shift in [-3600, 1] {
      try filled.shell.execute("UPDATE disk_error SET at = 1720000000 + \(shift)")
      #expect(try await filled.index.noteDiskErrors(1, on: "disk") == [])
      #expect(try filled.shell.rows("SELECT count(*) FROM disk_error") == ["1"])
      _ = try await filled.index.noteDiskErrors(18, on: "disk")
    }
  }

  @Test func `a resting root has nothing to repeat and nothing to hash until it is resumed`()
    async throws
  {
    let index = filled.index
    let failure = ReadFailure(.io, errorNumber: 5, message: "Input/output error")
    try await index.apply([.insert(reading("c.jpg", failure: failure))], to: filled.root)
    try filled.shell.execute("UPDATE retry SET next_attempt_at = 1")
    func work() async throws -> [Int] {
      [
        try await index.directoriesWithDueRetries(of: filled.root, hashes: true).count,
        try await index.nextRetry(in: [filled.root], hashes: true) == nil ? 0 : 1,
        try await index.photos(in: .root, of: filled.root, [.present]).count(where: \.isRetryDue),
        try await index.unhashedDirectories(of: filled.root).count,
      ]
    }
    #expect(try await work() == [1, 1, 1, 1])
    _ = try await index.noteDiskErrors(20, on: "disk")
    try await index.setState(of: filled.root, .held, "disk-errors")
    #expect(try await work() == [0, 0, 0, 0])
    #expect(try await index.resume(filled.root))
    #expect(try await work() == [1, 1, 1, 1])
    #expect(
      try filled.shell.rows("SELECT state, state_reason FROM roots WHERE name = 'r'") == ["online|"]
    )
    // It starts anew, and needs no second word.
    #expect(try await index.noteDiskErrors(19, on: "disk") == [])
    #expect(try await !index.resume(filled.root))
  }
}
