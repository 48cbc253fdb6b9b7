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
    try filled.shell.execute(
      """
      INSERT INTO album (name) VALUES ('Trip'); INSERT INTO album_photo VALUES (1, 2, 0.5);
      UPDATE photo SET is_favorite = 1 WHERE id = 1; INSERT INTO photo_rating VALUES (2, 4);
      INSERT INTO photo_time VALUES (1, '1974-08', 'month', NULL);
      CREATE TABLE my_table (a); INSERT INTO my_table VALUES (7);
      CREATE VIEW my_view AS SELECT id, path, rating, a FROM photos JOIN my_table;
      CREATE TRIGGER my_trigger AFTER UPDATE OF rating ON photo_rating
        BEGIN UPDATE my_table SET a = NEW.rating; END
      """)
    let written = """
      SELECT id, my_view.path, local_identifier, is_favorite, my_view.rating, my_view.a, album_id, position, local
      FROM my_view JOIN photos USING (id) LEFT JOIN album_photo ON album_photo.photo_id = id
      LEFT JOIN photo_time ON photo_time.photo_id = id ORDER BY 1, album_id
      """
    let before = try filled.shell.rows(schema)
    let rows = try filled.shell.rows(written)
    #expect(rows.count == 2)
    #expect(throws: SQLiteError.self) {
      try migrate(filled.shell, by: migrations + [["CREATE TABLE hue (a)", step]])
    }
    #expect(try filled.shell.rows(schema) == before)
    #expect(try filled.shell.rows("PRAGMA user_version") == ["1"])
    #expect(try filled.shell.rows(written) == rows)
    #expect(try filled.shell.faults() == [])
    // One that does not fail keeps as much.
    try migrate(filled.shell, by: migrations + [["CREATE TABLE hue (a)"]])
    #expect(try filled.shell.rows("PRAGMA user_version") == ["2"])
    #expect(try filled.shell.rows(written) == rows)
    #expect(try filled.shell.faults() == [])
    try filled.shell.execute("UPDATE photo_rating SET rating = 5")
    #expect(try filled.shell.rows("SELECT a FROM my_table") == ["5"])
  }
}
