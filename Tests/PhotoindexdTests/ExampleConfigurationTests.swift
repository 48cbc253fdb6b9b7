import Linux
import Testing

@testable import photoindexd

struct ExampleConfigurationTests {
  private let text: String

  init() throws {
    let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try OpenFile(absolutePath: Array("/\(directory)/config.example.json".utf8))
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = try file.read(at: 0, into: &bytes)
    text = String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func `the example holds the defaults`() throws {
    #expect(
      try Configuration(json: Array(text.utf8), file: "config.example.json") == Configuration())
  }

  @Test func `the samples in its comments are good values`() throws {
    let samples = [
      "database", "resources", "time_zone", "rescan_interval", "scan_at", "hash_window",
    ]
    var edited = text
    for key in samples { edited = edited.replacing("// \"\(key)\"", with: "\"\(key)\"") }
    // The root stands in a comment line by line.
    edited = edited.split(separator: "\n").map { line in
      line.hasPrefix("    // ") ? line.dropFirst(7) : line
    }.joined(separator: "\n")
    let configuration = try Configuration(json: Array(edited.utf8), file: "config.example.json")
    let root = try #require(configuration.roots.first)
    #expect(root.name == "family")
    #expect(root.timeZone == "Asia/Seoul")
    #expect(configuration.rescanInterval == .seconds(86_400))
    #expect(configuration.scanAt == DayTime("02:30"))
    #expect(configuration.hashWindow == DayWindow("01:00-06:00"))
    #expect(configuration.database != nil && configuration.resources != nil)
  }

  @Test func `the example names every key`() {
    let keys = [
      "database", "resources", "roots", "name", "path", "exclude", "follow_symlinks", "time_zone",
      "inode", "owner", "removable", "language", "rescan_interval", "scan_at", "settle", "workers",
      "content_hash", "hash_window", "names_tell_dates", "retry", "first", "most", "give_up_after",
      "missing_grace", "removal_fuse", "share", "count", "log_level",
    ]
    for key in keys { #expect(text.contains("\"\(key)\":"), "\(key)") }
  }
}
