import Containers
import Linux
import Metadata
import Model
import Testing

struct FormatTableTests {
  @Test func `the README's table of formats is what the program reads`() throws {
    let columns = Format.Finding.allCases
    var table = ["| files | \(columns.map(\.rawValue).joined(separator: " | ")) |"]
    table.append("| --- |" + String(repeating: " --- |", count: columns.count))
    for format in Format.all {
      let marks = columns.map { format.finds.contains($0) ? "✓" : "" }
      table.append("| \(format.name) | \(marks.joined(separator: " | ")) |")
    }
    let chapter = try readme().drop { $0 != "## Formats" }.dropFirst().prefix {
      !$0.hasPrefix("## ")
    }
    #expect(chapter.filter { $0.hasPrefix("|") }.map(String.init) == table)
  }

  @Test func `each type is of one format, whose reader has a version`() {
    let types = Format.all.flatMap(\.mediaTypes)
    #expect(Set(types).count == types.count)
    for format in Format.all {
      for type in format.mediaTypes {
        #expect(Format.of(type)?.name == format.name)
        #expect(ReaderVersions.current.version(of: type) == format.version)
      }
    }
  }
}

private func readme() throws -> [Substring] {
  let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let file = try OpenFile(absolutePath: Array("/\(directory)/README.md".utf8))
  var bytes = [UInt8](repeating: 0, count: Int(file.statusWhenOpened.fingerprint.size))
  let count = try file.read(at: 0, into: &bytes)
  return String(decoding: bytes[..<count], as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false)
}
