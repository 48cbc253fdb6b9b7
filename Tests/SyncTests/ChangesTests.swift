import IndexStore
import SQLite
import Sync
import TestSupport
import Testing

/// What `--changes-since` tells whoever follows the index.
struct ChangesTests {
  private let library: FixtureLibrary

  init() throws {
    library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
  }

  /// As `move photo 2 path`.
  private func changes(since token: FeedToken?) throws -> (lines: [String], next: FeedToken) {
    var lines: [String] = []
    let next = try library.reader().changes(since: token) { change in
      let fields = change.fields.map { " " + $0 }.joined()
      lines.append("\(change.kind) \(change.subject) \(change.id)\(fields)")
    }
    return (lines, next)
  }

  @Test func `from the beginning, all that is there is new`() async throws {
    try await library.sync()
    library.disk.remove("a.jpg")
    try await library.sync()
    let id = try #require(try library.id("b.jpg"))
    let (lines, next) = try changes(since: nil)
    #expect(lines == ["insert device 1", "insert photo \(id)"])
    #expect(try changes(since: next).lines == [])
  }

  @Test func `each photo comes once, as it is now`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    let id = try #require(try library.id("a.jpg"))
    try library.write(byHand: "UPDATE photo SET is_favorite = 1 WHERE id = \(id)")
    try library.disk.move("a.jpg", to: "c.jpg")
    try await library.sync()
    try library.write(byHand: "INSERT INTO photo_rating VALUES (\(id), 5)")
    #expect(try changes(since: token).lines == ["move photo \(id) is_favorite path rating"])
    var path: FeedColumn.Value?
    _ = try library.reader().changes(since: token) { change in
      path = change.row.first { $0.name == "path" }?.value
    }
    #expect(path == .text(library.disk.path + "/c.jpg"))
  }

  @Test func `what came and went again is not told`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    try library.write("c.jpg", photo(3))
    try await library.sync()
    library.disk.remove("c.jpg")
    library.disk.remove("a.jpg")
    try await library.sync()
    #expect(try changes(since: token).lines == ["delete photo \(library.firstGone())"])
  }

  @Test func `what went and came back is there with the same id`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    let id = try #require(try library.id("a.jpg"))
    library.disk.remove("a.jpg")
    try await library.sync()
    let gone = try changes(since: token).next
    try library.write("a.jpg", photo(1))
    try await library.sync()
    #expect(try changes(since: gone).lines == ["restore photo \(id)"])
    #expect(try changes(since: token).lines == ["update photo \(id)"])
  }

  @Test func `a device that the user names is told of`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    try library.write(byHand: "UPDATE device SET name = 'Mum''s'")
    #expect(try changes(since: token).lines == ["update device 1 name"])
  }

  @Test func `a token of an empty index holds`() async throws {
    let empty = try changes(since: nil).next
    #expect(empty.sequence == 0)
    try await library.sync()
    #expect(try changes(since: empty).lines.count == 3)
  }

  @Test func `a token reads back as it is written`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    #expect(FeedToken(token.description) == token)
    for text in ["", "1", "a.b.c", "\(token)0.1", token.index + ".-1.0"] {
      #expect(FeedToken(text) == nil, "\(text)")
    }
  }

  @Test func `a token of another index, another mark or a lost change has expired`() async throws {
    try await library.sync()
    let token = try changes(since: nil).next
    let strange = [
      FeedToken(index: library.strangeIndex, sequence: token.sequence, mark: token.mark),
      FeedToken(index: token.index, sequence: token.sequence, mark: token.mark ^ 1),
      FeedToken(index: token.index, sequence: token.sequence + 1, mark: 0),
      FeedToken(index: token.index, sequence: 0, mark: 1),
    ]
    for strange in strange {
      #expect(throws: FeedTokenExpired(token: strange)) { try changes(since: strange) }
    }
  }

  @Test func `changes of long ago are forgotten, and their tokens expire, but for the last`()
    async throws
  {
    let empty = try changes(since: nil).next
    try await library.sync()
    let first = try changes(since: nil).next
    library.settings.changesKept = .seconds(100 * 86_400)
    library.clock.set(ahead: .seconds(90 * 86_400))
    try await library.sync()
    #expect(try changes(since: empty).lines.count == 3)
    library.clock.set(ahead: .seconds(110 * 86_400))
    try await library.sync()
    #expect(throws: FeedTokenExpired(token: empty)) { try changes(since: empty) }
    #expect(try changes(since: first).lines == [])
    try library.write("c.jpg", photo(3))
    try await library.sync()
    #expect(try changes(since: first).lines.count == 1)
    #expect(try changes(since: nil).lines.count == 4)
  }
}

extension FixtureLibrary {
  fileprivate func firstGone() throws -> Int64 {
    try states().filter { $0.value == "missing" }.keys.min() ?? 0
  }

  fileprivate var strangeIndex: String { "00000000-0000-4000-8000-000000000000" }
}
