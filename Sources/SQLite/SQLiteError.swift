import CSQLite

/// SQLite's own account of a failure, and the statement that met it.
package struct SQLiteError: Error, Hashable {
  /// The extended result code.
  package let code: CInt
  package let message: String
  package let sql: String?

  /// What a look at all pages found wrong.
  package static func corrupt(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil)
  }

  /// The primary result code: the low byte of the extended one.
  package var primaryCode: CInt { code & 0xff }

  /// Another connection holds the lock that was needed, and kept it past our patience.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  package var isPermission: Bool { primaryCode == SQLITE_PERM || primaryCode == SQLITE_AUTH }

  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

  /// SQLITE_READONLY_ROLLBACK, which does not import: a write that was cut short must be taken back
  /// first, and that takes a connection that may write.
  package var needsRollback: Bool { code == SQLITE_READONLY | 3 << 8 }

  package var isFull: Bool { primaryCode == SQLITE_FULL }

  /// The file's pages contradict each other.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }

  /// The text of a statement, or of the schema, is none (SQLITE_ERROR).
  package var isOfStatement: Bool { primaryCode == SQLITE_ERROR }

  /// A value of another type than its column has.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }

  /// A value, or a reference, that the tables do not take.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// The file is something else, or its first page is lost.
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

  package var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let cause = "SQLite error \(code): \(message)"
    return sql.map { "\(cause), in: \($0)" } ?? cause
  }
}
