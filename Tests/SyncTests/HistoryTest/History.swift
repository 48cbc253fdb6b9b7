import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport

/// A library to which things happen, and what must be true of its index in the end.
struct History {
  let library: FixtureLibrary
  private let seed: UInt64
  var generator: SeededGenerator
  private var consumer = FeedConsumer()
  private var follower = FollowingCopy()
  var written = 0
  var links = 0
  var deeds: [String] = []
  private var faults: [String] = []
  /// The photos on disk, by path.
  var files: [String: File] = [:]

  struct File {
    /// The user marked it, and its row has been found again by each pass since.
    var isMarked = false
    /// The bytes or stamps are not those that the last whole pass saw.
    var isChanged = true
    /// Where it was at the last whole pass; nil if it came since.
    var home: String?
    /// A pass that did not look at its home has seen it elsewhere.
    var isStrange = false
    /// It moved with its directory, and in no other way.
    var isTreeMoved = false
  }

  /// What was at the last whole pass.
  var homes: Set<String> = []
  /// Those of them that another file has taken since.
  var contested: Set<String> = []
  /// The directories to which something happened since, other than a rename.
  var touched: Set<String> = []

  /// What is wrong in the end, or first was on the way; nil when nothing is.
  static func failure(seed: UInt64, steps: [Int]) async throws -> String? {
    var history = try History(seed: seed)
    for number in steps where history.faults.isEmpty { try await history.step(number) }
    if history.faults.isEmpty { try await history.finish() }
    guard let fault = history.faults.first else { return nil }
    return "\(fault) after \(history.deeds)"
  }

  private init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    library = try FixtureLibrary()
    if seed % 4 == 1 { library.rules = PhotoRules(links: .followed) }
    if seed % 4 == 2 { library.countsInodes = false }
    if seed % 8 == 3 {
      library.clock.set(ahead: .zero)
      library.settings.settle = .milliseconds(10)
    }
  }

  /// Lets something happen to the disk, or a pass look at it.
  private mutating func step(_ number: Int) async throws {
    generator = SeededGenerator(seed: seed, step: number)
    if Int.random(in: 0..<9, using: &generator) < 2 { try await pass() } else { try change() }
  }

  mutating func change() throws {
    switch Int.random(in: 0..<19, using: &generator) {
    case 0...4: try create()
    case 5: try rewrite()
    case 6: try touch()
    case 7: try changeMode()
    case 8: try rename()
    case 9: try swap()
    case 10: try renameTree()
    case 11: remove()
    case 12: try link()
    case 13...15: try changeSidecar()
    case 16: try createPair()
    case 17: try createLivePhoto()
    default: try copy()
    }
  }

  private mutating func expect<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
  ) {
    guard found != expected else { return }
    faults.append("\(what()): found \(found), not \(expected)")
  }

  private mutating func expect(_ found: [String], _ expected: [String], _ what: String) {
    guard found != expected else { return }
    let (ours, theirs) = (Set(found), Set(expected))
    faults.append(
      "\(what): only here: \(found.filter { !theirs.contains($0) }), "
        + "missing: \(expected.filter { !ours.contains($0) })")
  }

  /// A whole pass, or one that is cancelled, killed, or only over a part. The user marks a photo
  /// after each whole one.
  private mutating func pass() async throws {
    forgetMarks()
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      let count = Int.random(in: 1...20, using: &generator)
      deeds.append("pass cut after \(count)")
      do { try await library.sync(cutAfter: count) } catch is CancellationError {}
    case 1, 2:
      let look = Int.random(in: 1...120, using: &generator)
      let library = library
      deeds.append("crash at look \(look)")
      _ = try await library.crash(atLook: look) { try await library.sync() }
    case 3:
      let scope = files.keys.compactMap { parent(of: $0) }.sorted()
        .randomElement(using: &generator)
      if let scope {
        deeds.append("pass over \(scope)")
        try await library.sync(scope)
        for (path, file) in files where file.home != path { files[path]?.isStrange = true }
        forgetMarks()
      }
    default:
      try await wholePass()
      try mark()
    }
    try follow()
  }

  private mutating func follow() throws {
    faults += try consumer.read(library)
    faults += try follower.follow(library.reader())
  }

  private mutating func wholePass() async throws {
    deeds.append("whole pass")
    forgetMarks()
    try await library.sync()
    for (path, file) in files {
      files[path] = File(isMarked: file.isMarked, isChanged: false, home: path)
    }
    homes = Set(files.keys)
    contested = []
    touched = []
  }

  /// Of files that nobody can tell any more from others that are new.
  private mutating func forgetMarks() {
    for (path, file) in files where file.home != path {
      // Another file is where the row would be looked for.
      let isLost = file.home.map { contested.contains($0) } ?? true || homes.contains(path)
      if file.isStrange && isLost { files[path]?.isMarked = false }
      // Without inodes, a directory is known by all that it holds.
      if library.countsInodes == false,
        file.isStrange || !file.isTreeMoved || touched.contains(parent(of: path) ?? "")
      {
        files[path]?.isMarked = false
      }
    }
  }

  /// Something came to this path, went from it, or happened there.
  mutating func touchFolder(of path: String) {
    touched.insert(parent(of: path) ?? "")
    if homes.contains(path) { contested.insert(path) }
  }

  /// One undisturbed pass, and then all must be as the law says.
  private mutating func finish() async throws {
    try await wholePass()
    try follow()
    let fresh = try FixtureLibrary(freshlyIndexing: library)
    try await fresh.sync()
    expect(try library.shell.contents(), try fresh.shell.contents(), "rows")
    expect(try library.tokens(), try fresh.tokens(), "tokens")
    expect(try library.shell.besides(), try fresh.shell.besides(), "what stands beside")
    expect(consumer.present.sorted(), try library.photos().values.sorted(), "ids by the feed")
    try expectMarks()
    expect(try library.shell.faults(), [], "faults")
    let again = try await library.sync()
    expect([again.photoRowsRead, again.filesRead], [0, 0], "rows and files read by a second pass")
  }

  private mutating func expectMarks() throws {
    // Links that are followed are names of their files, and can take over their rows.
    guard library.rules.links == .refused else { return }
    for path in files.filter({ $0.value.isMarked }).keys.sorted() {
      expect(try library.value("is_favorite", of: path), "1", "favourite \(path)")
      let id = try library.id(path) ?? 0
      let albums = try library.query("SELECT album_id FROM album_photo WHERE photo_id = \(id)")
      expect(albums, ["0", "1"], "albums of \(path)")
    }
  }

  mutating func somePath() -> String? {
    files.keys.sorted().randomElement(using: &generator)
  }

  mutating func newPath() -> String {
    let directory = ["", "x/", "x/y/", "z/", "x z/", "x!/"].randomElement(using: &generator) ?? ""
    return directory + "\(Int.random(in: 0..<12, using: &generator)).jpg"
  }
}
