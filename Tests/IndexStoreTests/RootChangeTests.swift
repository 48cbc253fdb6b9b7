import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// What happens to a root happens to all of its photos, some thousand a transaction.
struct RootChangeTests {
  enum Change: CaseIterable {
    case leaves, returns, moves, isOwnedByAnother, isRenamed
  }

  private let filled: FilledIndex
  private let count = 12_000

  init() async throws {
    filled = try await FilledIndex()
    try filled.shell.execute(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
      INSERT INTO photo (root_id, local_identifier, path, size, mtime_ns, ctime_ns, inode,
          reader_version, added_at)
        SELECT \(filled.root), 'p' || n, n || '.jpg', 1, 1, 1, n, 1, 1 FROM number;
      CREATE TABLE my_steps (told INTEGER);
      CREATE TRIGGER my_step AFTER UPDATE OF told_through ON root WHEN NEW.told_through > 0
      BEGIN
        INSERT INTO my_steps VALUES (NEW.told_through);
      END;
      """)
  }

  private func declaration(path: String = "/r", owner: String? = nil) -> RootDeclaration {
    RootDeclaration(name: "r", path: Array(path.utf8), owner: owner)
  }

  private func make(_ change: Change) async throws {
    switch change {
    case .leaves: _ = try await filled.index.attach([])
    case .returns: _ = try await filled.index.attach([declaration()])
    case .moves: _ = try await filled.index.attach([declaration(path: "/elsewhere")])
    case .isOwnedByAnother: _ = try await filled.index.attach([declaration(owner: "mina")])
    case .isRenamed: try await filled.index.rename(filled.root, to: "s")
    }
  }

  @Test func `no transaction tells of more than some thousand photos`() async throws {
    try await make(.leaves)
    let steps = try filled.shell.rows("SELECT told FROM my_steps ORDER BY told").compactMap {
      Int($0)
    }
    #expect(steps.last == count)
    for (last, next) in zip([0] + steps, steps) { #expect(next - last <= 5_000) }
    #expect(steps.count > 1)
    #expect(
      try filled.shell.rows("SELECT count(*), count(DISTINCT row_id), min(kind) FROM change")
        == ["\(count)|\(count)|delete"])
    #expect(try filled.shell.rows("SELECT told_through, was_attached FROM root") == ["|"])
  }

  @Test(arguments: Change.allCases)
  func `killed while it tells, the feed and the views agree, and the next opening goes on`(
    change: Change
  ) async throws {
    if change == .returns { try await make(.leaves) }
    var copy = Copy()
    try copy.follow(filled)
    try filled.shell.execute(
      """
      CREATE TRIGGER my_stop BEFORE UPDATE OF told_through ON root WHEN NEW.told_through > 5000
      BEGIN
        SELECT RAISE(ABORT, 'stopped');
      END;
      """)
    await #expect(throws: SQLiteError.self) { try await make(change) }
    // Not all of them, and not none.
    try copy.follow(filled)
    let told = copy.told
    #expect((1...5_000).contains(told))
    #expect(try copy.rows == Copy.photos(filled))
    // What a person writes meanwhile is told of those that are shown.
    try filled.shell.execute("UPDATE photo SET is_favorite = 1 WHERE id IN (1, \(count))")
    try copy.follow(filled)
    #expect(try copy.rows == Copy.photos(filled))
    try filled.shell.execute("DROP TRIGGER my_stop")
    let path = try #require(try filled.shell.rows("SELECT file FROM pragma_database_list").first)
    _ = try PhotoIndex(path: path, catalog: nil, now: { Timestamp(seconds: 1, nanoseconds: 0) })
    try copy.follow(filled)
    #expect(copy.told == count - told)
    #expect(try copy.rows == Copy.photos(filled))
    #expect(try filled.shell.rows("SELECT told_through FROM root") == [""])
    #expect(try filled.shell.faults() == [])
  }
}

/// A copy of some columns of the view `photos`, kept by the feed.
private struct Copy {
  private(set) var rows: [Int64: [FeedColumn.Value]] = [:]
  /// How many photos the feed told of, but for favourites, when it was last followed.
  private(set) var told = 0
  private var token: FeedToken?

  mutating func follow(_ filled: FilledIndex) throws {
    told = 0
    token = try reader(filled).changes(since: token) { change in
      if change.fields != ["is_favorite"] { told += 1 }
      rows[change.id] = change.kind == .delete ? nil : Copy.shown(change.row)
    }
  }

  static func photos(_ filled: FilledIndex) throws -> [Int64: [FeedColumn.Value]] {
    var rows: [Int64: [FeedColumn.Value]] = [:]
    _ = try reader(filled).changes(since: nil) { rows[$0.id] = shown($0.row) }
    return rows
  }

  private static func shown(_ row: [FeedColumn]) -> [FeedColumn.Value] {
    row.filter { ["root", "owner", "path", "is_favorite"].contains($0.name) }.map(\.value)
  }
}

private func reader(_ filled: FilledIndex) throws -> IndexReader {
  try IndexReader(path: filled.shell.rows("SELECT file FROM pragma_database_list").first ?? "")
}
