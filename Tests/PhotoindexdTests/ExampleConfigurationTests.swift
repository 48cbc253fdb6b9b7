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
      "database", "resources", "time_zone", "rescan_interval", "scan_at", "hash_window", "scrub",
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
    #expect(configuration.scrub == .seconds(30 * 86_400))
    #expect(configuration.database != nil && configuration.resources != nil)
    try expectRoundTrip(configuration)
  }

  @Test func `what is printed as in force is a configuration file of the same meaning`() throws {
    var configuration = Configuration()
    try expectRoundTrip(configuration)
    configuration.removalFuse = nil
    configuration.settle = .milliseconds(1500)
    configuration.retry.first = .zero
    configuration.retry.most = .seconds(90)
    configuration.rescanInterval = .seconds(1_000_000)
    configuration.missingGrace = 0
    configuration.places = ["/srv/집.geojson", "/srv/b c/x"]
    configuration.nearby = .seconds(600)
    configuration.exclude = [#"a"\b/"#, "사진/"]
    configuration.roots = [Configuration.Root(name: "둘 \n", path: "/a b", inode: false)]
    try expectRoundTrip(configuration)
  }

  private func expectRoundTrip(_ configuration: Configuration) throws {
    let json = try configuration.json()
    #expect(try Configuration(json: Array(json.utf8), file: "printed") == configuration)
    for key in keys where !configuration.roots.isEmpty || !rootKeys.contains(key) {
      let isOff = configuration.removalFuse == nil && ["share", "count"].contains(key)
      #expect(json.contains("\"\(key)\" :") != isOff, "\(key)")
    }
  }

  private let rootKeys = ["name", "path", "follow_symlinks", "inode", "owner", "removable"]

  private let keys = [
    "database", "resources", "roots", "name", "path", "exclude", "follow_symlinks", "time_zone",
    "inode", "owner", "removable", "language", "rescan_interval", "poll_interval", "watch_share",
    "scan_at", "settle", "workers",
    "content_hash", "hash_window", "names_tell_dates", "retry", "first", "most", "give_up_after",
    "missing_grace", "removal_fuse", "share", "count", "changes_kept", "log_level", "places",
    "nearby", "scrub",
  ]

  @Test func `the example names every key`() {
    for key in keys { #expect(text.contains("\"\(key)\":"), "\(key)") }
  }
}
