import TestSupport
import Testing

/// Where two copies of a library differ.
struct TokenCommandTests {
  private let here: Program
  private let there: Program
  private let list: String

  init() throws {
    let files: KeyValuePairs = [
      "a.jpg": photo(1), "2023/b.jpg": photo(2), "2024/x/c.jpg": photo(3), "2024/y/d.jpg": photo(4),
    ]
    (here, there) = (try Program(files), try Program(files))
    list = here.home.path + "/list"
  }

  /// Takes what the other machine prints to this one.
  private func takeList() throws {
    #expect(try there.status("--tokens") == 0)
    try here.home.write("list", try there.home.read("output"))
    try here.home.setMode("list", 0o644)
  }

  private func differences() throws -> [String] {
    try here.rescan()
    try there.rescan()
    try takeList()
    let status = try here.status("--compare-tokens", list)
    let lines = try here.output().split(separator: "\n").map {
      $0.split(separator: "\t").joined(separator: "|")
    }
    #expect(status == (lines.isEmpty ? 0 : 1))
    return lines
  }

  @Test func `two copies are equal, whatever their times and places`() throws {
    #expect(try differences() == [])
    there.disk.remove("2023/b.jpg")
    try there.disk.write("2023/b.jpg", photo(2))
    #expect(try differences() == [])
  }

  @Test func `only the directories whose own photos differ are told`() throws {
    try there.disk.write("2024/x/c.jpg", photo(9))
    try there.disk.write("2024/z/new/e.jpg", photo(5))
    here.disk.remove("2023/b.jpg")
    try here.disk.write("2022/f.jpg", photo(6))
    #expect(
      try differences() == [
        "only here|photos|2022", "only there|photos|2023", "differs|photos|2024/x",
        "only there|photos|2024/z/new",
      ])
    try there.disk.move("a.jpg", to: "aa.jpg")
    #expect(try differences().first == "differs|photos|.")
  }

  @Test func `a hash that is missing leaves it open`() throws {
    try here.rescan()
    try there.disk.write("2024/x/g.jpg", photo(7))
    #expect(try there.rescanStatus("--no-hash") == 0)
    try takeList()
    #expect(try here.status("--compare-tokens", list) == 1)
    #expect(try here.output().contains("incomplete\tphotos\t2024/x\n"))
  }

  @Test func `what is no list of tokens is refused`() throws {
    try here.rescan()
    try here.home.write("bad", "0123\tphotos\t.\n")
    #expect(try here.status("--compare-tokens", here.home.path + "/bad") == 64)
    #expect(try here.output().contains("line 1 is none of photoindexd --tokens"))
    #expect(try here.status("--compare-tokens", here.home.path + "/none") == 74)
  }
}
