import Linux
import SQLite
import TestSupport
import Testing

/// An index whose file is damaged, or that cannot be written.
struct RescueTests {
  private let program: Program
  private let path: String

  init() throws {
    program = try Program([:])
    for number in 0..<120 { try program.disk.write("\(number % 3)/\(number).jpg", photo(number)) }
    try program.rescan()
    path = program.home.path + "/index.sqlite"
    try program.edit(
      """
      INSERT INTO album (name) VALUES ('Trip');
      INSERT INTO album_photo SELECT 1, id, id FROM photo;
      UPDATE photo SET is_favorite = 1 WHERE id % 2;
      INSERT INTO photo_rating SELECT id, id % 6 FROM photo;
      UPDATE device SET name = 'Mina''s';
      CREATE TABLE my_table (a); INSERT INTO my_table VALUES (7);
      CREATE INDEX my_index ON my_table (a);
      CREATE VIEW my_view AS SELECT path, rating, (SELECT count(*) FROM my_table) FROM photos
        WHERE rating > 4;
      CREATE TRIGGER my_trigger AFTER INSERT ON photo_rating WHEN NEW.rating = -1
        BEGIN INSERT INTO my_table VALUES (NEW.photo_id); END;
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }

  private func written() throws -> [String] {
    try program.index().rows(
      """
      SELECT id, path, is_favorite, rating, device,
        (SELECT position FROM album_photo WHERE album_id = 1 AND photo_id = id)
      FROM photos ORDER BY id
      """)
  }

  private let own = """
    SELECT name, sql FROM sqlite_schema WHERE name LIKE 'my_%' ORDER BY name
    """

  /// The offsets of the pages that are leaves of a table and hold the text.
  private func leaves(holding text: String) throws -> [Int] {
    let bytes = try program.home.read("index.sqlite")
    return stride(from: 0, to: bytes.count, by: 4096).filter { start in
      bytes[start] == 0x0d
        && bytes[start..<min(start + 4096, bytes.count)].firstRange(of: Array(text.utf8)) != nil
    }
  }

  private func flip(_ offset: Int) throws {
    var bytes = try program.home.read("index.sqlite")
    for index in offset..<(offset + 4096) { bytes[index] ^= 0xff }
    try program.home.write("index.sqlite", bytes)
    try program.home.setMode("index.sqlite", 0o666)
  }

  @Test(arguments: ["1/1.jpg", "2/119.jpg", "0/60.jpg"])
  func `a page of photos that was flipped costs nothing that the user wrote`(name: String) throws {
    let before = try written()
    let (objects, view) = try (
      program.index().rows(own), program.index().rows("SELECT * FROM my_view")
    )
    let exported = program.home.path + "/exported"
    #expect(try program.status("--export-user", exported + ".before") == 0)
    let page = try #require(leaves(holding: name).first)
    try flip(page)
    let damaged = try program.home.read("index.sqlite")
    // A scan of what has not changed has no need of the page; whoever reads all of it has.
    #expect(try program.status("--changes-since", "0") == 74)
    #expect(try program.rescanStatus() == 0)
    #expect(try program.index().faults() == [])
    #expect(try written() == before)
    #expect(try program.index().rows("SELECT a FROM my_table") == ["7"])
    #expect(try program.index().rows(own) == objects)
    #expect(try program.index().rows("SELECT * FROM my_view") == view)
    #expect(try program.status("--export-user", exported + ".after") == 0)
    #expect(try program.home.read("exported.after") == program.home.read("exported.before"))
    try program.edit(
      "UPDATE photo_rating SET rating = 0; DELETE FROM photo_rating WHERE photo_id = 1")
    try program.edit("INSERT INTO photo_rating VALUES (1, -1)")
    #expect(try program.index().rows("SELECT a FROM my_table") == ["7", "1"])
    #expect(
      try program.index().rows("SELECT name, photos FROM albums WHERE id = 1") == ["Trip|120"])
    let kept = try program.home.names().filter { $0.hasPrefix("index.sqlite.damaged-") }
    #expect(kept.count == 1)
    #expect(try program.home.read(kept.first ?? "").count == damaged.count)
    #expect(!program.home.holds("index.sqlite.damaged"))
  }

  /// At each call that takes a name from a file or gives it one: between those, nothing is lost.
  @Test(
    .enabled(if: isReadable("/usr/bin/strace"), "NOT TESTED: kills during a rescue; needs strace"))
  func `a rescue that is killed at any step loses nothing`() throws {
    // What was written last is in the log alone.
    let person = [
      "/usr/bin/sqlite3", path, "PRAGMA wal_autocheckpoint = 0",
      "UPDATE photo_rating SET rating = 5 WHERE photo_id > 9; INSERT INTO my_table VALUES (8)",
      ".shell kill -9 $PPID",
    ]
    #expect(try Child(person).wait() == -9)
    let before = try written()
    try flip(try #require(leaves(holding: "0/60.jpg").first))
    // Whoever meets the damage leaves a note of it.
    #expect(try program.status("--changes-since", "0") == 74)
    let files = try ["index.sqlite", "index.sqlite-wal", "index.sqlite.damaged"].map {
      ($0, try program.home.read($0))
    }
    #expect(files[1].1.count > 4096)
    let rescan = [try builtProgram(), "--config", program.home.path + "/config.json", "--rescan"]
    let calls = "unlink,unlinkat,rename,renameat,renameat2"
    var step = 0
    var status: Int32 = -9
    while status != 0 {
      step += 1
      for name in try program.home.names() where name.hasPrefix("index.sqlite") {
        program.home.remove(name)
      }
      for (name, bytes) in files { try program.home.write(name, bytes) }
      status = try Child(
        [
          "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls, "-e",
          "inject=\(calls):signal=SIGKILL:when=\(step)",
        ] + rescan
      ).wait()
      #expect(try Child(rescan).wait() == 0, "\(step)")
      #expect(try program.index().faults() == [], "\(step)")
      #expect(try written() == before, "\(step)")
      #expect(try program.index().rows("SELECT a FROM my_table") == ["7", "8"], "\(step)")
      let left = try program.home.names().filter {
        $0.hasSuffix(".new") || $0.hasSuffix(".rescued")
      }
      #expect(left == [], "\(step)")
    }
    // Those of the old log, of the new index's, and both renamings, at least.
    #expect(step > 5)
  }

  @Test func `a log that was cut off loses what was last, and nothing else`() throws {
    let before = try written()
    let writer = try Connection(path: path, .readWrite)
    writer.keepLogFiles()
    try writer.execute("PRAGMA wal_autocheckpoint = 0; UPDATE photo_rating SET rating = 0")
    let log = try program.home.read("index.sqlite-wal")
    let file = try program.home.read("index.sqlite")
    try program.home.write("copy.sqlite", file)
    try program.home.write("copy.sqlite-wal", Array(log.prefix(log.count - 1000)))
    let copy = try Connection(path: program.home.path + "/copy.sqlite", .readWrite)
    #expect(try copy.faults() == [])
    #expect(try copy.rows("SELECT count(*) FROM photos") == ["\(before.count)"])
  }

  @Test func `a foreign database with damage is left as it is`() throws {
    try program.edit("PRAGMA application_id = 5; PRAGMA wal_checkpoint(TRUNCATE)")
    try flip(4096)
    let before = try program.home.read("index.sqlite")
    #expect([74, 78].contains(try program.rescanStatus()))
    #expect(try program.home.read("index.sqlite") == before)
  }

  @Test func `a person's long write is waited for`() throws {
    let person = try Connection(path: path, .readWrite)
    try person.execute("BEGIN IMMEDIATE")
    try program.disk.write("new.jpg", photo(500))
    let run = try program.start()
    pause(milliseconds: 1500)
    try person.execute("COMMIT")
    #expect(try run.wait() == 0)
    #expect(try program.index().rows("SELECT count(*) FROM photos WHERE file = 'new.jpg'") == ["1"])
  }

  @Test func `where the file may not grow, nothing is lost, and a later run goes on`() throws {
    for number in 0..<2000 { try program.disk.write("more/\(number).jpg", photo(number + 1000)) }
    let limited = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 700; exec \"$@\"", "sh"]
    let command =
      limited + [
        try builtProgram(), "--config", program.home.path + "/config.json", "--rescan",
      ]
    #expect(try Child(command).wait() == 74)
    #expect(try program.index().faults() == [])
    try program.rescan()
    #expect(try program.index().rows("SELECT count(*) FROM photos") == ["2120"])
    #expect(!(try program.home.names().contains { $0.contains("damaged") }))
  }
}
