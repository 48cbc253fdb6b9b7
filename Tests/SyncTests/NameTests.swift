import IndexStore
import Library
import Linux
import Sync
import TestSupport
import Testing

/// Names are bytes, and none harms its neighbours.
struct NameTests {
  @Test func `every name that Linux allows is indexed`() async throws {
    let long = Array(repeating: UInt8(ascii: "n"), count: 251) + Array(".jpg".utf8)
    let names: [[UInt8]] = [
      Array("caf\u{e9}.jpg".utf8), Array("cafe\u{301}.jpg".utf8),
      [0x66, 0xff, 0x5c] + Array(".jpg".utf8), Array("new\nline.jpg".utf8),
      Array("it's \"quoted\".jpg".utf8), Array("back\\slash.jpg".utf8), long,
      Array("-rf.jpg".utf8), Array("100%_*?[a].jpg".utf8), Array("서울.jpg".utf8),
    ]
    let library = try FixtureLibrary()
    for (number, name) in names.enumerated() { try library.disk.write(name, photo(number)) }
    #expect(try await library.sync().counts.added == names.count)
    let spelled = [
      "caf\u{e9}.jpg", "cafe\u{301}.jpg", #"f\xFF\x5C.jpg"#, "new\nline.jpg",
      "it's \"quoted\".jpg", #"back\slash.jpg"#, String(decoding: long, as: UTF8.self), "-rf.jpg",
      "100%_*?[a].jpg", "서울.jpg",
    ]
    let hex = try library.query("SELECT hex(path) FROM photo ORDER BY taken_local")
    #expect(hex == spelled.map { hexadecimal(Array($0.utf8)) })
    #expect(
      try library.query("SELECT hex(path_bytes) FROM photo WHERE path_bytes IS NOT NULL")
        == [hexadecimal(names[2])])
    #expect(try await library.sync().photoRowsRead == 0)
    // Each is found again under its own name.
    for name in names { try library.disk.touch(name, modified: 1_720_000_000) }
    let touched = try await library.sync()
    #expect(touched.counts.updated == names.count)
    #expect(touched.counts.added == 0)
  }

  @Test func `two names with one spelling are two rows`() async throws {
    let library = try FixtureLibrary()
    try library.disk.write([0xff] + Array(".jpg".utf8), photo(1))
    try library.disk.write(Array(#"\xFF.jpg"#.utf8), photo(2))
    try await library.sync()
    #expect(
      try library.query("SELECT path, hex(path_bytes), taken_local FROM photo ORDER BY 3") == [
        #"\xFF.jpg|FF2E6A7067|2024-05-01T13:00:01"#, #"\xFF.jpg||2024-05-01T13:00:02"#,
      ])
    #expect(try await library.sync().photoRowsRead == 0)
    library.disk.remove(#"\xFF.jpg"#)
    #expect(try await library.sync().counts.removed == 1)
    #expect(
      try library.query("SELECT hex(path_bytes) FROM photo WHERE missing_since IS NULL") == [
        "FF2E6A7067"
      ])
  }

  @Test func `directories may have any name, too`() async throws {
    let library = try FixtureLibrary()
    for name in ["new\nline", "it's", "100%", "a|b", "caf\u{e9}", "cafe\u{301}"] {
      try library.write(name + "/deep/a.jpg", photo(1))
    }
    try await library.sync()
    #expect(try library.query("SELECT count(*) FROM photos") == ["6"])
    #expect(try await library.sync().photoRowsRead == 0)
    library.disk.remove("100%")
    library.disk.remove("cafe\u{301}")
    #expect(try await library.sync().counts.removed == 2)
    #expect(try library.query("SELECT count(*) FROM photos") == ["4"])
    #expect(try library.query("SELECT count(*) FROM sync_state") == ["9"])
  }

  /// '.' and '/' sort around '0', and '!' before both.
  @Test func `a directory's rows are not those of names that begin alike`() async throws {
    let library = try FixtureLibrary([
      "x/a.jpg": photo(1), "x.jpg": photo(2), "x0/a.jpg": photo(3), "x!/a.jpg": photo(4),
      "x-y/a.jpg": photo(5), "x/y/a.jpg": photo(6), "xx/a.jpg": photo(7),
    ])
    try await library.sync()
    library.disk.remove("x")
    #expect(try await library.sync().counts.removed == 2)
    #expect(try library.paths() == ["x!/a.jpg", "x-y/a.jpg", "x.jpg", "x0/a.jpg", "xx/a.jpg"])
  }

  @Test func `links are not followed unless asked, and then not out of the root`() async throws {
    let outside = try TemporaryDirectory()
    try outside.write("secret.jpg", photo(9))
    let library = try FixtureLibrary(["x/a.jpg": photo(1)])
    try library.disk.link("file.jpg", to: "x/a.jpg")
    try library.disk.link("tree", to: "x")
    try library.disk.link("x/loop", to: "..")
    try library.disk.link("out", to: outside.path)
    try library.disk.link("out.jpg", to: outside.path + "/secret.jpg")
    try library.disk.link("nowhere.jpg", to: "gone.jpg")
    try await library.sync()
    #expect(try library.paths() == ["x/a.jpg"])
    library.rules = PhotoRules(links: .followed)
    try await library.sync()
    #expect(try library.paths() == ["file.jpg", "tree/a.jpg", "x/a.jpg"])
    #expect(try await library.sync().photoRowsRead == 0)
    try library.write("x/a.jpg", photo(2))
    try await library.sync()
    #expect(
      try library.query("SELECT DISTINCT taken_local FROM photos") == ["2024-05-01T13:00:02"])
    library.rules = PhotoRules()
    try await library.sync()
    #expect(try library.paths() == ["x/a.jpg"])
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF")
  return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
