import SQLite
import TestSupport
import Testing

@testable import IndexStore

/// A step to a newer form that fails.
struct MigrationTests {
  @Test(arguments: [
    "ALTER TABLE photo ADD COLUMN hue INTEGER; INSERT INTO nowhere VALUES (1)",
    "ALTER TABLE photo ADD COLUMN hue INTEGER; INSERT INTO photo_rating VALUES (99, 1)",
    "CREATE UNIQUE INDEX one ON photo (size)",
  ])
  func `leaves everything as it was`(step: String) async throws {
    let filled = try await FilledIndex("a.jpg", "b.jpg")
    let schema = "SELECT name, sql FROM sqlite_schema ORDER BY 1"
    let before = try filled.shell.rows(schema)
    #expect(throws: SQLiteError.self) {
      try migrate(filled.shell, by: migrations + [["CREATE TABLE hue (a)", step]])
    }
    #expect(try filled.shell.rows(schema) == before)
    #expect(try filled.shell.rows("PRAGMA user_version") == ["1"])
    #expect(try filled.shell.rows("SELECT count(*) FROM photos") == ["2"])
    try migrate(filled.shell, by: migrations + [["CREATE TABLE hue (a)"]])
    #expect(try filled.shell.rows("PRAGMA user_version") == ["2"])
    #expect(try filled.shell.rows("SELECT count(*) FROM photos") == ["2"])
  }
}
