import Linux
import SQLite
import TestSupport
import Testing

struct ConnectionTests {
  private let directory: TemporaryDirectory
  private let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(path: directory.path + "/db", .create)
    try connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, value ANY) STRICT")
  }

  @Test(
    arguments: [
      .null, .integer(.min), .integer(.max), .real(-0.1), .real(.infinity), .text(""),
      .text("a\0b"), .text("cafe\u{301} 서울"), .blob([]), .blob([0, 255]),
    ] as [Value])
  func `what goes in comes out`(value: Value) throws {
    try connection.query("INSERT INTO thing VALUES (1, ?)", [value]) { _ in }
    var found: [Value] = []
    try connection.query("SELECT value FROM thing") { found = $0.values }
    #expect(found == [value])
  }

  @Test func `a transaction that fails leaves nothing`() throws {
    #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO thing VALUES (1, 'a')")
        try connection.execute("INSERT INTO thing VALUES (1, 'b')")
      }
    }
    #expect(try connection.rows("SELECT * FROM thing") == [])
    try connection.transaction { try connection.execute("INSERT INTO thing VALUES (1, 'c')") }
    #expect(try connection.rows("SELECT * FROM thing") == ["1|c"])
  }

  @Test func `a commit waits for the disk, but where it is told not to`() throws {
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    func level() throws -> Int64? { try connection.integer("PRAGMA synchronous") }
    // By SQLite's numbers, 1 is NORMAL and 2 is FULL.
    var inside: Int64?
    try connection.withoutSync { inside = try level() }
    #expect(inside == 1)
    #expect(try level() == 2)
    #expect(throws: SQLiteError.self) {
      try connection.withoutSync { try connection.execute("INSERT INTO nothing VALUES (1)") }
    }
    #expect(try level() == 2)
  }

  @Test func `changes are counted, those of triggers too`() throws {
    try connection.execute(
      "CREATE TABLE copy (id INTEGER PRIMARY KEY) STRICT;"
        + "CREATE TRIGGER copies AFTER INSERT ON thing BEGIN INSERT INTO copy VALUES (NEW.id); END")
    let before = connection.changeCount
    try connection.execute("INSERT INTO thing VALUES (1, 'a')")
    #expect(connection.changeCount == before + 2)
    #expect(try connection.rows("SELECT id FROM copy") == ["1"])
    #expect(connection.changeCount == before + 2)
  }

  @Test func `an error tells the statement and SQLite's extended code`() throws {
    try connection.execute("INSERT INTO thing VALUES (1, 'a')")
    let sql = "INSERT INTO thing VALUES (1, 'b')"
    let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(error?.code == 1555)  // SQLITE_CONSTRAINT_PRIMARYKEY
    #expect(error?.sql == sql)
    #expect(error?.description.contains("UNIQUE constraint failed: thing.id") == true)
  }

  @Test func `a statement is run again with other values, and forgets the old ones`() throws {
    let insert = SQL("INSERT INTO thing VALUES (?, ?)")
    try connection.run(insert, [.integer(1), .text("a")])
    try connection.run(insert, [.integer(2)])
    #expect(try connection.rows("SELECT * FROM thing ORDER BY id") == ["1|a", "2|"])
  }

  @Test func `a scan that stops early holds no lock`() throws {
    try connection.execute("INSERT INTO thing VALUES (1, 'a'), (2, 'b')")
    let select = SQL("SELECT id FROM thing ORDER BY id")
    for _ in 0..<2 {
      var seen: [Int64] = []
      try connection.scan(select, []) { row in
        seen.append(row.integer(0))
        return false
      }
      #expect(seen == [1])
    }
    try Connection(path: directory.path + "/db", .readWrite).execute("DELETE FROM thing")
  }

  @Test func `another connection's lock is waited for, and then is busy`() throws {
    let other = try Connection(path: directory.path + "/db", .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    connection.wait(forLocks: 20)
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO thing VALUES (1, 'a')")
    }
    #expect(error?.isBusy == true)
    try other.execute("COMMIT")
    try connection.execute("INSERT INTO thing VALUES (1, 'a')")
  }

  @Test func `a reader cannot write`() throws {
    let reader = try Connection(path: directory.path + "/db", .readOnly)
    let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM thing") }
    #expect(error?.isReadOnly == true)
  }

  @Test(arguments: [Connection.Mode.readOnly, .readWrite])
  func `a file that is not there is not made`(mode: Connection.Mode) throws {
    let error = #expect(throws: SQLiteError.self) {
      _ = try Connection(path: directory.path + "/other", mode)
    }
    #expect(error?.isCannotOpen == true)
    #expect(!directory.holds("other"))
  }

  @Test func `a file that is no database is told from a broken one`() throws {
    try directory.write("photo.jpg", JPEGFixture.photo().bytes + Array(repeating: 0, count: 600))
    let photo = try Connection(path: directory.path + "/photo.jpg", .readWrite)
    let error = #expect(throws: SQLiteError.self) { try photo.execute("PRAGMA user_version") }
    #expect(error?.isNotADatabase == true)
    #expect(error?.isCorrupt == false)
  }

  @Test func `a full database says so`() throws {
    try connection.execute("PRAGMA max_page_count = 3")
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO thing VALUES (1, zeroblob(100000))")
    }
    #expect(error?.isFull == true)
  }
}
