import Linux
import SQLite
import TestSupport
import Testing

/// The built program beside the test: what only a process of its own can show.
struct ProgramTests {
  @Test func `a directory that cannot be listed keeps its rows, and no other does`() throws {
    let program = try Program(["x/a.jpg": photo(1), "x/y/b.jpg": photo(2), "z/c.jpg": photo(3)])
    try program.rescan()
    let index = try program.index()
    let kept = try index.rows("SELECT id FROM photos WHERE folder <> 'z' ORDER BY 1")
    try program.disk.setMode("x", 0o000)
    program.disk.remove("z/c.jpg")
    try program.rescan()
    #expect(
      try index.rows("SELECT folder, file FROM photos ORDER BY 1") == ["x|a.jpg", "x/y|b.jpg"])
    #expect(try index.rows("SELECT directory, errno FROM unreadable") == ["x|13"])
    #expect(try index.rows("SELECT change_token FROM sync_state WHERE directory = ''") == [""])
    #expect(try index.rows("SELECT content_token FROM sync_state WHERE directory = ''") == [""])
    // Nor does a look elsewhere vouch for what is in there.
    try program.disk.write("z/d.jpg", photo(4))
    try program.rescan("z")
    #expect(try index.rows("SELECT content_token FROM sync_state WHERE directory = ''") == [""])
    program.disk.remove("z/d.jpg")
    try program.disk.setMode("x", 0o755)
    try program.rescan()
    #expect(try index.rows("SELECT directory FROM unreadable") == [])
    #expect(try index.rows("SELECT id FROM photos ORDER BY 1") == kept)
    #expect(
      try index.rows("SELECT content_token <> x'' FROM sync_state WHERE directory = ''") == ["1"])
  }

  @Test func `the changes are lines of JSON, and the last one has the next token`() throws {
    let program = try Program(["a.jpg": photo(1), "b\u{7}.jpg": photo(2)])
    try program.rescan()
    #expect(try program.status("--changes-since", "0", "--json") == 0)
    let lines = try program.output().split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix(#"{"id":1,"kind":"insert","row":{"id":1,"is_registered":0,"#))
    // A bell, in a path: shown as \x07, in which JSON doubles the backslash.
    let bell = lines[1...2].filter { $0.contains(#"/b\\x07.jpg","#) }
    #expect(bell.count == 1 && bell[0].contains(#""make":"Canon""#))
    let start = #"{"fresh":true,"next":""#
    #expect(lines[3].hasPrefix(start))
    let token = String(lines[3].dropFirst(start.count).prefix { $0 != "\"" })
    #expect(try program.status("--changes-since", token, "--json") == 0)
    #expect(try program.output() == #"{"fresh":false,"next":"\#(token)"}"# + "\n")
    #expect(try program.status("--changes-since", String(token.dropLast()), "--json") == 65)
    #expect(try program.output().hasPrefix(#"{"fresh":true}"# + "\n"))
    #expect(try program.status("--changes-since", "yesterday") == 64)
  }

  @Test func `the status tells what decoders may still do`() throws {
    let program = try Program(["a.jpg": photo(1)])
    try program.rescan()
    #expect(try program.status("--status") == 0)
    #expect(try program.output().contains("\ndecoder: child, seccomp, landlock, memory limit\n"))
    #expect(try program.status("--status", "--json") == 0)
    #expect(try program.output().contains(#""child, seccomp, landlock, memory limit""#))
  }

  @Test func `the status tells of a zone that the user wrote and that does not exist`() throws {
    let program = try Program(["a.jpg": photo(1)])
    try program.rescan()
    let shell = try program.index(.readWrite)
    try shell.execute(
      "INSERT INTO photo_time (photo_id, local, zone) VALUES (1, '1974', 'Asia/Seoul')")
    #expect(try program.status("--status") == 0)
    #expect(!(try program.output().contains("no time zone")))
    try shell.execute("UPDATE photo_time SET zone = 'Asia/Soul'")
    #expect(try program.status("--status") == 0)
    #expect(
      try program.output().contains(
        "\nno time zone: Asia/Soul, which 1 of photo_time and device_clock name; without effect\n"))
    #expect(try program.status("--status", "--json") == 0)
    #expect(try program.output().contains(#""Asia/Soul""#))
  }

  @Test func `a snapshot is a whole index in one private file, and replaces nothing`() throws {
    let program = try Program(["a.jpg": photo(1)])
    try program.rescan()
    let copy = program.home.path + "/copy's.sqlite"
    #expect(try program.status("--snapshot", copy) == 0)
    #expect(try program.home.mode(of: "copy's.sqlite") == 0o600)
    #expect(!program.home.holds("copy's.sqlite-wal"))
    #expect(
      try Connection(path: copy, .readWrite).rows("SELECT id, path FROM photos")
        == program.index().rows("SELECT id, path FROM photos"))
    let before = try program.home.read("copy's.sqlite")
    #expect(try program.status("--snapshot", copy) == 64)
    #expect(try program.home.read("copy's.sqlite") == before)
    #expect(try program.status("--snapshot", program.home.path + "/none/copy.sqlite") == 74)
  }

  @Test func `a root that cannot be listed is offline`() throws {
    let program = try Program(["x/a.jpg": photo(1)])
    try program.rescan()
    try program.disk.setMode("", 0o000)
    #expect(try program.rescanStatus() == 69)
    let index = try program.index()
    #expect(
      try index.rows("SELECT state, state_reason FROM roots") == ["offline|Permission denied"])
    #expect(try index.rows("SELECT count(*) FROM photos") == ["1"])
  }

  @Test func `a file that may not be read is pending, and a chmod heals it`() throws {
    let program = try Program(["a.jpg": photo(1), "b.jpg": photo(2)])
    try program.disk.setMode("a.jpg", 0o000)
    try program.rescan()
    let index = try program.index()
    #expect(try index.rows("SELECT reason, errno FROM pending") == ["permission|13"])
    #expect(
      try index.rows("SELECT file, device, device_pending FROM photos ORDER BY 1")
        == ["a.jpg||1", "b.jpg|Canon EOS R5|0"])
    try program.disk.setMode("a.jpg", 0o644)
    try program.rescan()
    #expect(
      try index.rows("SELECT file, device, device_pending FROM photos ORDER BY 1")
        == ["a.jpg|Canon EOS R5|0", "b.jpg|Canon EOS R5|0"])
    #expect(try index.rows("SELECT * FROM retry") == [])
  }

  @Test func `a held root is an error until its removals are confirmed`() throws {
    let program = try Program(
      ["x/a.jpg": photo(1), "x/b.jpg": photo(2), "c.jpg": photo(3)],
      keys: #""removal_fuse": {"share": 0.5, "count": 1}"#)
    try program.rescan()
    program.disk.remove("x")
    #expect(try program.rescanStatus() == 69)
    #expect(try program.output().contains("photos: held: 2 of 3 photos "))
    let index = try program.index()
    #expect(try index.rows("SELECT folder, photos FROM held_removals") == ["x|2"])
    #expect(try program.rescanStatus("--confirm-removals", "other") == 66)
    #expect(try program.rescanStatus() == 69)
    #expect(try program.rescanStatus("--confirm-removals", "photos") == 0)
    #expect(try index.rows("SELECT file FROM photos") == ["c.jpg"])
    #expect(try program.rescanStatus() == 0)
  }

  @Test func `a marker above the scanned directory leaves it out`() throws {
    let program = try Program(["p/s/a.jpg": photo(1), "q/b.jpg": photo(2)])
    try program.disk.write("p/.nomedia", "")
    #expect(try program.rescanStatus(program.disk.path + "/p/s") == 66)
    #expect(try program.output().contains("p/s: left out of root photos by the marker p/.nomedia"))
    try program.rescan("p")
    try program.rescan()
    #expect(try program.index().rows("SELECT path FROM photo") == ["q/b.jpg"])
    #expect(try program.status("--explain", program.disk.path + "/p/s/a.jpg") == 0)
    #expect(try program.output().contains("rule: left out by the marker p/.nomedia"))
  }

  @Test func `explain tells whose a sidecar is, and which a photo has`() throws {
    let program = try Program([
      "p/a.jpg": photo(1), "p/a.dng": photo(2), "p/a.xmp": Array("<x".utf8),
      "p/a.jpg.json": takeoutFile(taken: 1), "p/lost.xmp": [1], "p/notes.json": [1],
    ])
    try program.rescan()
    #expect(try program.output().contains("p/a.xmp: sidecar: the file is no XMP"))
    for (name, lines) in [
      (
        "a.xmp",
        [
          "rule: let in, as a sidecar",
          "sidecar: of p/a.jpg (xmp-shot), not read: the file is no XMP",
          "sidecar: of p/a.dng (xmp-shot), not read: the file is no XMP",
        ]
      ),
      (
        "a.jpg",
        [
          "sidecar: a.xmp (xmp-shot), not read: the file is no XMP",
          "sidecar: a.jpg.json (takeout)\n",
        ]
      ),
      ("lost.xmp", ["sidecar: of no photo in its directory"]),
      ("notes.json", ["left out, its name is not that of a photo, a video or a sidecar"]),
    ] {
      #expect(try program.status("--explain", program.disk.path + "/p/" + name) == 0)
      for line in lines { #expect(try program.output().contains(line), "\(line)") }
    }
  }

  @Test func `output that cannot be written is an error, and a reader that has gone is none`()
    throws
  {
    let program = try Program([:])
    let words = "\(try builtProgram()) --version"
    #expect(try Child(["/bin/sh", "-c", "\(words) > /dev/full 2> /dev/null"]).wait() == 74)
    let pipe = "{ sleep 0.1; \(words); echo $? >&3; } 3> \(program.disk.path)/status | :"
    #expect(try Child(["/bin/sh", "-c", pipe]).wait() == 0)
    #expect(try program.disk.read("status") == Array("0\n".utf8))
  }

  @Test func `a root behind a link can be named by either path`() throws {
    let program = try Program(["real/x/a.jpg": photo(1)], roots: ["link"])
    try program.disk.link("link", to: "real")
    try program.rescan("link/x")
    try program.rescan("real/x")
    #expect(try program.index().rows("SELECT root, folder FROM photos") == ["link|x"])
    #expect(try program.status("--explain", program.disk.path + "/link/x/a.jpg") == 0)
    #expect(try program.output().contains("x/a.jpg in root link (online)"))
  }

  @Test func `what fails in one root does not keep the next from being scanned`() throws {
    let program = try Program(["a/a.jpg": photo(1), "b/b.jpg": photo(2)], roots: ["a", "b"])
    try program.rescan()
    try program.disk.write("a/c.jpg", photo(3))
    try program.disk.write("b/d.jpg", photo(4))
    try program.forbidChanges(ofRoot: "a")
    #expect(try program.rescanStatus() == 74)
    #expect(try program.output().contains("photoindexd: root a: "))
    #expect(
      try program.index().rows("SELECT file FROM photos ORDER BY 1")
        == ["a.jpg", "b.jpg", "d.jpg"])
    // The second root, offline, says less than the first.
    program.disk.remove("b")
    #expect(try program.rescanStatus() == 74)
  }

  @Test(arguments: ["error", "warning", "info", "debug"])
  func `the log level decides on warnings, and never on results`(level: String) throws {
    let program = try Program(
      ["a.jpg": Array(photo(1).prefix(40)), "b.jpg": photo(2)],
      keys: #""log_level": "\#(level)""#)
    try program.rescan()
    let output = try program.output()
    #expect(output.contains("photos: 2 photos: 2 added"))
    #expect(output.contains("1 could not be read yet"))
    #expect(output.contains("photoindexd: a.jpg: truncated: ") == (level != "error"))
  }

  @Test(arguments: [1, 2])
  func `killed again and again, it ends as if it had not been`(seed: UInt64) throws {
    let program = try Program([:])
    for number in 0..<400 {
      try program.disk.write("\(number % 7)/\(number % 40)/\(number).jpg", photo(number))
    }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<12 {
      let run = try program.start()
      pause(milliseconds: Int.random(in: 5...150, using: &generator))
      run.kill()
      _ = try run.wait()
    }
    try program.rescan()
    let other = try Program(indexing: program.disk)
    try other.rescan()
    let (index, fresh) = (try program.index(), try other.index())
    #expect(try index.contents() == fresh.contents(), "seed \(seed)")
    #expect(try index.tokens() == fresh.tokens(), "seed \(seed)")
    #expect(try index.rows("SELECT count(*) FROM photos") == ["400"])
    #expect(
      try index.rows(
        "SELECT count(*), count(DISTINCT row_id) FROM change WHERE kind = 'insert' AND subject = 'photo'"
      )
        == ["400|400"])
    #expect(try index.faults() == [], "seed \(seed)")
  }
}

/// The program with a configuration of its own, run by somebody to whom things can be forbidden.
struct Program {
  let disk: TemporaryDirectory
  let home: TemporaryDirectory

  /// The roots are the directories of these names; without, there is one of all.
  init(
    _ files: KeyValuePairs<String, [UInt8]>, keys: String = #""workers": 2"#, roots: [String] = []
  ) throws {
    try self.init(indexing: TemporaryDirectory(), keys: keys, roots: roots)
    for (name, bytes) in files { try disk.write(name, bytes) }
  }

  init(
    indexing disk: TemporaryDirectory, keys: String = #""workers": 2"#, roots: [String] = []
  ) throws {
    self.disk = disk
    home = try TemporaryDirectory()
    try disk.setMode("", 0o755)
    try home.setMode("", 0o777)
    for name in ["zones", "admin1", "korea", "units"] {
      try home.write(
        "places/\(name).geojson", #"{"type": "FeatureCollection", "features": []}"#)
    }
    let named = roots.map { #"{"name": "\#($0)", "path": "\#(disk.path)/\#($0)"}"# }
    let all = #"{"name": "photos", "path": "\#(disk.path)"}"#
    try home.write(
      "config.json",
      """
      {
        "database": "\(home.path)/index.sqlite", "resources": "\(home.path)", "settle": "20ms",
        "time_zone": "Asia/Seoul", \(keys),
        "roots": [\((named.isEmpty ? [all] : named).joined(separator: ", "))]
      }
      """)
  }

  func start(_ options: [String] = []) throws -> Child {
    try startCommand(["--rescan"] + options)
  }

  func startCommand(_ words: [String], output: String = "output") throws -> Child {
    let command = [try builtProgram(), "--config", home.path + "/config.json"] + words
    let nobody = [
      "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--",
    ]
    let together = ["/bin/sh", "-c", #"exec "$@" 2>&1"#, "sh"]
    return try Child(
      together + (isSuperuser ? nobody : []) + command, output: home.path + "/" + output)
  }

  func rescanStatus(_ options: String...) throws -> Int32 { try start(options).wait() }

  /// Writes the configuration anew, with these roots in place of those that it names.
  func configure(_ roots: [(name: String, path: String)]) throws {
    let text = String(decoding: try home.read("config.json"), as: UTF8.self)
    let named = roots.map { #"{"name": "\#($0.name)", "path": "\#($0.path)"}"# }
    let start = text.firstRange(of: #""roots":"#)?.lowerBound ?? text.endIndex
    try home.write(
      "config.json", text[..<start] + #""roots": [\#(named.joined(separator: ", "))]}"#)
  }

  /// The exit status of another command.
  func status(_ words: String...) throws -> Int32 { try startCommand(words).wait() }

  func command(_ words: [String]) throws -> Int32 { try startCommand(words).wait() }

  /// Runs a script as a person does in the shell.
  func edit(_ sql: String) throws {
    try Connection(path: home.path + "/index.sqlite", .readWrite).execute(sql)
  }

  /// Has the index refuse new photos of a root.
  func forbidChanges(ofRoot name: String) throws {
    let index = try Connection(path: home.path + "/index.sqlite", .readWrite)
    try index.execute(
      """
      CREATE TRIGGER my_refusal BEFORE INSERT ON photo
      WHEN NEW.root_id = (SELECT id FROM root WHERE name = '\(name)')
      BEGIN SELECT raise(ABORT, 'refused'); END
      """)
  }

  /// What the last run wrote, to standard output and error.
  func output() throws -> String {
    String(decoding: try home.read("output"), as: UTF8.self)
  }

  /// Syncs all, or the directory `part`.
  func rescan(_ part: String? = nil) throws {
    #expect(try start(part.map { [disk.path + "/" + $0] } ?? []).wait() == 0)
  }

  func index(_ mode: Connection.Mode = .readOnly) throws -> Connection {
    try Connection(path: home.path + "/index.sqlite", mode)
  }
}
