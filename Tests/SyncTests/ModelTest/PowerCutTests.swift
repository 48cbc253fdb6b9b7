import SQLite
import TestSupport
import Testing

/// The power goes, and with it what was not synced: bytes, and names that came and went.
@Suite(.enabled(if: !isSanitized)) struct PowerCutTests {
  private let program: Program
  private let path: String

  init() throws {
    program = try Program([:])
    for number in 0..<60 { try program.disk.write("\(number % 3)/\(number).jpg", photo(number)) }
    try program.rescan()
    path = program.home.path + "/index.sqlite"
    try program.edit(
      """
      UPDATE photo SET is_favorite = 1 WHERE id % 2;
      INSERT INTO photo_rating SELECT id, id % 6 FROM photo;
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }

  /// Runs the program above the fault layer, which may kill it at a call; returns its exit status and
  /// what was not synced.
  private func run(_ words: [String], killedAt call: Int? = nil) throws -> (Int32, UnsyncedWrites) {
    try forgetJournal()
    let status = try Child(
      ["/usr/bin/env", "LD_PRELOAD=\(try builtProgram("libfaults.so"))"]
        + ["FAULTS_JOURNAL=\(program.home.path)/journal", "FAULTS_DATABASE=\(path)"]
        + (call.map { ["FAULTS_KILL=\($0)"] } ?? [])
        + [try builtProgram(), "--config", program.home.path + "/config.json"] + words,
      output: program.home.path + "/output"
    ).wait()
    return (status, UnsyncedWrites(journal: try program.home.read("journal")))
  }

  private func forgetJournal() throws {
    for name in try program.home.names() where name.hasPrefix("journal") {
      program.home.remove(name)
    }
  }

  private func cut(_ unsynced: UnsyncedWrites, _ generator: inout SeededGenerator) throws {
    try unsynced.lose(in: program.home, "index.sqlite", journal: "journal", &generator)
    try forgetJournal()
  }

  private func said() throws -> [String] {
    try program.index().rows("SELECT id, path, is_favorite, rating FROM photos ORDER BY id")
  }

  /// At each call before or after which a name comes or goes.
  @Test func `a rescue whose power is cut loses nothing`() throws {
    // What was written last is in the log alone.
    let person = [
      "/usr/bin/sqlite3", path, "PRAGMA wal_autocheckpoint = 0",
      "UPDATE photo_rating SET rating = 5 WHERE photo_id > 9", ".shell kill -9 $PPID",
    ]
    #expect(try Child(person).wait() == -9)
    let before = try said()
    var bytes = try program.home.read("index.sqlite")
    let page = try #require(
      stride(from: 0, to: bytes.count, by: 4096).first { start in
        bytes[start] == 0x0d
          && bytes[start..<(start + 4096)].firstRange(of: Array("0/30.jpg".utf8)) != nil
      })
    for index in page..<(page + 4096) { bytes[index] ^= 0xff }
    try program.home.write("index.sqlite", bytes)
    try program.home.write("index.sqlite.damaged", [])
    let files = try ["index.sqlite", "index.sqlite-wal", "index.sqlite.damaged"].map {
      ($0, try program.home.read($0))
    }
    func damage() throws {
      for name in try program.home.names() where name.hasPrefix("index.sqlite") {
        program.home.remove(name)
      }
      for (name, bytes) in files { try program.home.write(name, bytes) }
    }
    try damage()
    let (status, whole) = try run(["--rescan"])
    #expect(status == 0)
    #expect(try said() == before)
    let calls = Set(whole.namingCalls.flatMap { [$0, $0 + 1] }).sorted()
    #expect(calls.count > 10)
    for call in calls {
      try damage()
      var generator = SeededGenerator(seed: UInt64(call))
      let (_, unsynced) = try run(["--rescan"], killedAt: call)
      try cut(unsynced, &generator)
      #expect(try run(["--rescan"]).0 == 0, "call \(call)")
      #expect(try program.index().faults() == [], "call \(call)")
      #expect(try said() == before, "call \(call)")
    }
  }

  @Test func `what was exported or copied is there and whole, once the program is done`() throws {
    for seed in 0..<8 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let (exported, copied) = (path + ".exported", path + ".copy")
      let (export, unsyncedExport) = try run(["--export-user", exported])
      #expect(export == 0)
      try cut(unsyncedExport, &generator)
      let text = String(decoding: try program.home.read("index.sqlite.exported"), as: UTF8.self)
      #expect(text.hasSuffix("}\n"), "seed \(seed)")
      let (snapshot, unsyncedCopy) = try run(["--snapshot", copied])
      #expect(snapshot == 0)
      try cut(unsyncedCopy, &generator)
      let copy = try Connection(path: copied, .readWrite)
      #expect(try copy.faults() == [], "seed \(seed)")
      #expect(try copy.rows("SELECT count(*) FROM photos") == ["60"], "seed \(seed)")
      for name in try program.home.names() where name.hasPrefix("index.sqlite.") {
        program.home.remove(name)
      }
    }
  }
}
