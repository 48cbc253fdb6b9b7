import SQLite
import TestSupport
import Testing

private let ext4: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("ext4"),
  "NOT TESTED: an index on a disk that is full or read-only; needs root, loop devices and mkfs.ext4"
)

/// An index on a disk of its own.
@Suite(.serialized) struct IndexDiskTests {
  private let disk: LoopDisk
  private let place: TemporaryDirectory
  private let program: Program

  init() throws {
    disk = try LoopDisk("ext4")
    place = try TemporaryDirectory()
    program = try Program([:])
    let text = String(decoding: try program.home.read("config.json"), as: UTF8.self)
    try program.home.write(
      "config.json", text.replacing(program.home.path + "/index", with: place.path + "/index"))
  }

  private func mount(readOnly: Bool = false) throws {
    try disk.mount(at: place.path, readOnly: readOnly)
    if !readOnly { try place.setMode("", 0o777) }
  }

  private func index(_ mode: Connection.Mode = .readOnly) throws -> Connection {
    try Connection(path: place.path + "/index.sqlite", mode)
  }

  private let marks = """
    SELECT id, is_favorite, rating, (SELECT name FROM album JOIN album_photo ON album_id = album.id
      WHERE photo_id = photos.id AND album.id = 1) FROM photos WHERE folder = 'old' ORDER BY id
    """

  @Test(ext4) func `a disk that is full in the middle of a pass costs nothing but time`() throws {
    try mount()
    for number in 0..<20 { try program.disk.write("old/\(number).jpg", photo(number)) }
    try program.rescan()
    try index(.readWrite).execute(
      """
      INSERT INTO album (name) VALUES ('Trip'); INSERT INTO album_photo SELECT 1, id, id FROM photo;
      UPDATE photo SET is_favorite = id % 2; INSERT INTO photo_rating SELECT id, id % 6 FROM photo
      """)
    let before = try index().rows(marks)
    for number in 0..<3000 {
      try program.disk.write("new/\(number % 9)/\(number).jpg", photo(number))
    }
    try disk.fill(leaving: 1_500_000)
    for _ in 0..<2 {
      #expect(try program.rescanStatus() == 74)
      #expect(try program.output().contains("the disk is full; nothing was lost, free some space"))
      #expect(try index().faults() == [])
      #expect(try index().rows(marks) == before)
    }
    // It was in the middle of the work.
    #expect(try index().rows("SELECT count(*) BETWEEN 21 AND 3019 FROM photos") == ["1"])
    #expect(try program.status("--status") == 0)
    try disk.freeSpace()
    try program.rescan()
    let fresh = try Program(indexing: program.disk)
    try fresh.rescan()
    #expect(try index().rows("SELECT count(content_hash) FROM photos") == ["3020"])
    #expect(try index().tokens() == fresh.index().tokens())
    #expect(try index().rows(marks) == before)
    #expect(
      try index().rows(
        """
        SELECT count(*), count(DISTINCT row_id) FROM change
        WHERE subject = 'photo' AND kind = 'insert'
        """) == ["3020|3020"])
    try index(.readWrite).execute("UPDATE photo SET is_favorite = 0; DELETE FROM photo_rating")
    #expect(try index().contents() == fresh.index().contents())
    #expect(!(try place.names().contains { $0.contains("damaged") }))
  }

  @Test(ext4, arguments: [false, true])
  func `a disk that is mounted read-only answers, and refuses the rest`(isKilled: Bool) throws {
    try mount()
    for number in 0..<3 { try program.disk.write("\(number).jpg", photo(number)) }
    try program.rescan()
    try index(.readWrite).execute("UPDATE photo SET is_favorite = 1 WHERE id = 1")
    if isKilled {
      // What was written last is in the log alone.
      let shell = [
        "/usr/bin/sqlite3", place.path + "/index.sqlite", "PRAGMA wal_autocheckpoint = 0",
        "UPDATE photo SET is_favorite = 1 WHERE id = 2", ".shell kill -9 $PPID",
      ]
      #expect(try Child(shell).wait() == -9)
    }
    let files = try place.names()
    disk.unmount()
    try mount(readOnly: true)
    let favourites = isKilled ? 2 : 1
    #expect(try program.status("--status") == 0)
    #expect(try program.output().contains("  3 photos, 3 hashed"))
    #expect(try program.status("--changes-since", "0", "--json") == 0)
    #expect(
      try program.output().split(separator: "\n").count { $0.contains(#""is_favorite":1"#) }
        == favourites)
    #expect(try program.status("--locate", "37.5,127") == 0)
    #expect(try program.status("--explain", program.disk.path + "/1.jpg") == 0)
    #expect(try program.output().contains("Canon EOS R5"))
    #expect(try program.status("--have", program.disk.path) == 1)
    #expect(try program.status("--tokens") == 0)
    // As in the README: where nobody has left a log, SQLite must be told that nobody will write.
    let name = place.path + "/index.sqlite"
    let query = [
      "/usr/bin/sqlite3", "-readonly", isKilled ? name : "file:\(name)?immutable=1",
      "SELECT sum(is_favorite) FROM photos",
    ]
    #expect(try output(of: query) == "\(favourites)\n")
    #expect(try program.rescanStatus() == 74)
    #expect(try program.output().contains("index.sqlite.lock: open: Read-only file system"))
    #expect(try place.names() == files)
    disk.unmount()
    try mount()
    try program.rescan()
    #expect(
      try index().rows("SELECT count(*), sum(is_favorite) FROM photos") == ["3|\(favourites)"])
    #expect(try index().faults() == [])
  }
}
