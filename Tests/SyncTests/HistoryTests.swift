import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// The law of DESIGN §6.10, on random histories with passes in between, some of them cut short.
struct HistoryTests {
  /// `scripts/soak` sets the variables, for more of them and others.
  private static var seeds: Range<UInt64> {
    let first = environment("HISTORIES_FROM").flatMap { UInt64($0) } ?? 0
    let count = environment("HISTORIES").flatMap { UInt64($0) } ?? 60
    return first..<first + count
  }

  @Test(arguments: seeds)
  func `whatever happened, one pass makes the index that a fresh one would be`(seed: UInt64)
    async throws
  {
    let all = Array(0..<40)
    guard let failure = try await History.failure(seed: seed, steps: all) else { return }
    let shortest = try await shrunk(all, failure) {
      try await History.failure(seed: seed, steps: $0)
    }
    Issue.record("seed \(seed), steps \(shortest.steps): \(shortest.failure)")
  }
}

/// A library to which things happen, and what must be true of its index in the end.
struct History {
  private let library: FixtureLibrary
  private let seed: UInt64
  private var generator: SeededGenerator
  private var consumer = FeedConsumer()
  private var follower = FollowingCopy()
  private var written = 0
  private var links = 0
  private var deeds: [String] = []
  private var faults: [String] = []
  /// The photos on disk, by path.
  private var files: [String: File] = [:]

  private struct File {
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
  private var homes: Set<String> = []
  /// Those of them that another file has taken since.
  private var contested: Set<String> = []
  /// The directories to which something happened since, other than a rename.
  private var touched: Set<String> = []

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

  private mutating func change() throws {
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
      let scope = files.keys.compactMap { folder(of: $0) }.sorted()
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
        file.isStrange || !file.isTreeMoved || touched.contains(folder(of: path) ?? "")
      {
        files[path]?.isMarked = false
      }
    }
  }

  /// Something came to this path, went from it, or happened there.
  private mutating func touchFolder(of path: String) {
    touched.insert(folder(of: path) ?? "")
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

  private mutating func somePath() -> String? {
    files.keys.sorted().randomElement(using: &generator)
  }

  private mutating func newPath() -> String {
    let directory = ["", "x/", "x/y/", "z/", "x z/", "x!/"].randomElement(using: &generator) ?? ""
    return directory + "\(Int.random(in: 0..<12, using: &generator)).jpg"
  }

  /// Writes one of a photo's sidecars, or removes it.
  private mutating func changeSidecar() throws {
    guard let path = somePath() else { return }
    let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    let names = [path + ".xmp", stem + ".xmp", stem + "_01.jpg.xmp", path + ".json"]
    let name = names.randomElement(using: &generator) ?? ""
    deeds.append("sidecar \(name)")
    written += 1
    if library.disk.holds(name), Bool.random(using: &generator) {
      library.disk.remove(name)
    } else if name.hasSuffix(".json") {
      try library.write(
        name, takeoutFile(taken: 1_500_000_000 + written, latitude: 1, description: "\(written)"))
    } else if written % 5 == 0 {
      try library.write(name, [0x3c])
    } else {
      let time = "2023-05-01T13:\(twoDigits(written / 60 % 60)):\(twoDigits(written % 60))"
      try library.write(
        name,
        xmpSidecar(
          attributes: "xmp:Rating=\"\(written % 6)\"",
          written % 2 == 0 ? "<exif:DateTimeOriginal>\(time)</exif:DateTimeOriginal>" : "",
          xmpList("dc:subject", ["\(written % 7)"])))
    }
  }

  /// A raw of a new picture, or not quite.
  private mutating func createPair() throws {
    written += 1
    let path = newPath()
    try overwrite(path)
    let time = written + Int.random(in: 0..<4, using: &generator) / 3
    let raw = TIFFFixture.raw(
      taken: "2024:05:01 13:\(twoDigits(time / 60)):\(twoDigits(time % 60))")
    try overwrite(path.dropLast(3) + "dng", raw.bytes + [UInt8(written % 250)])
  }

  /// Its picture and its film need not be in one directory, and others have the same identifier.
  private mutating func createLivePhoto() throws {
    written += 1
    let identifier = "shot \(Int.random(in: 0..<4, using: &generator))"
    let path = newPath()
    try overwrite(path, livePicture(identifier, number: written).bytes)
    let other = Bool.random(using: &generator) ? path : newPath()
    var film = MovieFixture.live(identifier: identifier, taken: "2024-05-02T13:00:00+0900")
    film.created = 3_797_000_000 + written
    film.data = Array(repeating: UInt8(written % 250), count: 300)
    try overwrite(other.dropLast(3) + "mov", film.bytes)
  }

  private mutating func create() throws {
    written += 1
    try overwrite(newPath())
  }

  /// All hard links of the file have the new bytes then.
  private mutating func overwrite(_ path: some StringProtocol, _ bytes: [UInt8]? = nil) throws {
    let path = String(path)
    deeds.append("write \(path)")
    if library.disk.holds(path) {
      for path in files.keys { files[path]?.isMarked = false }
    }
    try library.write(path, bytes ?? photo(written))
    touchFolder(of: path)
    files[path] = File()
  }

  private mutating func rewrite() throws {
    guard let path = somePath() else { return }
    written += 1
    if Bool.random(using: &generator) { return try overwrite(path) }
    deeds.append("replace \(path)")
    try library.replace(path, photo(written))
    touchFolder(of: path)
    files[path] = File()
  }

  private mutating func touch() throws {
    guard let path = somePath() else { return }
    deeds.append("touch \(path)")
    try library.touch(path)
    // What has changed places with another, and then another time, is known by nothing any more.
    if let home = files[path]?.home, home != path, files[home] != nil {
      files[path]?.isMarked = false
    }
    for path in files.keys {
      files[path]?.isChanged = true
      touched.insert(folder(of: path) ?? "")
    }
  }

  private mutating func changeMode() throws {
    guard let path = somePath() else { return }
    deeds.append("chmod \(path)")
    try library.disk.setMode(path, Bool.random(using: &generator) ? 0o600 : 0o644)
  }

  /// Over another file, perhaps.
  private mutating func rename() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard new != path else { return }
    deeds.append("rename \(path) \(new)")
    try library.disk.makeDirectory(folder(of: new) ?? "")
    try forgetMarkOfLink(path)
    try library.disk.move(path, to: new)
    // Of two names of one file, rename(2) leaves both.
    if library.disk.holds(path) { return }
    touched.insert(folder(of: path) ?? "")
    touchFolder(of: new)
    files[new] = moved(files.removeValue(forKey: path))
  }

  private mutating func swap() throws {
    guard let first = somePath(), let second = somePath(), first != second else { return }
    deeds.append("swap \(first) \(second)")
    try forgetMarkOfLink(first)
    try forgetMarkOfLink(second)
    try library.disk.exchange(first, second)
    touchFolder(of: first)
    touchFolder(of: second)
    let (one, other) = (moved(files[first]), moved(files[second]))
    (files[first], files[second]) = (other, one)
  }

  /// Which of a file's names became which, nobody can tell.
  private mutating func forgetMarkOfLink(_ path: String) throws {
    if try library.disk.linkCount(of: path) > 1 { files[path]?.isMarked = false }
  }

  private mutating func renameTree() throws {
    guard let path = somePath(), let old = folder(of: path) else { return }
    let new = "tree\(Int.random(in: 0..<3, using: &generator))"
    guard !library.disk.holds(new) else { return }
    deeds.append("rename \(old) \(new)")
    let isLinked = try files.keys.contains { try library.disk.linkCount(of: $0) > 1 }
    // What is left of a tree of that name in the index is in the way.
    let isNew = !isLinked && !homes.contains { $0.hasPrefix(new + "/") }
    try library.disk.move(old, to: new)
    for directory in touched where (directory + "/").hasPrefix(old + "/") {
      touched.insert(new + directory.dropFirst(old.count))
    }
    for path in files.keys where path.hasPrefix(old + "/") {
      let place = new + path.dropFirst(old.count)
      if homes.contains(place) { contested.insert(place) }
      files[place] = moved(files.removeValue(forKey: path), withTree: isNew)
    }
  }

  /// A file that changed and moved between two looks can only be a new photo; and without inodes,
  /// one of several with the same bytes, unless its whole directory is there again.
  private func moved(_ file: File?, withTree: Bool = false) -> File {
    var file = file ?? File()
    let isTreeMoved = withTree && (file.home.map { files[$0] == nil } ?? false)
    if file.isChanged { file.isMarked = false }
    if library.countsInodes == false && !isTreeMoved { file.isMarked = false }
    file.isTreeMoved = isTreeMoved
    return file
  }

  private mutating func remove() {
    guard let path = somePath() else { return }
    if Int.random(in: 0..<4, using: &generator) == 0, let tree = folder(of: path) {
      deeds.append("remove \(tree)")
      library.disk.remove(tree)
      for path in files.keys where path.hasPrefix(tree + "/") {
        touched.insert(folder(of: path) ?? "")
      }
      files = files.filter { !$0.key.hasPrefix(tree + "/") }
    } else {
      deeds.append("remove \(path)")
      library.disk.remove(path)
      touched.insert(folder(of: path) ?? "")
      files[path] = nil
    }
  }

  private mutating func link() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard files[new] == nil, !library.disk.holds(new) else { return }
    try library.disk.makeDirectory(folder(of: new) ?? "")
    if Bool.random(using: &generator) {
      deeds.append("hard link \(new) \(path)")
      try library.disk.hardLink(new, to: path)
      touchFolder(of: new)
      files[new] = File(isChanged: files[path]?.isChanged ?? true)
    } else {
      links += 1
      deeds.append("link link\(links).jpg \(path)")
      try library.disk.link("link\(links).jpg", to: path)
    }
  }

  private mutating func copy() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard files[new] == nil, !library.disk.holds(new) else { return }
    deeds.append("copy \(path) \(new)")
    try library.write(new, try library.disk.read(path))
    touchFolder(of: new)
    files[new] = File()
  }

  private mutating func mark() throws {
    guard let path = somePath(), let id = try library.id(path) else { return }
    deeds.append("mark \(path)")
    try library.write(
      byHand: """
        UPDATE photo SET is_favorite = 1 WHERE id = \(id);
        INSERT OR IGNORE INTO album (id, name) VALUES (1, 'best');
        INSERT OR IGNORE INTO album_photo (album_id, photo_id) VALUES (1, \(id));
        """)
    files[path]?.isMarked = true
  }
}

/// nil: it lies in the root itself.
private func folder(of path: String) -> String? {
  path.lastIndex(of: "/").map { String(path[..<$0]) }
}

/// Keeps a copy of the ids by the feed alone, as a program that follows the index does.
private struct FeedConsumer {
  var present: Set<Int64> = []
  private var last: Int64 = 0

  /// Returns what cannot be true.
  mutating func read(_ library: FixtureLibrary) throws -> [String] {
    var faults: [String] = []
    let changes = try library.query(
      """
      SELECT seq, row_id, kind FROM change WHERE seq > \(last) AND subject = 'photo' ORDER BY seq
      """)
    for change in changes {
      let fields = change.split(separator: "|")
      guard let seq = Int64(fields[0]), let id = Int64(fields[1]) else { continue }
      last = seq
      switch fields[2] {
      case "insert", "restore":
        if !present.insert(id).inserted { faults.append("\(change): it was there already") }
      case "delete":
        if present.remove(id) == nil { faults.append("\(change): it was not there") }
      default: if !present.contains(id) { faults.append("\(change): it was not there") }
      }
    }
    return faults
  }
}
