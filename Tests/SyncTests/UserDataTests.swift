import SQLite
import TestSupport
import Testing

/// What a user wrote, out of one index and into another.
struct UserDataTests {
  private let program: Program

  init() throws {
    program = try Program([
      "2024/a.jpg": photo(1), "2024/b.jpg": photo(2), "2024/c.jpg": photo(3),
      "copies/b.jpg": photo(2),
    ])
    try program.rescan()
    try program.edit(
      """
      INSERT INTO place (id, source, level, code, name, label, search)
        VALUES (7, 'own.geojson', 'custom', 'cabin', 'Cabin', 'Cabin', 'cabin');
      UPDATE album SET name = 'Best' WHERE id = 0;
      INSERT INTO album (name) VALUES ('Jeju'), ('empty');
      INSERT INTO album_photo SELECT 0, id, 3 FROM photo WHERE path = '2024/a.jpg';
      INSERT INTO album_photo SELECT 1, id, 2.5 FROM photo WHERE path = '2024/b.jpg';
      INSERT INTO photo_rating SELECT id, 4 FROM photo WHERE path = '2024/b.jpg';
      INSERT INTO photo_time SELECT id, '1974-08', 'month', NULL FROM photo WHERE path = '2024/c.jpg';
      INSERT INTO photo_place SELECT id, 7 FROM photo WHERE path = '2024/c.jpg';
      UPDATE device SET name = 'Mina''s', is_registered = 1;
      INSERT INTO device_clock (device_id, shift_s) VALUES (1, 420);
      CREATE TABLE my_prints (identifier TEXT, copies INTEGER, blob BLOB, share REAL);
      INSERT INTO my_prints VALUES ('x''y', 3, x'00ff', 0.5), (NULL, NULL, NULL, NULL);
      CREATE VIEW my_view AS SELECT copies FROM my_prints;
      """)
  }

  private var file: String { program.home.path + "/user.json" }

  /// All that a user can write, by names that mean the same in every index.
  private func written(_ index: Connection) throws -> [String] {
    try [
      """
      SELECT path, is_favorite, photo_rating.rating, local, precision, code FROM photo
      LEFT JOIN photo_rating ON photo_rating.photo_id = photo.id
      LEFT JOIN photo_time ON photo_time.photo_id = photo.id
      LEFT JOIN photo_place ON photo_place.photo_id = photo.id
      LEFT JOIN place ON place.id = photo_place.place_id
      WHERE missing_since IS NULL ORDER BY path
      """,
      """
      SELECT album.name, path, position FROM album LEFT JOIN album_photo ON album_id = album.id
      LEFT JOIN photo ON photo.id = photo_id ORDER BY 1, 2
      """,
      "SELECT name, is_registered FROM device", "SELECT device_id, shift_s FROM device_clock",
      "SELECT * FROM my_prints", "SELECT * FROM my_view",
    ].flatMap { try index.rows($0) }
  }

  /// But when the album of favourites was made, which is when the index was.
  private func lines(_ file: String) throws -> [Substring] {
    String(decoding: try program.home.read(file), as: UTF8.self).split(separator: "\n")
      .filter { !$0.contains("created_at") }.sorted()
  }

  @Test func `it goes into an index made from nothing, once, however often it is imported`() throws
  {
    #expect(try program.status("--export-user", file) == 0)
    #expect(try program.home.mode(of: "user.json") == 0o600)
    #expect(try program.status("--export-user", file) == 64)
    let before = try written(program.index())
    for name in ["", "-wal", "-shm", ".lock"] { program.home.remove("index.sqlite" + name) }
    try program.rescan()
    try program.edit(
      """
      INSERT INTO place (id, source, level, code, name, label, search)
        VALUES (9, 'own.geojson', 'custom', 'cabin', 'Cabin', 'Cabin', 'cabin')
      """)
    for _ in 0..<2 {
      #expect(try program.status("--import-user", file) == 0)
      #expect(try written(program.index()) == before)
      #expect(try program.index().faults() == [])
    }
    // What is exported again is the same.
    let second = program.home.path + "/second.json"
    #expect(try program.status("--export-user", second) == 0)
    #expect(try lines("user.json") == lines("second.json"))
  }

  @Test func `moved photos are found by their bytes, and what is not found is told`() throws {
    #expect(try program.status("--export-user", file) == 0)
    let other = try Program(
      ["new/place.jpg": photo(2), "a.jpg": photo(1)], roots: ["new"])
    try other.rescan()
    let status = try other.status("--import-user", file)
    #expect(status == 1)
    #expect(
      try other.output().split(separator: "\n").filter { $0.hasPrefix("not imported: ") } == [
        "not imported: photos: 2024/a.jpg: no photo with its bytes is here",
        "not imported: photos: 2024/c.jpg: no photo with its bytes is here",
      ])
    #expect(
      try other.index().rows("SELECT file, rating, is_favorite FROM photos") == ["place.jpg|4|0"])
    #expect(
      try other.index().rows("SELECT name, photos FROM albums ORDER BY 1")
        == ["Best|0", "Jeju|1", "empty|0"])
  }

  @Test func `another photo at the same path is not taken for it, and what is there stays`() throws
  {
    #expect(try program.status("--export-user", file) == 0)
    let other = try Program(["2024/a.jpg": photo(8), "2024/b.jpg": photo(2)])
    try other.rescan()
    try other.edit(
      """
      INSERT INTO photo_rating SELECT id, 1 FROM photo WHERE path = '2024/b.jpg';
      UPDATE device SET name = 'Jun''s';
      """)
    #expect(try other.status("--import-user", file) == 1)
    #expect(
      try other.index().rows("SELECT file, rating, is_favorite, device FROM photos ORDER BY 1")
        == ["a.jpg||0|Jun's", "b.jpg|1|0|Jun's"])
  }

  @Test func `values that no table takes are told, and keep nothing else out`() throws {
    #expect(try program.status("--export-user", file) == 0)
    let text = String(decoding: try program.home.read("user.json"), as: UTF8.self)
    try program.home.write("bad.json", text.replacing(#""rating" : 4"#, with: #""rating" : 9"#))
    try program.edit("DELETE FROM photo_rating; DELETE FROM photo_time")
    #expect(try program.status("--import-user", program.home.path + "/bad.json") == 1)
    #expect(try program.output().contains("not imported: photos: 2024/b.jpg: CHECK constraint"))
    #expect(try program.index().rows("SELECT local FROM photo_time") == ["1974-08"])
    try program.home.write(
      "worse.json", text.replacing("CREATE VIEW my_view", with: "CREATE VIEW other"))
    try program.edit("DROP VIEW my_view")
    #expect(try program.status("--import-user", program.home.path + "/worse.json") == 1)
    #expect(
      try program.index().rows("SELECT count(*) FROM sqlite_schema WHERE name = 'other'") == ["0"])
    try program.home.write("none.json", "[]")
    #expect(try program.status("--import-user", program.home.path + "/none.json") == 64)
    #expect(try program.status("--import-user", program.home.path + "/gone.json") == 66)
  }
}
