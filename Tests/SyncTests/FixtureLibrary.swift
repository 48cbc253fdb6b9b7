import Decoding
import IndexStore
import Library
import Linux
import Metadata
import Model
import SQLite
import Sync
import Synchronization
import TestSupport

/// A photo unlike those of other numbers: another time, another picture, other bytes, one size.
func photo(_ number: Int) -> [UInt8] {
  var fixture = JPEGFixture.photo(
    taken: "2024:05:01 13:\(twoDigits(number / 60)):\(twoDigits(number % 60))")
  fixture.shade = UInt8(number % 250 + 1)
  return fixture.bytes
}

/// The picture of a shot with a film.
func livePicture(_ identifier: String, number: Int = 0) -> JPEGFixture {
  var fixture = JPEGFixture.photo(
    make: "Apple", model: "iPhone 15",
    taken: "2024:05:02 13:\(twoDigits(number / 60 % 60)):\(twoDigits(number % 60))")
  fixture.exif?.addAppleNote(identifier: identifier)
  fixture.shade = UInt8(number % 250 + 1)
  return fixture
}

func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

/// Photos on disk, the index of them, and a person with the `sqlite3` shell.
final class FixtureLibrary {
  let disk: TemporaryDirectory
  let clock = TestClock()
  private let home: TemporaryDirectory
  private(set) var index: PhotoIndex
  /// A second connection, as the `sqlite3` shell has it: foreign keys are off.
  private(set) var shell: Connection
  private var stamps = 0

  var rules = PhotoRules()
  var versions = ReaderVersions.current
  var settings = SyncSettings()
  var countsInodes: Bool?
  var decoder: any Decoder = InProcessDecoder()

  /// Puts the files on disk. By the library's clock all of them are an hour old.
  init(
    _ files: KeyValuePairs<String, [UInt8]> = [:], on parent: String = "/tmp",
    rules: PhotoRules = PhotoRules()
  ) throws {
    disk = try TemporaryDirectory(in: parent)
    // In memory: thousands of commits would wait for the disk.
    home = try TemporaryDirectory(in: "/dev/shm")
    index = try PhotoIndex(path: home.path + "/0", catalog: nil, now: clock.now)
    shell = try Connection(path: home.path + "/0", .readWrite)
    self.rules = rules
    settings.settle = .milliseconds(30)
    for (name, bytes) in files { try write(name, bytes) }
  }

  /// Looks into the index as another process would.
  func reader() throws -> IndexReader { try IndexReader(path: "\(home.path)/\(generation)") }

  /// A second index, made from nothing, of the photos of another library.
  init(freshlyIndexing other: FixtureLibrary) throws {
    disk = other.disk
    home = try TemporaryDirectory(in: "/dev/shm")
    index = try PhotoIndex(path: home.path + "/0", catalog: nil, now: clock.now)
    shell = try Connection(path: home.path + "/0", .readWrite)
    (rules, versions, settings) = (other.rules, other.versions, other.settings)
    countsInodes = other.countsInodes
  }

  /// Writes a file in place. Each gets a modification time that no other has, as on real disks.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try disk.write(name, bytes)
    try touch(name)
  }

  func touch(_ name: String) throws {
    try disk.touch(name, modified: nextStamp())
  }

  private func nextStamp() -> Int {
    stamps += 1
    return 1_720_000_000 + stamps
  }

  /// Writes beside the file, then renames, as editors do.
  func replace(_ name: String, _ bytes: [UInt8]) throws {
    try write("new.tmp", bytes)
    try disk.move("new.tmp", to: name)
  }

  private func root() async throws -> SyncRoot {
    let declaration = RootDeclaration(name: "photos", path: Array(disk.path.utf8), owner: nil)
    let row = try await index.attach(declaration)
    return SyncRoot(
      id: row?.id ?? 0, name: "photos", path: Array(disk.path.utf8), rules: rules,
      countsInodes: countsInodes)
  }

  @discardableResult
  func sync(
    _ scope: String = "", report: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) async throws -> SyncSummary {
    try await pass([SyncScope(RelativePath(scope))], report)()
  }

  /// Syncs parts of it, as events do.
  @discardableResult
  func sync(parts: [SyncScope]) async throws -> SyncSummary {
    try await pass(parts) { _ in }()
  }

  /// Syncs, but cancels the pass when it has reported so many things.
  func sync(cutAfter count: Int) async throws {
    let left = Mutex(count)
    let pass = try await pass([SyncScope(.root)]) { _ in
      let isEnough = left.withLock { left in
        left -= 1
        return left <= 0
      }
      if isEnough { withUnsafeCurrentTask { $0?.cancel() } }
    }
    _ = try await Task { try await pass() }.value
  }

  private func pass(
    _ scopes: [SyncScope], _ report: @escaping @Sendable (SyncEvent) -> Void
  ) async throws -> @Sendable () async throws -> SyncSummary {
    let (root, index) = (try await root(), index)
    let (settings, versions, clock, decoder) = (settings, versions, clock, decoder)
    return {
      var pass = SyncPass(
        root: root, scopes: scopes, index: index, decoder: decoder, places: nil,
        settings: settings, versions: versions, clock: clock.now, report: report)
      return try await pass.run(kind: "test")
    }
  }

  /// The paths of the view `photos`, below the root, with their ids.
  func photos() throws -> [String: Int64] {
    var photos: [String: Int64] = [:]
    try shell.query("SELECT path, id FROM photos") { row in
      photos[String((row.text(0) ?? "").dropFirst(disk.path.count + 1))] = row.integer(1)
    }
    return photos
  }

  func paths() throws -> [String] { try photos().keys.sorted() }

  func id(_ path: String) throws -> Int64? { try photos()[path] }

  /// present, missing or excluded, of every row, by id.
  func states() throws -> [Int64: String] {
    var states: [Int64: String] = [:]
    try shell.query("SELECT id, state FROM photos_all") { states[$0.integer(0)] = $0.text(1) }
    return states
  }

  /// One column of the row that the view `photos` shows for a path; nil for NULL.
  func value(_ column: String, of path: String) throws -> String? {
    try shell.text(
      "SELECT \(column) FROM photos WHERE path = ?", [.text(disk.path + "/" + path)])
  }

  /// The rows as the `sqlite3` shell shows them.
  func query(_ sql: String, _ values: [Value] = []) throws -> [String] {
    try shell.rows(sql, values)
  }

  /// What the user writes by hand.
  func write(byHand sql: String) throws {
    shell.wait(forLocks: 5000)
    try shell.execute(sql)
  }

  /// A point in the feed.
  func feedEnd() throws -> Int64 { try shell.integer("SELECT max(seq) FROM change") ?? 0 }

  /// What the feed tells of photos after that point: `move 3 path`.
  func feed(after end: Int64 = 0) throws -> [String] {
    let sql = """
      SELECT kind || ' ' || row_id || coalesce(' ' || fields, '') FROM change
      WHERE seq > ? AND subject = 'photo' ORDER BY seq
      """
    return try query(sql, [.integer(end)])
  }

  /// A directory's change token; nil: look again.
  func changeToken(_ directory: String = "") throws -> String? {
    try token("change_token", directory)
  }

  /// A directory's content token; nil: a hash is missing.
  func contentToken(_ directory: String = "") throws -> String? {
    try token("content_token", directory)
  }

  private func token(_ column: String, _ directory: String) throws -> String? {
    try shell.text(
      "SELECT CASE WHEN \(column) IS NOT NULL THEN hex(\(column)) END FROM sync_state "
        + "WHERE directory = ?", [.text(directory)])
  }

  func tokens() throws -> [String] { try shell.tokens() }

  private var generation = 0

  /// At the `count`th look at the clock from now on, remembers what a kill at that instant would
  /// leave of the index. Returns whether that instant has come, and goes on from there if so.
  func crash(atLook count: Int, during body: () async throws -> Void) async throws -> Bool {
    let (old, new) = ("\(home.path)/\(generation)", "\(home.path)/\(generation + 1)")
    clock.interrupt(atLook: count) {
      // Not by a read of our own: closing the file would drop SQLite's locks on it (fcntl(2)).
      try? run(["/bin/cp", old, new])
      try? run(["/bin/cp", old + "-wal", new + "-wal"])
    }
    try await body()
    guard clock.wasInterrupted() else { return false }
    generation += 1
    index = try PhotoIndex(path: new, catalog: nil, now: clock.now)
    shell = try Connection(path: new, .readWrite)
    return true
  }
}
