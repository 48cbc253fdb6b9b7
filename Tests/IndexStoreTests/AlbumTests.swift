import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// What people do with albums in the shell, whose foreign keys are off.
struct AlbumTests {
  @Test func `the album of favourites and is_favorite say the same, whichever is written`()
    async throws
  {
    let filled = try await FilledIndex("a", "b", "c")
    let shell = filled.shell
    func favourites() throws -> [String] {
      let flagged = try shell.rows("SELECT id FROM photo WHERE is_favorite = 1 ORDER BY 1")
      let members = "SELECT photo_id FROM album_photo WHERE album_id = 0 ORDER BY 1"
      #expect(try shell.rows(members) == flagged)
      return flagged
    }
    try shell.execute("UPDATE photo SET is_favorite = 1 WHERE id IN (1, 2)")
    #expect(try favourites() == ["1", "2"])
    try shell.execute("INSERT INTO album_photo (album_id, photo_id) VALUES (0, 3)")
    #expect(try favourites() == ["1", "2", "3"])
    try shell.execute("DELETE FROM album_photo WHERE album_id = 0 AND photo_id = 1")
    #expect(try favourites() == ["2", "3"])
    try shell.execute("UPDATE photo SET is_favorite = 0 WHERE id = 2")
    #expect(try favourites() == ["3"])
    try shell.execute(
      """
      INSERT INTO album (id, name) VALUES (1, 'x');
      UPDATE album_photo SET album_id = 1 WHERE photo_id = 3;
      """)
    #expect(try favourites() == [])
    try shell.execute(
      """
      INSERT INTO album_photo VALUES (1, 1, 0);
      UPDATE photo SET is_favorite = 1 WHERE id = 1;
      UPDATE OR REPLACE album_photo SET album_id = 0;
      """)
    #expect(try favourites() == ["1", "3"])
    try shell.execute("INSERT OR REPLACE INTO album_photo VALUES (0, 1, 7)")
    #expect(try favourites() == ["1", "3"])
    #expect(try shell.faults() == [])
  }

  @Test(arguments: [
    "DELETE FROM album", "INSERT OR REPLACE INTO album (name) VALUES ('Favourites')",
    "UPDATE OR REPLACE album SET name = 'Favourites' WHERE id = 1", "UPDATE album SET id = 5",
  ])
  func `the album of favourites stays`(sql: String) async throws {
    let filled = try await FilledIndex("a")
    try filled.shell.execute(
      """
      INSERT INTO album (id, name) VALUES (1, 'x'); INSERT INTO album_photo VALUES (0, 1, 0);
      """)
    #expect(throws: SQLiteError.self) { try filled.shell.execute(sql) }
    #expect(
      try filled.shell.rows("SELECT id, name, photos FROM albums ORDER BY id")
        == ["0|Favourites|1", "1|x|0"])
  }

  @Test func `an album that is replaced leaves no members behind`() async throws {
    let filled = try await FilledIndex("a")
    try filled.shell.execute(
      """
      INSERT INTO album (id, name) VALUES (1, 'x'); INSERT INTO album_photo VALUES (1, 1, 0);
      INSERT OR REPLACE INTO album (id, name) VALUES (2, 'x');
      """)
    #expect(try filled.shell.rows("SELECT * FROM album_photo") == [])
  }

  @Test func `the feed tells which photos have other albums, each time once`() async throws {
    let filled = try await FilledIndex("a", "b", "c")
    try await filled.index.apply([.leave(id: 3, .missing)], to: filled.root)
    func told(_ sql: String) throws -> [String] {
      let end = try filled.end()
      try filled.shell.execute(sql)
      return try filled.feed(after: end)
    }
    #expect(try told("INSERT INTO album (id, name) VALUES (1, 'x'), (2, 'y')") == [])
    let both = ["photo update 1 albums", "photo update 2 albums"]
    #expect(
      try told("INSERT INTO album_photo (album_id, photo_id) VALUES (1, 1), (1, 2), (1, 3)")
        == both)
    #expect(try told("UPDATE album SET name = 'z' WHERE id = 1") == both)
    #expect(try told("UPDATE album SET name = 'z' WHERE id = 1") == [])
    let move = "UPDATE album_photo SET album_id = 2 WHERE photo_id = 1"
    #expect(try told(move) == ["photo update 1 albums"])
    #expect(try told("UPDATE album_photo SET position = 5") == [])
    #expect(try told("DELETE FROM album WHERE id > 0").sorted() == both)
    // That it is a favourite now, is_favorite tells.
    #expect(try told("INSERT INTO album_photo VALUES (0, 1, 0)") == ["photo update 1 is_favorite"])
  }

  @Test func `each folder is an album of the photos in it`() async throws {
    let filled = try await FilledIndex("a", "x/b", "x/c", "x/y/d", "x0/e", "z/gone")
    let paths = ["", "x", "x/y", "x0", "z", "empty"].map { RelativePath($0) }
    try await filled.index.store(
      paths.map {
        DirectoryState(
          path: $0, changeToken: nil, contentToken: nil, fileSystem: "f",
          modified: Timestamp(nanoseconds: 0), entries: 1)
      }, of: filled.root)
    try await filled.index.apply([.leave(id: 6, .missing)], to: filled.root)
    #expect(
      try filled.shell.rows(
        "SELECT folder, name, photos, photos_below FROM folder_albums ORDER BY folder")
        == ["|r|1|5", "x|x|2|3", "x/y|y|1|1", "x0|x0|1|1"])
    #expect(
      try filled.shell.rows("SELECT folder, photo_id FROM photo_in_folder ORDER BY photo_id")
        == ["|1", "x|2", "x|3", "x/y|4", "x0|5"])
  }
}
