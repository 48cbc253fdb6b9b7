import CSQLite
import Synchronization

/// One connection to a database file.
///
/// It is not `Sendable`: whoever opens it, an actor as a rule, is the only one who can use it.
package final class Connection {
  package enum Mode: Sendable {
    case readOnly
    case readWrite
    /// Creates the file if it is missing.
    case create
    /// Reads a file that has no log and that nobody can change as long as it is open: on a file
    /// system that is mounted read-only, where the files that connections share cannot be made.
    case immutable
  }

  let handle: OpaquePointer
  private var cache: [ObjectIdentifier: CachedStatement] = [:]

  package init(path: String, _ mode: Mode) throws(SQLiteError) {
    _ = withoutStatistics
    var handle: OpaquePointer?
    let flags =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let name = mode == .immutable ? "file:" + escapedForURI(path) + "?immutable=1" : path
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      // SQLite hands out a connection even when it cannot open the file.
      defer { sqlite3_close_v2(handle) }
      let extended = handle.map(sqlite3_extended_errcode) ?? code
      throw SQLiteError(
        code: extended, message: String(cString: sqlite3_errmsg(handle)), sql: nil)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit {
    // The v2 form waits for statements that are finalized later.
    sqlite3_close_v2(handle)
  }

  /// How long a statement waits for another connection's lock before it fails as busy.
  package func wait(forLocks milliseconds: CInt) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Keeps the -wal and -shm files when the last connection closes, so that a person who may
  /// only read can open the database then, too (SQLITE_FCNTL_PERSIST_WAL).
  package func keepLogFiles() {
    var on: CInt = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
  }

  /// Runs a script of statements that take no values and whose rows nobody reads.
  package func execute(_ script: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
      throw lastError(of: handle, in: script)
    }
  }

  /// Runs a statement that this connection compiles only once, passing each row to `body`.
  ///
  /// It must not be run again from within `body`.
  package func run(
    _ sql: SQL, _ values: [Value] = [], row body: (borrowing Row) throws -> Void = { _ in }
  ) throws {
    try compiled(sql).statement.run(values, row: body)
  }

  /// Runs a statement, which yields no rows, with the values of all these lists one behind the
  /// other.
  package func run(_ sql: SQL, joining lists: [ValueList]) throws {
    try compiled(sql).statement.run(joining: lists)
  }

  /// Runs a statement, which yields no rows, with these values.
  package func run(_ sql: SQL, _ values: ValueList) throws {
    try compiled(sql).statement.run(joining: [values])
  }

  /// Like `run`, for as long as `body` returns true.
  package func scan(
    _ sql: SQL, _ values: [Value], while body: (borrowing Row) throws -> Bool
  ) throws {
    try compiled(sql).statement.scan(values, while: body)
  }

  /// The first column of the first row of a statement that is compiled only once.
  package func first(_ sql: SQL, _ values: [Value]) throws -> Int64? {
    var result: Int64?
    try run(sql, values) { row in
      if result == nil { result = row.integerOrNull(0) }
    }
    return result
  }

  private func compiled(_ sql: SQL) throws(SQLiteError) -> CachedStatement {
    let key = ObjectIdentifier(sql)
    if let cached = cache[key] { return cached }
    let made = try CachedStatement(sql, on: self)
    cache[key] = made
    return made
  }

  /// Runs a statement once, passing each row to `body`.
  package func query(
    _ sql: String, _ values: [Value] = [], row body: (borrowing Row) throws -> Void
  ) throws {
    try Statement(sql, on: self).run(values, row: body)
  }

  /// The first column of the first row; nil when there is no row or it is NULL.
  package func integer(_ sql: String, _ values: [Value] = []) throws -> Int64? {
    var result: Int64?
    try query(sql, values) { row in
      if result == nil { result = row.integerOrNull(0) }
    }
    return result
  }

  /// The first column of the first row; nil when there is no row or it is NULL.
  package func text(_ sql: String, _ values: [Value] = []) throws -> String? {
    var result: String?
    try query(sql, values) { row in
      if result == nil { result = row.text(0) }
    }
    return result
  }

  /// Runs `body` so that either all or none of its changes survive.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    return try finish(body)
  }

  /// Like `transaction`; tells how long it had the lock, its own wait for it not counted.
  package func timedTransaction(_ body: () throws -> Void) throws -> Duration {
    try execute("BEGIN IMMEDIATE")
    return try ContinuousClock().measure { try finish(body) }
  }

  /// Has `body` commit without a wait for the disk. After a power cut its transactions may be as if they
  /// had never been, and then so is all that was committed later, unless that did wait: the log is read
  /// up to its first gap.
  package func withoutSync(_ body: () throws -> Void) throws {
    try execute("PRAGMA synchronous = NORMAL")
    defer { try? execute("PRAGMA synchronous = FULL") }
    try body()
  }

  private func finish<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite rolls back by itself on some errors; a second ROLLBACK then fails, harmlessly.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// How many rows have been changed through this connection, by triggers too.
  package var changeCount: Int { Int(sqlite3_total_changes64(handle)) }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
}

/// Once, before SQLite does anything: it need not count its memory, which takes a lock for each
/// of the hundreds of allocations of an insert.
private let withoutStatistics: Void = { _ = photoindexd_sqlite3_without_statistics() }()

/// What has a meaning in a URI, with its code in its place (SQLite, "URI Filenames").
private func escapedForURI(_ path: String) -> String {
  path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
}

/// Whether a statement of this process has met pages that contradict each other.
package func hasMetCorruption() -> Bool { corruption.load(ordering: .relaxed) }

/// The file that had them has been replaced.
package func forgetCorruption() { corruption.store(false, ordering: .relaxed) }

private let corruption = Atomic(false)

func lastError(of connection: OpaquePointer?, in sql: String?) -> SQLiteError {
  let code = sqlite3_extended_errcode(connection)
  if code & 0xff == SQLITE_CORRUPT { corruption.store(true, ordering: .relaxed) }
  return SQLiteError(
    code: code,
    message: String(cString: sqlite3_errmsg(connection)),
    sql: sql
  )
}

/// An SQL statement that is run often. Each is one object, so that a connection finds what it
/// compiled of it without comparing texts.
package final class SQL: Sendable {
  let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A compiled statement with the SQL that it was compiled from, kept as its key's owner.
private final class CachedStatement {
  let sql: SQL
  let statement: Statement

  init(_ sql: SQL, on connection: Connection) throws(SQLiteError) {
    self.sql = sql
    statement = try Statement(sql.text, on: connection)
  }
}
