import FoundationEssentials
import IndexStore
import Linux
import Model

/// The command `--changes-since`.
struct Changes {
  private let setting: Setting
  private let encoder = JSONEncoder()

  init(_ setting: Setting) {
    self.setting = setting
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Prints what has happened since the token, `0` being the beginning, and the next token last.
  func run(since text: String, json: Bool) throws -> ExitStatus {
    let token = FeedToken(text)
    guard token != nil || text == "0" else {
      throw Failure(
        .usage, "--changes-since \(printable(text.utf8)): not a token; 0 is the beginning")
    }
    do {
      let next = try setting.openReader().changes(since: token) { change in
        try printOutput(json ? try encoded(ChangeLine(change)) : line(change))
      }
      let end = EndLine(next: next.description, fresh: token == nil)
      try printOutput(json ? try encoded(end) : "next \(next)\n")
      return .done
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
