/// Keeps a copy of the ids by the feed alone, as a program that follows the index does.
struct FeedConsumer {
  var present: Set<Int64> = []
  private var last: Int64 = 0

  /// Returns what cannot be true.
  mutating func read(_ library: FixtureLibrary) throws -> [String] {
    var faults: [String] = []
    let changes = try library.query(
      """
      SELECT seq, row_id, kind FROM change WHERE seq > \(last) AND subject = 'photo' ORDER BY seq
      """)
    for change in changes {
      let fields = change.split(separator: "|")
      guard let seq = Int64(fields[0]), let id = Int64(fields[1]) else { continue }
      last = seq
      switch fields[2] {
      case "insert", "restore":
        if !present.insert(id).inserted { faults.append("\(change): it was there already") }
      case "delete":
        if present.remove(id) == nil { faults.append("\(change): it was not there") }
      default: if !present.contains(id) { faults.append("\(change): it was not there") }
      }
    }
    return faults
  }
}
