import SQLite
import TestSupport
import Testing

/// The commands that say what becomes of a root as a whole.
struct RootCommandTests {
  /// Two roots, with a favourite and an album in each, and a copy of the second's photo in the first.
  private func twoRoots() throws -> Program {
    let program = try Program(
      [
        "a/one.jpg": photo(1), "a/copy.jpg": photo(2), "b/two.jpg": photo(2),
        "b/three.jpg": photo(3),
      ],
      roots: ["a", "b"])
    try program.rescan()
    return program
  }

  private func edit(_ program: Program, _ sql: String) throws {
    try Connection(path: program.home.path + "/index.sqlite", .readWrite).execute(sql)
  }

  @Test func `a root that the configuration still names is not forgotten`() throws {
    let program = try twoRoots()
    #expect(try program.status("--forget", "b") == 78)
    #expect(try program.status("--forget", "c") == 66)
    #expect(try program.index().rows("SELECT count(*) FROM photos") == ["4"])
  }

  @Test func `a detached root stays until it is forgotten, and its marks go to copies`() throws {
    let program = try twoRoots()
    let index = try program.index()
    try edit(
      program,
      """
      UPDATE photo SET is_favorite = 1 WHERE path = 'two.jpg';
      INSERT INTO album (name) VALUES ('best');
      INSERT INTO album_photo (album_id, photo_id) SELECT 1, id FROM photo WHERE path = 'two.jpg';
      UPDATE device SET name = 'Mina''s camera'
      """)
    try program.configure([("a", program.disk.path + "/a")])
    try program.rescan()
    #expect(try index.rows("SELECT state FROM roots WHERE name = 'b'") == ["detached"])
    #expect(
      try index.rows("SELECT count(*) FROM photos_all WHERE state = 'detached'") == ["2"])
    #expect(try program.status("--forget", "b") == 0)
    #expect(try program.output() == "b: forgotten, with 2 photos\n")
    #expect(try index.rows("SELECT name FROM roots") == ["a"])
    #expect(
      try index.rows("SELECT file, is_favorite FROM photos_all ORDER BY 1")
        == ["copy.jpg|1", "one.jpg|0"])
    #expect(
      try index.rows(
        "SELECT file FROM album_photo JOIN photos ON id = photo_id WHERE album_id = 1")
        == ["copy.jpg"])
    #expect(try index.rows("SELECT DISTINCT device FROM photos") == ["Mina's camera"])
    #expect(try index.faults() == [])
    #expect(try program.index().rows("SELECT DISTINCT root_id FROM scan") == ["1"])
  }

  @Test func `marks that nothing else has are forgotten only when that is said`() throws {
    let program = try twoRoots()
    try edit(program, "UPDATE photo SET is_favorite = 1 WHERE path = 'three.jpg'")
    try program.configure([("a", program.disk.path + "/a")])
    try program.rescan()
    #expect(try program.status("--forget", "b") == 78)
    #expect(try program.output().contains("1 of its photos have marks of yours"))
    #expect(try program.index().rows("SELECT count(*) FROM roots") == ["2"])
    #expect(try program.status("--forget", "b", "--with-marks") == 0)
    #expect(try program.index().rows("SELECT count(*) FROM roots") == ["1"])
    #expect(try program.status("--rescan", "--with-marks") == 64)
  }

  @Test func `a consumer of the feed loses the photos of a forgotten root`() throws {
    let program = try Program(["a/one.jpg": photo(1), "b/two.jpg": photo(2)], roots: ["a", "b"])
    try program.rescan()
    // Taken out of the configuration, and forgotten before any scan detached it.
    try program.configure([("a", program.disk.path + "/a")])
    #expect(try program.status("--forget", "b") == 0)
    let index = try program.index()
    #expect(
      try index.rows(
        "SELECT kind, row_id FROM change WHERE subject = 'photo' ORDER BY seq DESC LIMIT 1")
        == ["delete|2"])
  }

  @Test func `missing photos are forgotten by root, marked ones, too`() throws {
    let program = try twoRoots()
    let index = try program.index()
    try edit(program, "UPDATE photo SET is_favorite = 1 WHERE path = 'three.jpg'")
    program.disk.remove("a/one.jpg")
    program.disk.remove("b/three.jpg")
    try program.rescan()
    #expect(try index.rows("SELECT count(*) FROM missing") == ["2"])
    #expect(try program.status("--forget-missing", "a") == 0)
    #expect(try program.output() == "a: 1 missing photos forgotten\n")
    #expect(try index.rows("SELECT count(*) FROM missing") == ["1"])
    #expect(try program.status("--forget-missing") == 0)
    #expect(try program.output().contains("b: 1 missing photos forgotten, 1 of them with marks"))
    #expect(try index.rows("SELECT file FROM photos_all ORDER BY 1") == ["copy.jpg", "two.jpg"])
    #expect(try program.status("--forget-missing", "nobody") == 66)
  }

  @Test func `a root takes another name only by a command, and keeps all`() throws {
    let program = try twoRoots()
    let index = try program.index()
    try edit(program, "UPDATE photo SET is_favorite = 1 WHERE path = 'two.jpg'")
    let before = try index.rows("SELECT id, path, is_favorite FROM photos ORDER BY 1")
    let (a, b) = (program.disk.path + "/a", program.disk.path + "/b")
    // The configuration comes first.
    #expect(try program.status("--rename-root", "b", "family") == 78)
    try program.configure([("a", a), ("family", b)])
    #expect(try program.rescanStatus() == 78)
    #expect(try program.output().contains("--rename-root 'b' 'family'"))
    #expect(try program.status("--rename-root", "b", "a") == 78)
    #expect(try program.status("--rename-root", "b") == 64)
    #expect(try program.status("--rename-root", "b", "family") == 0)
    try program.rescan()
    #expect(try program.output().contains("family: nothing changed: 2 photos"))
    #expect(try index.rows("SELECT id, path, is_favorite FROM photos ORDER BY 1") == before)
    #expect(
      try index.rows("SELECT root, count(*) FROM photos GROUP BY 1 ORDER BY 1")
        == ["a|2", "family|2"])
  }

  @Test func `what is said of a file system must be said of a root that is scanned`() throws {
    let program = try twoRoots()
    #expect(try program.rescanStatus("--accept-filesystem", "c") == 66)
    #expect(try program.rescanStatus("--accept-filesystem", "a") == 0)
    #expect(try program.status("--status", "--accept-filesystem", "a") == 64)
  }

  @Test func `one directory of a hundred that is closed hides no other`() throws {
    let program = try Program([:])
    for number in 0..<100 {
      try program.disk.write("\(twoDigits(number))/a.jpg", photo(number))
    }
    try program.disk.setMode("00", 0o000)
    try program.rescan()
    let index = try program.index()
    #expect(try index.rows("SELECT count(*) FROM photos") == ["99"])
    #expect(try index.rows("SELECT directory, errno FROM unreadable") == ["00|13"])
    try program.disk.setMode("00", 0o755)
    try program.rescan()
    #expect(try index.rows("SELECT count(*) FROM photos") == ["100"])
    // Closed once more, it keeps its row; opened, all is as before, and nothing is read.
    try program.disk.setMode("00", 0o000)
    try program.rescan()
    #expect(try index.rows("SELECT count(*) FROM photos") == ["100"])
    #expect(try index.rows("SELECT directory, errno FROM unreadable") == ["00|13"])
    let end = try index.rows("SELECT max(seq) FROM change")
    try program.disk.setMode("00", 0o755)
    try program.rescan()
    #expect(try index.rows("SELECT directory FROM unreadable") == [])
    #expect(try index.rows("SELECT max(seq) FROM change") == end)
  }
}
