import Linux
import Model

/// What the tests read in README.md.
struct Readme {
  struct View {
    let name: String
    let columns: [String]
  }

  /// The statements of the chapter "Querying", one by one, in order.
  let statements: [String]
  /// The views with their columns, as the table of views lists them.
  let views: [View]

  init() throws {
    let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try OpenFile(absolutePath: Array("/\(directory)/README.md".utf8))
    var bytes = [UInt8](repeating: 0, count: Int(try file.status().fingerprint.size))
    let count = try file.read(at: 0, into: &bytes)
    let lines = String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let chapter = lines.drop { $0 != "## Querying" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    statements = Readme.statements(in: chapter)
    views = Readme.views(in: chapter)
  }

  private static func statements(in chapter: ArraySlice<Substring>) -> [String] {
    var sql = ""
    var isInBlock = false
    for line in chapter {
      if line.hasPrefix("```") {
        isInBlock = line == "```sql"
      } else if isInBlock, !line.hasPrefix(".") {
        // A line with a dot is for the shell of sqlite3.
        sql += line + "\n"
      }
    }
    return sql.split(separator: ";\n").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
  }

  private static func views(in chapter: ArraySlice<Substring>) -> [View] {
    let section = chapter.drop { $0 != "### Views" }.drop { $0 != "| --- | --- | --- |" }
    var views: [View] = []
    for line in section.dropFirst().prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|").map { cell in
        cell.split(whereSeparator: { "`, ".contains($0) }).map(String.init)
      }
      let known = views.first.map(\.columns) ?? []
      let columns =
        cells[1].starts(with: ["those", "of"]) ? known + cells[1].dropFirst(3) : cells[1]
      views.append(View(name: cells[0][0], columns: columns))
    }
    return views
  }
}
