import SQLite

extension IndexReader {
  /// Passes what has become of each photo, device and place since the token, and returns the token
  /// from which to go on; devices and places come first, so that no row names one that is not
  /// known yet. Without a token: all that is there, as `insert`.
  ///
  /// All of it is one moment of the index, whatever is written meanwhile.
  package func changes(
    since token: FeedToken?, showing columns: FeedColumns = .all,
    _ body: (FeedChange) throws -> Void
  ) throws -> FeedToken {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    guard let token else {
      for subject in FeedChange.Subject.allCases { try all(subject, columns, body) }
      return try lastToken()
    }
    try refuseExpired(token)
    var told = ToldRows()
    try connection.run(selectTold, [.integer(token.sequence)]) { told.add($0) }
    for subject in FeedChange.Subject.allCases {
      try changes(of: subject, after: token.sequence, &told, columns, body)
    }
    return try lastToken()
  }

  /// A number that changes when the index has been written to.
  package func version() throws -> Int64 {
    try connection.integer("PRAGMA data_version") ?? 0
  }

  private func refuseExpired(_ token: FeedToken) throws {
    let mark = try connection.integer(
      "SELECT mark FROM change WHERE seq = ?", [.integer(token.sequence)])
    // Before the first change there is none whose mark could tell; nor was any taken away.
    let isAtStart =
      try token.sequence == 0 && token.mark == 0
      && connection.integer("SELECT min(seq) FROM change") ?? 1 == 1
    guard token.index == (try meta("index_uuid")), mark == token.mark || isAtStart else {
      throw FeedTokenExpired(token: token)
    }
  }

  private func lastToken() throws -> FeedToken {
    var last: (sequence: Int64, mark: Int64) = (0, 0)
    try connection.query("SELECT seq, mark FROM change ORDER BY seq DESC LIMIT 1") {
      last = ($0.integer(0), $0.integer(1))
    }
    return FeedToken(
      index: try meta("index_uuid") ?? "", sequence: last.sequence, mark: last.mark)
  }

  private func all(
    _ subject: FeedChange.Subject, _ columns: FeedColumns, _ body: (FeedChange) throws -> Void
  ) throws {
    var names: [String] = []
    try connection.query("\(subject.selection(columns)) ORDER BY id") { row in
      if names.isEmpty { names = row.names }
      try body(
        FeedChange(
          subject: subject, kind: .insert, id: row.integer(0), fields: [],
          row: feedColumns(row, names)))
    }
  }

  /// In the order of their last changes. The rows are fetched some at a time: a join would make SQLite
  /// put the whole view into a table of its own first, and one by one takes twice as long.
  private func changes(
    of subject: FeedChange.Subject, after sequence: Int64, _ told: inout ToldRows,
    _ columns: FeedColumns, _ body: (FeedChange) throws -> Void
  ) throws {
    guard let number = feedSubjects.firstIndex(of: subject.rawValue), told.holds(number) else {
      return
    }
    let places = Array(repeating: "?", count: rowsAtATime).joined(separator: ", ")
    let select = SQL("\(subject.selection(columns)) WHERE id IN (\(places))")
    var waiting: [(id: Int64, told: ToldRows.Told)] = []
    func tellWaiting() throws {
      guard let last = waiting.last else { return }
      let ids = waiting.map { Value.integer($0.id) }
      var rows: [Int64: [FeedColumn]] = [:]
      var names: [String] = []
      let rest = Array(repeating: Value.integer(last.id), count: rowsAtATime - ids.count)
      try connection.run(select, ids + rest) { row in
        if names.isEmpty { names = row.names }
        rows[row.integer(0)] = feedColumns(row, names)
      }
      for (id, told) in waiting {
        let change = feedChange(of: subject, id, told, rows[id] ?? [])
        if let change { try body(change) }
      }
      waiting.removeAll(keepingCapacity: true)
    }
    try connection.run(selectIDs, [.integer(sequence), .integer(Int64(number))]) { row in
      let id = row.integer(0)
      guard let last = told.takeLast(id, number) else { return }
      waiting.append((id, last))
      if waiting.count == rowsAtATime { try tellWaiting() }
    }
    try tellWaiting()
  }
}

/// What comes to be told of a row; nil: it came since and went again, so that it was never there for
/// whoever follows the feed.
private func feedChange(
  of subject: FeedChange.Subject, _ id: Int64, _ told: ToldRows.Told, _ row: [FeedColumn]
) -> FeedChange? {
  let wasThere = told.first != .insert && told.first != .restore
  guard wasThere || !row.isEmpty else { return nil }
  var kind = FeedChange.Kind.delete
  if !row.isEmpty { kind = wasThere ? told.isMoved ? .move : .update : told.first }
  return FeedChange(
    subject: subject, kind: kind, id: id,
    fields: kind == .update || kind == .move ? told.fields : [], row: row)
}

private let rowsAtATime = 64

private func feedColumns(_ row: borrowing Row, _ names: [String]) -> [FeedColumn] {
  var columns: [FeedColumn] = []
  columns.reserveCapacity(names.count)
  for (index, name) in zip(CInt(0)..., names) {
    let value: FeedColumn.Value =
      switch row.value(index) {
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .null, .blob: .null
      }
    columns.append(FeedColumn(name: name, value: value))
  }
  return columns
}

private let selectTold = SQL(
  "SELECT subject_number, row_id, kind_number, fields FROM change WHERE seq > ? ORDER BY seq")

private let selectIDs = SQL(
  "SELECT row_id FROM change WHERE seq > ? AND subject_number = ? ORDER BY seq")

extension FeedChange.Subject {
  /// Its rows, without a condition; the id comes first.
  fileprivate func selection(_ columns: FeedColumns) -> String {
    let (table, name) =
      switch self {
      case .device: ("device", "name")
      case .place: ("place", "name")
      case .photo: ("photos", "path")
      }
    return "SELECT \(columns == .all ? "*" : "id, \(name)") FROM \(table)"
  }
}
