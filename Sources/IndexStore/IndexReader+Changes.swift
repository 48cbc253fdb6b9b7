import SQLite

extension IndexReader {
  /// Passes what has become of each photo, device and place since the token, and returns the token
  /// from which to go on; devices and places come first, so that no row names one that is not
  /// known yet. Without a token: all that is there, as `insert`.
  ///
  /// All of it is one moment of the index, whatever is written meanwhile.
  package func changes(
    since token: FeedToken?, _ body: (FeedChange) throws -> Void
  ) throws -> FeedToken {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    if let token { try refuseExpired(token) }
    for subject in FeedChange.Subject.allCases {
      if let token {
        try changes(of: subject, after: token.sequence, body)
      } else {
        try all(subject, body)
      }
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
    _ subject: FeedChange.Subject, _ body: (FeedChange) throws -> Void
  ) throws {
    try connection.query("SELECT * FROM \(subject.table) ORDER BY id") { row in
      try body(
        FeedChange(
          subject: subject, kind: .insert, id: row.integer(0), fields: [],
          row: feedColumns(row)))
    }
  }

  private func changes(
    of subject: FeedChange.Subject, after sequence: Int64,
    _ body: (FeedChange) throws -> Void
  ) throws {
    let values: [Value] = [.integer(sequence), .text(subject.rawValue)]
    let selectRow = SQL("SELECT * FROM \(subject.table) WHERE id = ?")
    try connection.run(selectTold, values) { told in
      let id = told.integer(0)
      // One by one: a join would make SQLite put the whole view into a table of its own first.
      var columns: [FeedColumn] = []
      try connection.run(selectRow, [.integer(id)]) { columns = feedColumns($0) }
      // What came since and went again was never there for whoever follows the feed.
      let wasThere = told.text(1) != "insert" && told.text(1) != "restore"
      guard wasThere || !columns.isEmpty, let kind = kind(told, wasThere, !columns.isEmpty) else {
        return
      }
      let fields = kind == .update || kind == .move ? names(told.text(3) ?? "") : []
      try body(
        FeedChange(subject: subject, kind: kind, id: id, fields: fields, row: columns))
    }
  }
}

private func kind(
  _ row: borrowing Row, _ wasThere: Bool, _ isThere: Bool
) -> FeedChange.Kind? {
  guard isThere else { return .delete }
  guard wasThere else { return row.text(1).flatMap { FeedChange.Kind(rawValue: $0) } }
  return row.integer(2) == 1 ? .move : .update
}

/// Each of the words between the commas once, in the order in which they come.
private func names(_ joined: String) -> [String] {
  var seen: Set<Substring> = []
  return joined.split(separator: ",").filter { seen.insert($0).inserted }.map(String.init)
}

private func feedColumns(_ row: borrowing Row) -> [FeedColumn] {
  var columns: [FeedColumn] = []
  for (index, name) in zip(CInt(0)..., row.names) {
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
  """
  WITH told AS (
    SELECT row_id, min(seq) AS first, max(seq) AS last, max(kind = 'move') AS is_moved,
      group_concat(fields) AS fields
    FROM change WHERE seq > ?1 AND subject = ?2 GROUP BY row_id
  )
  SELECT told.row_id, change.kind, told.is_moved, told.fields
  FROM told JOIN change ON change.seq = told.first
  ORDER BY told.last
  """)

extension FeedChange.Subject {
  /// Where its rows are.
  fileprivate var table: String {
    switch self {
    case .device: "device"
    case .place: "place"
    case .photo: "photos"
    }
  }
}
