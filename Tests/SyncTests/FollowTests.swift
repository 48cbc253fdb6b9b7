import TestSupport
import Testing

/// `--changes-since TOKEN --follow`.
struct FollowTests {
  private let program: Program

  init() throws {
    program = try Program(["a.jpg": photo(1)])
    try program.rescan()
  }

  /// Waits, up to 20 s, until the output has as many lines that contain the word.
  private func lines(_ word: String, in output: String, count: Int = 1) throws -> [Substring] {
    var lines: [Substring] = []
    for _ in 0..<400 {
      let text = String(decoding: try program.home.read(output), as: UTF8.self)
      lines = text.split(separator: "\n").filter { $0.contains(word) }
      if lines.count >= count { break }
      pause(milliseconds: 50)
    }
    return lines
  }

  private func startService() throws -> Child {
    let service = try program.startCommand([], output: "service")
    for _ in 0..<200 {
      if try program.status("--status") == 0, try program.output().contains("service: pid") {
        break
      }
      pause(milliseconds: 50)
    }
    return service
  }

  @Test func `what happens is told until the service ends`() throws {
    let service = try startService()
    let follower = try program.startCommand(
      ["--changes-since", "0", "--json", "--follow"], output: "follower")
    #expect(try lines("next", in: "follower").count == 1)
    try program.disk.write("b.jpg", photo(2))
    #expect(try lines(#"/b.jpg"#, in: "follower").first?.contains(#""kind":"insert""#) == true)
    // A person's edit, of which the service does not hear.
    try program.edit("UPDATE photo SET is_favorite = 1 WHERE path = 'a.jpg'")
    let edits = try lines(#""fields":["is_favorite"]"#, in: "follower")
    #expect(edits.count == 1)
    #expect(try lines(#""fresh":false"#, in: "follower", count: 2).count >= 2)
    service.terminate()
    #expect(try service.wait() == 0)
    #expect(try follower.wait() == 0)
  }

  @Test func `a signal ends it, and so does a reader that has gone`() throws {
    let service = try startService()
    let follower = try program.startCommand(
      ["--changes-since", "0", "--follow"], output: "follower")
    #expect(try lines("next", in: "follower").count == 1)
    follower.terminate()
    #expect(try follower.wait() == 0)
    let words = "\(try builtProgram()) --config \(program.home.path)/config.json"
    let pipe = "\(words) --changes-since 0 --follow | head -n 1 > \(program.home.path)/head"
    #expect(try Child(["/bin/sh", "-c", pipe]).wait() == 0)
    service.terminate()
    #expect(try service.wait() == 0)
  }

  @Test func `without a service it tells what there is, and that no more will come`() throws {
    #expect(try program.status("--changes-since", "0", "--follow") == 75)
    #expect(try program.output().contains("no service writes this index"))
    #expect(try program.output().contains("insert photo 1"))
    #expect(try program.status("--status", "--follow") == 64)
  }
}
