import IndexStore
import Linux
import Model

/// Prints what the feed tells, a line a change. There may be a million, which is why JSON is written by
/// hand here, and not each line by itself.
struct ChangeOutput {
  private let json: Bool
  /// False: nobody reads it any more.
  private(set) var isRead = true
  private var waiting: [UInt8] = []
  private var orders: [FeedChange.Subject: [(index: Int, key: [UInt8])]] = [:]

  init(json: Bool) {
    self.json = json
  }

  mutating func print(_ change: FeedChange) throws {
    guard isRead else { return }
    if json { append(json: change) } else { append(line: change) }
    if waiting.count >= 1 << 16 { try flush() }
  }

  /// The last line: from where to go on, and whether what was known before must be forgotten.
  mutating func print(next: FeedToken, isFresh: Bool) throws {
    append(json ? "{\"fresh\":\(isFresh),\"next\":\"\(next)\"}\n" : "next \(next)\n")
    try flush()
  }

  private mutating func flush() throws {
    guard isRead else { return }
    isRead = try printOutput(bytes: waiting)
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ text: String) { waiting.append(contentsOf: text.utf8) }

  private mutating func append(line change: FeedChange) {
    append("\(change.kind.rawValue) \(change.subject.rawValue) \(change.id)")
    let name = change.row.first { $0.name == (change.subject == .photo ? "path" : "name") }
    if case .text(let text)? = name?.value { append(" " + printable(text.utf8)) }
    append("\n")
  }

  /// Its keys in the order of the alphabet, as those of the row.
  private mutating func append(json change: FeedChange) {
    append("{")
    if !change.fields.isEmpty {
      append("\"fields\":[" + change.fields.map { "\"\($0)\"" }.joined(separator: ",") + "],")
    }
    append("\"id\":\(change.id),\"kind\":\"\(change.kind.rawValue)\"")
    if !change.row.isEmpty { append(json: change.row, of: change.subject) }
    append(",\"subject\":\"\(change.subject.rawValue)\"}\n")
  }

  private mutating func append(json row: [FeedColumn], of subject: FeedChange.Subject) {
    append(",\"row\":{")
    for (place, (index, key)) in order(of: row, subject).enumerated() {
      if place > 0 { append(",") }
      waiting.append(contentsOf: key)
      switch row[index].value {
      case .null: append("null")
      case .integer(let integer): append(String(integer))
      case .real(let real): append(json: real)
      case .text(let text): append(json: printable(text.utf8))
      }
    }
    append("}")
  }

  private mutating func order(
    of row: [FeedColumn], _ subject: FeedChange.Subject
  ) -> [(index: Int, key: [UInt8])] {
    if let known = orders[subject] { return known }
    let order = row.indices.sorted { row[$0].name < row[$1].name }.map {
      (index: $0, key: Array("\"\(row[$0].name)\":".utf8))
    }
    orders[subject] = order
    return order
  }

  /// JSON knows neither infinity nor what is no number; nor does the index.
  private mutating func append(json real: Double) {
    guard real.isFinite else { return append("null") }
    let text = real.description
    append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Of what `printable` leaves only these have to be escaped.
  private mutating func append(json text: String) {
    waiting.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        waiting.append(UInt8(ascii: "\\"))
      }
      waiting.append(byte)
    }
    waiting.append(UInt8(ascii: "\""))
  }
}
