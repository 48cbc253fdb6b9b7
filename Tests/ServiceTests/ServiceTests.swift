import Decoding
import IndexStore
import Service
import Sync
import Synchronization
import TestSupport
import Testing
import Watch

/// Stories of a library that is watched. One after the other, for they wait for the clock.
@Suite(.serialized) struct ServiceTests {
  private let files = "SELECT file FROM photos ORDER BY path"

  private func serving(
    _ library: ServedLibrary, _ body: (ServedLibrary) async throws -> Void
  ) async throws {
    try await library.start()
    do {
      try await library.rest()
      try await body(library)
    } catch {
      await library.stop()
      throw error
    }
    await library.stop()
  }

  @Test func `what is there is scanned, and what comes is seen`() async throws {
    let library = try await ServedLibrary()
    try library.disk.write("x/a.jpg", photo(1))
    try await serving(library) { library async throws in
      #expect(try library.rows(files) == ["a.jpg"])
      #expect(try library.rows("SELECT watch FROM roots") == ["full"])
      try library.disk.write("x/b.jpg", photo(2))
      #expect(try await library.rows(files, become: ["a.jpg", "b.jpg"]) == ["a.jpg", "b.jpg"])
      try library.disk.write("new/tree/deep/c.jpg", photo(3))
      let all = ["c.jpg", "a.jpg", "b.jpg"]
      #expect(try await library.rows(files, become: all) == all)
      library.disk.remove("x")
      #expect(try await library.rows(files, become: ["c.jpg"]) == ["c.jpg"])
      try await library.rest()
      #expect(try await library.difference() == nil)
    }
  }

  @Test func `a sidecar that comes, changes or goes is seen`() async throws {
    let library = try await ServedLibrary()
    try library.disk.write("x/a.jpg", photo(1))
    let ratings = "SELECT coalesce(rating, 'none') FROM photos"
    try await serving(library) { library async throws in
      for (name, stars) in [("x/a.xmp", 3), ("x/a.jpg.xmp", 4), ("x/a.jpg.xmp", 5)] {
        try library.disk.write(name, xmpSidecar(attributes: "xmp:Rating=\"\(stars)\""))
        #expect(try await library.rows(ratings, become: ["\(stars)"]) == ["\(stars)"])
      }
      library.disk.remove("x/a.jpg.xmp")
      #expect(try await library.rows(ratings, become: ["3"]) == ["3"])
      library.disk.remove("x/a.xmp")
      #expect(try await library.rows(ratings, become: ["none"]) == ["none"])
      try await library.rest()
      #expect(try await library.difference() == nil)
    }
  }

  @Test func `a file that is written in bursts is read when it is closed`() async throws {
    let library = try await ServedLibrary()
    try await serving(library) { library async throws in
      let appender = try FileAppender(library.disk.path + "/a.jpg")
      var (last, pause) = (ContinuousClock.now, Duration.zero)
      for byte in photo(1) {
        appender.append([byte])
        if byte % 64 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        pause = max(pause, .now - last)
        last = .now
      }
      let hashed = try library.rows("SELECT id FROM photo WHERE content_hash IS NOT NULL")
      // On a machine that is so busy, the file has rested.
      if max(pause, .now - last) < ServedLibrary.times.rest { #expect(hashed == []) }
      withExtendedLifetime(appender) {}
    }
    let other = try await ServedLibrary()
    try await serving(other) { other async throws in
      do {
        let appender = try FileAppender(other.disk.path + "/a.jpg")
        for byte in photo(1) { appender.append([byte]) }
      }
      try await other.rest()
      #expect(try other.rows("SELECT kind FROM change WHERE subject = 'photo'").first == "insert")
      #expect(try other.rows("SELECT size FROM photos") == ["\(photo(1).count)"])
      #expect(try await other.difference() == nil)
    }
  }

  @Test func `a file that rests without being closed is read, too`() async throws {
    let library = try await ServedLibrary()
    try await serving(library) { library async throws in
      let appender = try FileAppender(library.disk.path + "/a.jpg")
      appender.append(photo(1))
      #expect(try await library.rows(files, become: ["a.jpg"]) == ["a.jpg"])
      withExtendedLifetime(appender) {}
    }
  }

  /// What is there in the end is one photo with all its bytes, and was fed once.
  private func expectOnePhoto(_ library: ServedLibrary, _ name: String) async throws {
    let hashed = "SELECT count(*) FROM photos WHERE content_hash IS NOT NULL"
    #expect(try await library.rows(hashed, become: ["1"]) == ["1"])
    try await library.rest()
    let sum = try output(of: ["/usr/bin/sha256sum", library.disk.path + "/" + name]).prefix(64)
    #expect(try library.rows("SELECT file, content_hash FROM photos") == ["\(name)|\(sum)"])
    let inserts = "SELECT kind FROM change WHERE subject = 'photo' AND kind <> 'update'"
    #expect(try library.rows(inserts) == ["insert"])
    #expect(try library.rows("SELECT count(*) FROM photo") == ["1"])
    #expect(try await library.difference() == nil)
  }

  @Test(arguments: [".a.jpg.Xy12Zw", ".syncthing.a.jpg.tmp", "a.jpg.part", "a.jpg"])
  func `a file that comes slowly, be it under a name of its writer's own, is one photo`(
    name: String
  ) async throws {
    let library = try await ServedLibrary()
    try await serving(library) { library async throws in
      do {
        let appender = try FileAppender(library.disk.path + "/" + name)
        let bytes = photo(1)
        // Each burst waits for longer than a file takes to settle.
        for start in stride(from: 0, to: bytes.count, by: bytes.count / 3 + 1) {
          appender.append(Array(bytes[start..<min(start + bytes.count / 3 + 1, bytes.count)]))
          try await Task.sleep(for: .milliseconds(120))
        }
        withExtendedLifetime(appender) {}
      }
      if name != "a.jpg" { try library.disk.move(name, to: "a.jpg") }
      // As rsync -t and Syncthing do, and cp -p.
      try library.disk.touch("a.jpg", modified: 1_500_000_000)
      try await expectOnePhoto(library, "a.jpg")
    }
  }

  @Test func `a file that is closed after each burst is one photo with its last bytes`()
    async throws
  {
    let library = try await ServedLibrary()
    try await serving(library) { library async throws in
      let bytes = photo(1)
      for end in [bytes.count / 3, bytes.count - 1, bytes.count] {
        try library.disk.write("a.jpg", Array(bytes[..<end]))
        try await library.rest()
      }
      try await expectOnePhoto(library, "a.jpg")
    }
  }

  @Test func `a tree that moves to another root keeps its ids, and is not read again`()
    async throws
  {
    let library = try await ServedLibrary(roots: ["a", "b"])
    for number in 0..<5 { try library.disk.write("b/x/\(number).jpg", photo(number)) }
    try await serving(library) { library async throws in
      let ids = try library.rows("SELECT id FROM photos ORDER BY file")
      try library.disk.move("b/x", to: "a/y")
      let rows = "SELECT root || folder FROM photos"
      let moved = Array(repeating: "ay", count: 5)
      #expect(try await library.rows(rows, become: moved) == moved)
      #expect(try library.rows("SELECT id FROM photos ORDER BY file") == ids)
      try library.disk.write("a/y/new.jpg", photo(9))
      #expect(
        try await library.rows("SELECT count(*) FROM photos", become: ["6"]) == ["6"])
      try library.disk.move("a/y", to: "b/z")
      #expect(
        try await library.rows("SELECT count(*) FROM photos WHERE root = 'b'", become: ["6"])
          == ["6"])
      // Who saw them come before they were missed, had them twice for a moment.
      try await library.rest()
      let back = try library.rows("SELECT id FROM photos WHERE file <> 'new.jpg' ORDER BY file")
      #expect(back == ids)
      #expect(try await library.difference() == nil)
    }
  }

  @Test func `what is not watched is polled, and the root says why`() async throws {
    let library = try await ServedLibrary(budget: 2)
    for name in ["a", "b", "c"] { try library.disk.write("\(name)/1.jpg", photo(1)) }
    try await serving(library) { library async throws in
      #expect(try library.rows("SELECT watch FROM roots") == ["partial"])
      #expect(
        try library.rows("SELECT watch_reason FROM roots")
          == [
            "2 of 4 directories are not watched: the share of 2 of "
              + "fs.inotify.max_user_watches = 2 is used up"
          ])
      for name in ["a", "b", "c"] { try library.disk.write("\(name)/2.jpg", photo(2)) }
      let count = "SELECT count(*) FROM photos"
      #expect(try await library.rows(count, become: ["6"]) == ["6"])
    }
  }

  @Test func `a root that goes away is offline, and scanned when it is back`() async throws {
    let library = try await ServedLibrary(roots: ["a", "b"])
    try library.disk.write("a/1.jpg", photo(1))
    try library.disk.write("b/2.jpg", photo(2))
    try await serving(library) { library async throws in
      let state = "SELECT state FROM roots ORDER BY name"
      try library.disk.move("a", to: "elsewhere")
      #expect(
        try await library.rows(state, become: ["offline", "online"]) == ["offline", "online"])
      #expect(try library.rows("SELECT count(*) FROM photos") == ["2"])
      try library.disk.write("elsewhere/3.jpg", photo(3))
      try library.disk.move("elsewhere", to: "a")
      #expect(try await library.rows("SELECT count(*) FROM photos", become: ["3"]) == ["3"])
      #expect(try library.rows(state) == ["online", "online"])
      let watch = try await library.rows("SELECT watch FROM roots", become: ["full", "full"])
      #expect(watch == ["full", "full"])
    }
  }

  @Test func `a request is answered with what came of it, hashes included`() async throws {
    let library = try await ServedLibrary()
    for number in 0..<200 { try library.disk.write("\(number % 7)/\(number).jpg", photo(number)) }
    try await serving(library) { library async throws in
      let unchanged = try await library.request()
      #expect(unchanged.map(\.result) == [.unchanged])
      #expect(unchanged.map(\.counts.files) == [200])
      try library.disk.write("new.jpg", photo(300))
      let changed = try await library.request()
      #expect(changed.map(\.counts.files) == [201])
      #expect(try library.rows("SELECT hashed FROM coverage") == ["201"])
      #expect(
        try library.rows("SELECT count(*) FROM scan WHERE kind = 'rescan'") == ["2"])
    }
  }

  @Test func `a reading that failed is tried again by its plan, also by another service`()
    async throws
  {
    let plan = RetryPlan(first: 1, most: 1, giveUpAfter: 1000)
    let library = try await ServedLibrary(retryPlan: plan)
    try library.disk.write("x/a.jpg", Array(photo(1).prefix(60)))
    try await library.start()
    let attempts = "SELECT attempts > 1 FROM retry"
    #expect(try await library.rows(attempts, become: ["1"]) == ["1"])
    await library.stop()
    let before = try library.rows("SELECT attempts FROM retry")
    try await library.start()
    let more = "SELECT attempts > \(before[0]) FROM retry"
    #expect(try await library.rows(more, become: ["1"]) == ["1"])
    await library.stop()
  }

  @Test func `so is a hashing, within its hours`() async throws {
    let plan = RetryPlan(first: 2, most: 2, giveUpAfter: 1000)
    let program = Array(try builtProgram("faulty-decoder").utf8)
    let library = try await ServedLibrary(
      retryPlan: plan, decoder: DecoderPool(program: program))
    try library.disk.write("x/a.jpg", photo(1) + Array("of picture: crash".utf8))
    try library.disk.write("y/b.jpg", Array(photo(2).prefix(60)))
    let isOpen = Mutex(true)
    var settings = ServedLibrary.settings
    settings.sync.mayHash = { isOpen.withLock { $0 } }
    try await library.start(settings)
    func wait(forAttempts attempts: Int, at lacks: String) async throws {
      let sql = "SELECT attempts >= \(attempts) FROM retry WHERE lacks = '\(lacks)'"
      #expect(try await library.rows(sql, become: ["1"]) == ["1"])
    }
    func attempts(at lacks: String) throws -> Int {
      Int(try library.rows("SELECT attempts FROM retry WHERE lacks = '\(lacks)'")[0]) ?? 0
    }
    try await wait(forAttempts: 2, at: "hash")
    isOpen.withLock { $0 = false }
    // One may have been under way; of the other file the attempts go on.
    try await wait(forAttempts: try attempts(at: "metadata") + 1, at: "metadata")
    let before = try attempts(at: "hash")
    try await wait(forAttempts: try attempts(at: "metadata") + 1, at: "metadata")
    #expect(try attempts(at: "hash") == before)
    await library.stop()
  }

  @Test func `stopped in the middle, it goes on where it was`() async throws {
    let library = try await ServedLibrary()
    for number in 0..<300 { try library.disk.write("\(number % 9)/\(number).jpg", photo(number)) }
    for pause in [1, 5, 20, 60] {
      try await library.start()
      try await Task.sleep(for: .milliseconds(pause))
      await library.stop()
    }
    try await serving(library) { library async throws in
      #expect(try await library.difference() == nil)
      let inserts = "SELECT count(*) FROM change WHERE kind = 'insert' AND subject = 'photo'"
      #expect(try library.rows(inserts) == ["300"])
    }
  }
}
