import SQLite

/// Inserts rows, as many as may be with one statement: that opens the table and each of its indexes
/// once, and keeps a copy of each page that it changes once.
struct Insertion: Sendable {
  struct Statement: Sendable {
    let rows: Int
    let sql: SQL
  }

  /// Those for many rows first; the last one is for one.
  let statements: [Statement]

  /// `start` and `end` are what stands before and behind VALUES and its rows.
  init(_ start: String, columns: Int, rows: [Int], _ end: String = "") {
    let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
    statements = rows.map { count in
      let values = Array(repeating: row, count: count).joined(separator: ", ")
      return Statement(rows: count, sql: SQL("\(start) VALUES \(values) \(end)"))
    }
  }

  func run(_ rows: [ValueList], on connection: Connection) throws {
    var rest = rows[...]
    for statement in statements {
      while rest.count >= statement.rows {
        try connection.run(statement.sql, joining: Array(rest.prefix(statement.rows)))
        rest = rest.dropFirst(statement.rows)
      }
    }
  }
}
