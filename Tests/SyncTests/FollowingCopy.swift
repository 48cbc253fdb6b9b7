import IndexStore

/// Keeps a copy of the view `photos` by `changes(since:)`, as a program on another machine does.
struct FollowingCopy {
  private var rows: [Int64: [String: FeedColumn.Value]] = [:]
  private var token: FeedToken?

  /// Returns what cannot be true.
  mutating func follow(_ reader: IndexReader) throws -> [String] {
    var faults: [String] = []
    do {
      token = try reader.changes(since: token) { faults += self.apply($0) }
    } catch is FeedTokenExpired {
      // After a crash that lost commits; a copy that went on by number would be wrong.
      rows = [:]
      token = try reader.changes(since: nil) { faults += self.apply($0) }
    }
    var now: [Int64: [String: FeedColumn.Value]] = [:]
    _ = try reader.changes(since: nil) { change in
      if change.subject == .photo { now[change.id] = own(change.row) }
    }
    if rows != now { faults.append("the copy is another: \(rows), not \(now)") }
    return faults
  }

  private mutating func apply(_ change: FeedChange) -> [String] {
    guard change.subject == .photo else { return [] }
    let isNew = change.kind == .insert || change.kind == .restore
    let isWrong = (rows[change.id] == nil) != isNew
    rows[change.id] = change.kind == .delete ? nil : own(change.row)
    return isWrong ? ["\(change.kind) of \(change.id), which was \(isNew ? "" : "not ")there"] : []
  }

  /// Without what comes from rows of other subjects.
  private func own(_ row: [FeedColumn]) -> [String: FeedColumn.Value] {
    let joined: Set = [
      "device", "make", "model", "place", "country", "admin1", "admin2", "admin3", "admin4",
      "admin5", "custom", "search",
    ]
    let own = row.filter { !joined.contains($0.name) }
    return Dictionary(uniqueKeysWithValues: own.map { ($0.name, $0.value) })
  }
}
