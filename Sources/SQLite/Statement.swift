import CSQLite

/// A compiled statement. It has one owner, and is finalized when that owner goes away.
package struct Statement: ~Copyable {
  private let handle: OpaquePointer

  package init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK, let handle else { throw lastError(of: connection.handle, in: sql) }
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement to its end, passing each row to `body`.
  package borrowing func run(
    _ values: [Value] = [], row body: (borrowing Row) throws -> Void = { _ in }
  ) throws {
    try scan(values) { row in
      try body(row)
      return true
    }
  }

  /// Runs the statement with the values of all the lists, one behind the other.
  package borrowing func run(joining lists: [ValueList]) throws {
    defer { reset() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lists.reduce(0) { $0 + $1.bytes.count })
    for list in lists { bytes.append(contentsOf: list.bytes) }
    // SQLite need not copy what stays where it is until the statement is reset.
    try bytes.withUnsafeBytes { bytes in
      var (position, offset): (CInt, Int) = (0, 0)
      for list in lists {
        for cell in list.cells {
          position += 1
          try bind(cell, at: position, bytes, &offset)
        }
      }
      try step { _ in true }
    }
  }

  /// Runs the statement, passing each row to `body`, for as long as that returns true.
  package borrowing func scan(
    _ values: [Value], while body: (borrowing Row) throws -> Bool
  ) throws {
    defer { reset() }
    try bind(values, after: 0)
    try step(while: body)
  }

  private func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func step(while body: (borrowing Row) throws -> Bool) throws {
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: guard try body(Row(handle)) else { return }
      case SQLITE_DONE: return
      default: throw lastError(of: sqlite3_db_handle(handle), in: sql)
      }
    }
  }

  private func bind(_ values: [Value], after last: CInt) throws(SQLiteError) {
    for index in values.indices { try bind(values[index], at: last + 1 + CInt(index)) }
  }

  private func bind(_ value: Value, at position: CInt) throws(SQLiteError) {
    let code: CInt
    switch value {
    case .null: code = sqlite3_bind_null(handle, position)
    case .integer(let integer): code = sqlite3_bind_int64(handle, position, integer)
    case .real(let real): code = sqlite3_bind_double(handle, position, real)
    case .text(let text): code = bind(text, at: position)
    case .blob(let blob): code = bind(blob, at: position)
    }
    guard code == SQLITE_OK else { throw lastError(of: sqlite3_db_handle(handle), in: sql) }
  }

  private func bind(
    _ cell: ValueList.Cell, at position: CInt, _ bytes: UnsafeRawBufferPointer,
    _ offset: inout Int
  ) throws(SQLiteError) {
    let code: CInt
    switch cell {
    case .null: code = SQLITE_OK  // as `reset` left it
    case .integer(let integer): code = sqlite3_bind_int64(handle, position, integer)
    case .real(let real): code = sqlite3_bind_double(handle, position, real)
    // A null pointer would bind NULL, also for an empty text or blob.
    case .text(0): code = bind("", at: position)
    case .blob(0): code = bind([], at: position)
    case .text(let count):
      let start = bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      code = sqlite3_bind_text(handle, position, start, CInt(count), nil)
      offset += count
    case .blob(let count):
      code = sqlite3_bind_blob(
        handle, position, bytes.baseAddress.map { $0 + offset }, CInt(count), nil)
      offset += count
    }
    guard code == SQLITE_OK else { throw lastError(of: sqlite3_db_handle(handle), in: sql) }
  }

  private func bind(_ text: String, at position: CInt) -> CInt {
    // The count lets a NUL stand inside the text.
    sqlite3_bind_text(handle, position, text, CInt(text.utf8.count), transient)
  }

  private func bind(_ blob: [UInt8], at position: CInt) -> CInt {
    // A null pointer would bind NULL, also for an empty blob.
    guard !blob.isEmpty else { return sqlite3_bind_zeroblob(handle, position, 0) }
    return sqlite3_bind_blob(handle, position, blob, CInt(blob.count), transient)
  }

  private var sql: String { String(cString: sqlite3_sql(handle)) }
}

/// Makes SQLite copy the bytes before the call returns. (The C macro does not import.)
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A row that `Statement.run` is standing on. It cannot outlive the call.
package struct Row: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  package func integer(_ column: CInt) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package func integerOrNull(_ column: CInt) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(handle, column)
  }

  package func real(_ column: CInt) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(handle, column)
  }

  package func text(_ column: CInt) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func blob(_ column: CInt) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    let start = sqlite3_column_blob(handle, column)
    return Array(
      UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The value as it is stored.
  package func value(_ column: CInt) -> Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: Value(text(column))
    case SQLITE_BLOB: Value(blob(column))
    default: .null
    }
  }

  package var names: [String] {
    var names: [String] = []
    for column in 0..<sqlite3_column_count(handle) {
      names.append(String(cString: sqlite3_column_name(handle, column)))
    }
    return names
  }

  package var values: [Value] {
    var values: [Value] = []
    for column in 0..<sqlite3_column_count(handle) { values.append(value(column)) }
    return values
  }

  private func isNull(_ column: CInt) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }
}
