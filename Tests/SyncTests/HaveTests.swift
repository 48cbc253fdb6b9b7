import SQLite
import TestSupport
import Testing

/// Whether a card may be formatted.
struct HaveTests {
  private let program: Program
  private let card: TemporaryDirectory

  init() throws {
    program = try Program(["2024/a.jpg": photo(1), "2024/b.jpg": photo(2)])
    try program.rescan()
    card = try TemporaryDirectory()
    try card.setMode("", 0o755)
  }

  /// What it prints, card and library left out of the paths, and how it ends.
  private func have(_ options: String...) throws -> (lines: [String], status: Int32) {
    let status = try program.command(["--have", card.path] + options)
    let output = try program.output().replacing(card.path, with: "").replacing(
      program.disk.path, with: "")
    return (output.split(separator: "\n").map(String.init).filter { !$0.isEmpty }, status)
  }

  @Test func `what is there has a copy, whatever its name; the rest is new`() throws {
    try card.write("DCIM/IMG_1.JPG", photo(1))
    try card.write("DCIM/IMG_2.JPG", photo(2))
    try card.write("DCIM/notes.txt", "not a photo")
    var answer = try have()
    #expect(
      answer.lines == [
        "have /DCIM/IMG_1.JPG → /2024/a.jpg", "have /DCIM/IMG_2.JPG → /2024/b.jpg",
        "photoindexd: 2 have, 0 new, 0 unsure; 1 other files were not looked at",
      ])
    #expect(answer.status == 0)
    // One of the same size, and one of another.
    try card.write("DCIM/IMG_3.JPG", photo(3))
    try card.write("DCIM/IMG_4.JPG", "longer or shorter")
    answer = try have("--missing-only")
    #expect(answer.lines.prefix(2) == ["/DCIM/IMG_3.JPG", "/DCIM/IMG_4.JPG"])
    #expect(answer.lines.count == 3 && answer.status == 1)
  }

  @Test func `bytes that nobody has read yet leave it open, and so does a copy that has changed`()
    throws
  {
    try program.edit("UPDATE photo SET content_hash = NULL WHERE path = '2024/b.jpg'")
    try card.write("1.jpg", photo(1))
    try card.write("2.jpg", photo(2))
    var answer = try have()
    #expect(answer.lines.prefix(2) == ["have /1.jpg → /2024/a.jpg", "unsure /2.jpg"])
    #expect(answer.status == 1)
    // As the index does not know it yet.
    try program.disk.write("2024/a.jpg", photo(3))
    answer = try have("--missing-only")
    #expect(answer.lines.prefix(2) == ["/1.jpg", "/2.jpg"])
    program.disk.remove("2024/a.jpg")
    #expect(try have("--missing-only").lines.prefix(2) == ["/1.jpg", "/2.jpg"])
  }

  @Test func `a photo that went bad or is missing is no copy`() throws {
    try card.write("1.jpg", photo(1))
    try card.write("2.jpg", photo(2))
    try program.edit(
      """
      UPDATE photo SET missing_since = 1 WHERE path = '2024/a.jpg';
      INSERT INTO suspect (photo_id, kind, found_at)
        SELECT id, 'corrupt', 1 FROM photo WHERE path = '2024/b.jpg';
      """)
    #expect(try have().lines.prefix(2) == ["new /1.jpg", "new /2.jpg"])
  }

  @Test func `a card that is a part of the index is no copy of itself`() throws {
    try program.disk.write("card/IMG_1.JPG", photo(1))
    try program.disk.write("card/IMG_9.JPG", photo(9))
    try program.rescan()
    #expect(try program.command(["--have", program.disk.path + "/card"]) == 1)
    let lines = try program.output().replacing(program.disk.path, with: "").split(separator: "\n")
    #expect(lines.prefix(2) == ["have /card/IMG_1.JPG → /2024/a.jpg", "new /card/IMG_9.JPG"])
    // Nor is another name of the same file.
    try program.disk.hardLink("2024/link.jpg", to: "card/IMG_9.JPG")
    try program.rescan()
    #expect(try program.command(["--have", program.disk.path + "/card"]) == 1)
  }

  @Test func `other programs get the exact bytes of paths`() throws {
    try card.write(Array("new\n".utf8) + [0xff] + Array(".jpg".utf8), photo(5))
    #expect(try program.command(["--have", card.path, "--missing-only", "-0"]) == 1)
    let bytes = try program.home.read("output")
    #expect(
      bytes.starts(
        with: Array("\(card.path)/new\n".utf8) + [0xff] + Array(".jpg".utf8) + [0]))
    #expect(try have("--missing-only").lines.first == "/new\\x0A\\xFF.jpg")
  }

  @Test func `what cannot be read is told, and is no yes`() throws {
    try card.write("1.jpg", photo(1))
    try card.setMode("1.jpg", 0o000)
    #expect(try have().status == 74)
    #expect(try have("--missing-only").lines.contains("/1.jpg"))
    #expect(try program.status("--have", card.path + "/none") == 66)
    #expect(try program.status("--status", "-0") == 64)
  }

  @Test func `nothing is written, and a daemon that writes is no obstacle`() throws {
    try card.write("1.jpg", photo(1))
    let index = program.home.path + "/index.sqlite"
    let writer = try Connection(path: index, .readWrite)
    try writer.execute("BEGIN IMMEDIATE; UPDATE photo SET is_favorite = 1")
    let before = try program.home.read("index.sqlite")
    #expect(try have().status == 0)
    #expect(try program.home.read("index.sqlite") == before)
    #expect(try card.read("1.jpg") == photo(1))
    try writer.execute("ROLLBACK")
  }
}
