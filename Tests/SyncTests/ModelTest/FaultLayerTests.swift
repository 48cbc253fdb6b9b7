import TestSupport
import Testing

/// The layer below the program does what it is told.
@Suite(.enabled(if: !isSanitized)) struct FaultLayerTests {
  private let library: ModelledLibrary
  private var generator = SeededGenerator(seed: 1)
  private let look: ReferenceLook

  init() throws {
    library = try ModelledLibrary()
    let content = PhotoContent(picture: 1, second: 1, camera: 1)
    for name in ["x/a", "y/b"] { try library.disk.write("photos/\(name).jpg", content.bytes) }
    look = ReferenceLook(now: 2_000_000_000)
  }

  private func rows(_ sql: String) throws -> [String] { try library.shell().rows(sql) }

  @Test mutating func `a program that nothing happens to makes many calls, at the time given`()
    throws
  {
    #expect(try library.runProgram(look, Faults(), &generator) == 0)
    #expect(library.calls > 100)
    #expect(
      try rows("SELECT file, content_hash IS NOT NULL FROM photos ORDER BY 1")
        == ["a.jpg|1", "b.jpg|1"])
    #expect(try rows("SELECT DISTINCT added_at FROM photo") == ["2000000000"])
  }

  @Test mutating func `it is killed at a call, and not sooner`() throws {
    // The first makes the index, and more calls.
    for _ in 0..<2 { #expect(try library.runProgram(look, Faults(), &generator) == 0) }
    let calls = library.calls
    #expect(try library.runProgram(look, Faults(at: 10 * calls, isKill: true), &generator) == 0)
    #expect(try library.runProgram(look, Faults(at: calls / 2, isKill: true), &generator) == -9)
  }

  @Test mutating func `calls below a directory fail, and no others`() throws {
    var faults = Faults(below: library.disk.path + "/photos/x")
    faults.listing = .permission
    #expect(try library.runProgram(look, faults, &generator) == 0)
    #expect(try rows("SELECT directory, errno FROM unreadable") == ["x|13"])
    #expect(try rows("SELECT file FROM photos") == ["b.jpg"])
    faults.listing = nil
    faults.opening = .permission
    #expect(try library.runProgram(look, faults, &generator) == 0)
    #expect(try rows("SELECT errno FROM pending") == ["13"])
    faults.below = library.home.path
    faults.writing = .noSpace
    #expect(try library.runProgram(look, faults, &generator) == 74)
  }

  @Test mutating func `a file is renamed under way`() throws {
    let root = library.disk.path + "/photos/"
    #expect(
      try library.runProgram(
        look, Faults(at: 1, rename: (root + "x/a.jpg", root + "c.jpg")), &generator) == 0)
    #expect(try rows("SELECT file FROM photos ORDER BY 1") == ["b.jpg", "c.jpg"])
  }

  /// Three writes of a whole and a half sector, as FaultLayer.c tells of them.
  @Test func `what was synced is not lost, and of the rest each sector may be`() {
    func record(_ kind: Int, _ offset: Int, _ old: [UInt8], _ new: [UInt8], _ size: Int) -> [UInt8]
    {
      [kind, 0, offset, old.count, new.count, size].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      } + old + new
    }
    func bytes(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 768) }
    let journal =
      record(1, 0, [], bytes(1), 0) + record(3, 0, [], [], 768)
      + record(1, 0, bytes(1), bytes(2), 768) + record(1, 768, [], bytes(3), 768)
    let unsynced = UnsyncedWrites(journal: journal + [1, 0])
    #expect(unsynced.count == 2)
    var (sectors, sizes): (Set<[UInt8]>, Set<Int>) = ([], [])
    for seed in 0..<64 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let left = unsynced.lose(from: bytes(2) + bytes(3), of: 0, &generator)
      #expect(unsynced.lose(from: [], of: 1, &generator) == [])
      sectors.insert([left[0], left[767]])
      sizes.insert(left.count)
    }
    #expect(sectors == [[1, 1], [1, 2], [2, 1], [2, 2]])
    #expect(sizes == [768, 1280, 1536])
  }

  /// Names in the order in which they came and went; the directory was synced after the first.
  @Test func `of names that came and went, the last ones may be lost`() throws {
    let disk = try TemporaryDirectory()
    func record(_ kind: Int, _ old: String, _ new: String = "", kept: Int = 0) -> [UInt8] {
      let names = [old, new].map { $0.isEmpty ? [] : disk.path($0) }
      return [kind, kept, 9, names[0].count, names[1].count, 0].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      } + names[0] + names[1]
    }
    let journal =
      record(4, "i.first") + record(7, "") + record(4, "i.new") + record(5, "i-wal", kept: 1)
      + record(6, "i.new", "i", kept: 2)
    let unsynced = UnsyncedWrites(journal: journal)
    #expect(unsynced.namingCalls == [9, 9, 9, 9])
    var seen: Set<[String]> = []
    for seed in 0..<32 {
      for name in try disk.names() { disk.remove(name) }
      for (name, bytes) in [("i.first", "1"), ("i", "new"), ("j.1", "log"), ("j.2", "old")] {
        try disk.write(name, bytes)
      }
      var generator = SeededGenerator(seed: UInt64(seed))
      try unsynced.lose(in: disk, "i", journal: "j", &generator)
      let left = try disk.names().filter { $0.hasPrefix("i") }.sorted()
      seen.insert(try left.map { "\($0): " + String(decoding: try disk.read($0), as: UTF8.self) })
    }
    #expect(
      seen == [
        ["i: new", "i.first: 1"],
        ["i: old", "i.first: 1", "i.new: new"],
        ["i: old", "i-wal: log", "i.first: 1", "i.new: new"],
        ["i: old", "i-wal: log", "i.first: 1"],
      ])
  }
}
