import IndexStore
import Linux
import Model
import SQLite
import TestSupport
import Testing

/// What becomes of the file that is named as the index.
struct OpeningTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.path + "/index.sqlite" }

  private func open() throws -> PhotoIndex {
    try PhotoIndex(path: path, catalog: nil, now: wallClock)
  }

  @Test func `a new index is private, marked as ours, and survives power cuts`() throws {
    _ = try open()
    for suffix in ["", "-wal", "-shm"] {
      #expect(try directory.mode(of: "index.sqlite" + suffix) == 0o600, "\(suffix)")
    }
    let shell = try Connection(path: path, .readWrite)
    #expect(try shell.rows("PRAGMA application_id") == ["\(0x7068_6978)"])
    #expect(try shell.rows("PRAGMA user_version") == ["1"])
    #expect(try shell.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try shell.rows("SELECT value FROM meta WHERE key = 'contract_version'") == ["1"])
    #expect(try shell.faults() == [])
  }

  @Test func `an index keeps its identity`() async throws {
    let first = try await open().meta("index_uuid")
    let second = try await open().meta("index_uuid")
    #expect(first != nil)
    #expect(first == second)
  }

  @Test func `somebody's photo is refused and left as it is`() throws {
    let photo = JPEGFixture.photo().bytes + Array(repeating: 7, count: 5000)
    try directory.write("index.sqlite", photo)
    #expect(throws: IndexError.foreignFile(path: path)) { try open() }
    #expect(try directory.read("index.sqlite") == photo)
    #expect(!directory.holds("index.sqlite-wal"))
  }

  @Test func `another program's database is refused and left as it is`() throws {
    try Connection(path: path, .create).execute("CREATE TABLE other (a); PRAGMA user_version = 1")
    let before = try directory.read("index.sqlite")
    #expect(throws: IndexError.foreignFile(path: path)) { try open() }
    #expect(try directory.read("index.sqlite") == before)
  }

  @Test func `a newer index is refused and left as it is`() throws {
    _ = try open()
    try Connection(path: path, .readWrite).execute("PRAGMA user_version = 2")
    let error = IndexError.newerVersion(path: path, found: 2, known: 1)
    #expect(throws: error) { try open() }
    #expect(throws: error) { _ = try IndexReader(path: path) }
    #expect(try Connection(path: path, .readOnly).rows("PRAGMA user_version") == ["2"])
  }

  /// A disk wrote it, or somebody.
  @Test func `an index with a version that nobody gave it is refused and left as it is`() throws {
    _ = try open()
    try Connection(path: path, .readWrite).execute("PRAGMA user_version = -1")
    #expect(throws: IndexError.foreignFile(path: path)) { try open() }
    #expect(throws: IndexError.foreignFile(path: path)) { _ = try IndexReader(path: path) }
    #expect(try Connection(path: path, .readOnly).rows("PRAGMA user_version") == ["-1"])
  }

  @Test func `an empty file becomes an index`() throws {
    try directory.write("index.sqlite", "")
    _ = try open()
    #expect(try Connection(path: path, .readOnly).rows("SELECT count(*) FROM photos") == ["0"])
  }

  @Test func `what a kill left of an index that was just being made is no obstacle`() throws {
    let shell = try Connection(path: directory.path + "/cut", .create)
    // Pages that find no room in the cache go to the file before the transaction ends.
    try shell.execute("PRAGMA cache_size = 1; BEGIN; CREATE TABLE cut (a BLOB)")
    for _ in 0..<50 { try shell.execute("INSERT INTO cut VALUES (zeroblob(3000))") }
    try directory.write("index.sqlite", try directory.read("cut"))
    try directory.write("index.sqlite-journal", try directory.read("cut-journal"))
    #expect(throws: SQLiteError.self) { _ = try IndexReader(path: path) }
    try refuseForeignIndex(at: path)
    _ = try open()
    #expect(try Connection(path: path, .readOnly).rows("SELECT count(*) FROM photos") == ["0"])
  }

  @Test func `a reader's open transaction stops nothing`() async throws {
    let index = try open()
    let reader = try Connection(path: path, .readOnly)
    try reader.execute("BEGIN")
    #expect(try reader.rows("SELECT count(*) FROM root") == ["0"])
    _ = try await index.attach(RootDeclaration(name: "a", path: Array("/a".utf8), owner: nil))
    try await index.checkpoint()
    #expect(try reader.rows("SELECT count(*) FROM root") == ["0"])
    try reader.execute("COMMIT")
    #expect(try reader.rows("SELECT count(*) FROM root") == ["1"])
  }

  @Test func `objects that the user made are left alone`() throws {
    _ = try open()
    try Connection(path: path, .readWrite).execute("CREATE TABLE my_trips (name TEXT)")
    _ = try open()
    #expect(try Connection(path: path, .readOnly).rows("SELECT count(*) FROM my_trips") == ["0"])
  }
}
