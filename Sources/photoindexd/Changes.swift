import FoundationEssentials
import IndexStore
import Linux
import Model

/// The command `--changes-since`.
struct Changes {
  private let setting: Setting
  private let json: Bool
  private let encoder = JSONEncoder()

  init(_ setting: Setting, json: Bool) {
    self.setting = setting
    self.json = json
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Prints what has happened since the token, `0` being the beginning, and the next token last.
  func run(since text: String) throws -> ExitStatus {
    _ = try print(since: text, from: setting.openReader())
    return .done
  }

  /// The same, and then what happens, until a signal, the end of the service, or that nobody reads
  /// it any more.
  ///
  /// Once a second it asks the index, in memory that all who use it share, whether somebody has
  /// written: also a person with the shell, of whom the service does not hear.
  func follow(since text: String, _ signals: consuming Signals) throws {
    let reader = try setting.openReader()
    var version = try reader.version()
    guard var token = try print(since: text, from: reader) else { return }
    guard let service = try setting.connectToService() else {
      throw Failure(
        .temporaryFailure, "no service writes this index, so that nothing more will come")
    }
    while true {
      let ready = try wait(
        for: [signals.readiness, service.readiness, .closedOutput], atMost: .seconds(1))
      if ready.contains(signals.readiness) || ready.contains(.closedOutput) { return }
      // It says nothing unasked: this is its end.
      let isEnd = ready.contains(service.readiness) && service.receive() == .end
      let now = try reader.version()
      if now != version || isEnd {
        version = now
        guard let next = try printMore(since: token, from: reader) else { return }
        token = next
      }
      guard !isEnd else {
        setting.log("the service has ended", .info)
        return
      }
    }
  }

  /// nil: nobody reads it any more.
  private func print(since text: String, from reader: IndexReader) throws -> FeedToken? {
    let token = FeedToken(text)
    guard token != nil || text == "0" else {
      throw Failure(
        .usage, "--changes-since \(printable(text.utf8)): not a token; 0 is the beginning")
    }
    return try print(since: token, named: text, from: reader)
  }

  /// Nothing is printed when nothing has happened to what the feed tells of.
  private func printMore(since token: FeedToken, from reader: IndexReader) throws -> FeedToken? {
    var isAny = false
    let next = try reader.changes(since: token) { _ in isAny = true }
    guard isAny else { return next }
    return try print(since: token, named: token.description, from: reader)
  }

  private func print(
    since token: FeedToken?, named text: String, from reader: IndexReader
  ) throws -> FeedToken? {
    do {
      var isRead = true
      let next = try reader.changes(since: token) { change in
        guard isRead else { return }
        isRead = try printOutput(json ? try encoded(ChangeLine(change)) : line(change))
      }
      let end = EndLine(next: next.description, fresh: token == nil)
      isRead = try printOutput(json ? try encoded(end) : "next \(next)\n") && isRead
      return isRead ? next : nil
    } catch is FeedTokenExpired {
      if json { try printOutput(try encoded(EndLine(next: nil, fresh: true))) }
      throw Failure(
        .tokenExpired,
        "\(text): this index does not know the token, or not any more. Start anew with 0, and "
          + "forget what you have")
    }
  }

  private func line(_ change: FeedChange) -> String {
    let name = change.row.first { $0.name == (change.subject == .photo ? "path" : nameColumn) }
    guard case .text(let text)? = name?.value else {
      return "\(change.kind) \(change.subject) \(change.id)\n"
    }
    return "\(change.kind) \(change.subject) \(change.id) \(printable(text.utf8))\n"
  }

  private func encoded(_ line: some Encodable) throws -> String {
    String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
  }
}

private let nameColumn = "name"

/// One line of JSON for one photo, device or place.
private struct ChangeLine: Encodable {
  let kind: String
  let subject: String
  let id: Int64
  let fields: [String]?
  /// nil when it is gone.
  let row: Row?

  init(_ change: FeedChange) {
    kind = change.kind.rawValue
    subject = change.subject.rawValue
    id = change.id
    fields = change.fields.isEmpty ? nil : change.fields
    row = change.row.isEmpty ? nil : Row(columns: change.row)
  }

  struct Row: Encodable {
    let columns: [FeedColumn]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ColumnName.self)
      for column in columns {
        let key = ColumnName(column.name)
        switch column.value {
        case .null: try container.encodeNil(forKey: key)
        case .integer(let integer): try container.encode(integer, forKey: key)
        case .real(let real): try container.encode(real, forKey: key)
        case .text(let text): try container.encode(printable(text.utf8), forKey: key)
        }
      }
    }
  }
}

/// The last line: from where to go on, and whether what was known before must be forgotten.
private struct EndLine: Encodable {
  /// nil: with nothing that could be told, from the beginning.
  let next: String?
  let fresh: Bool
}

private struct ColumnName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
