import Model
import SQLite
import Sync
import TestSupport

/// A library to which things happen, its index, and the model of both.
struct ModelHistory {
  let library: ModelledLibrary
  let seed: UInt64
  var generator: SeededGenerator
  var disk = ReferenceDisk()
  var index = ReferenceIndex()
  var follower = FollowingCopy()
  var deeds: [String] = []
  var faults: [String] = []
  /// What the user calls the cameras.
  var cameraNames: [Int: String] = [:]
  private var taken = 0
  private var now: Int
  private var excluded: String?
  /// What the index and the model were when somebody made a copy of the index.
  private var backup: (index: ReferenceIndex, cameraNames: [Int: String])?
  private var isClean = false

  /// What is wrong in the end, or first was on the way; nil when nothing is.
  static func failure(seed: UInt64, steps: [Int]) async throws -> String? {
    var history = try ModelHistory(seed: seed)
    do {
      for number in steps where history.faults.isEmpty { try await history.step(number) }
      if history.faults.isEmpty { try await history.finish() }
    } catch {
      history.faults.append("\(error)")
    }
    guard let fault = history.faults.first else { return nil }
    return "\(fault) after \(history.deeds)"
  }

  private enum Kind: UInt64 { case plain, inodeless, fused, ruled, graced, killed }

  private var kind: Kind { Kind(rawValue: seed % 6) ?? .plain }

  private init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    library = try ModelledLibrary()
    // All that is on disk has been there for an hour.
    now = Int(try library.disk.stamp(of: "photos").changed.seconds) + 3600
    if kind == .inodeless {
      index.countsInodes = false
      library.countsInodes = false
    }
    if kind == .fused {
      index.fuse = (share: seed % 12 < 6 ? 0.4 : 0, count: 2)
      library.fuse = index.fuse.map { RemovalFuse(share: $0.share, count: $0.count) }
    }
    if kind == .graced {
      index.grace = 2
      library.grace = 2
    }
  }

  private mutating func step(_ number: Int) async throws {
    generator = SeededGenerator(seed: seed, step: number)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...12:
      isClean = false
      try changeSomething()
    case 13, 14: try say()
    default: try await lookSomehow()
    }
  }

  private mutating func changeSomething() throws {
    try change()
    try see()
  }

  private mutating func see() throws {
    let real = library.disk
    try disk.see { path in
      let seen = try real.stamp(of: "photos/" + path)
      return (seen.inode, seen.changed.nanoseconds)
    }
  }

  // MARK: - Passes

  private func chance(_ one: Int, in all: Int, _ generator: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }

  private mutating func lookSomehow() async throws {
    switch (Int.random(in: 0..<10, using: &generator), kind) {
    case (0...1, _), (2, .killed): try await runProgram()
    case (2, .fused): try await look("removals confirmed") { $0.confirms = true }
    case (2...5, .graced), (6, _):
      // Days go by; or the clock was wrong, and is put right.
      now += 86_400 * (kind == .graced ? Int.random(in: -1...3, using: &generator) : 1)
      try await look("another day, \(now / 86_400)")
    case (3...4, .ruled):
      excluded = excluded == nil ? ["x", "z"].randomElement(using: &generator) : nil
      try await look("excluded: \(excluded ?? "nothing")")
    case (7, _): try await unplug()
    case (9, _) where library.isIndexed: try await useBackup()
    case (8, _) where isClean && kind != .fused: try await lookAtPart()
    default: try await look("pass")
    }
  }

  private func nextLook() -> ReferenceLook { ReferenceLook(now: now, excluded: excluded) }

  /// An undisturbed pass, after which the index must say what the model says.
  private mutating func look(
    _ deed: String, _ change: (inout ReferenceLook) -> Void = { _ in }
  ) async throws {
    now += 10
    var look = nextLook()
    change(&look)
    deeds.append(deed)
    try await library.sync(look)
    index.pass(over: disk, look)
    try compare()
    isClean = look.scope.isEmpty
  }

  /// Something new in a directory, as after an event.
  private mutating func lookAtPart() async throws {
    guard let path = disk.paths.randomElement(using: &generator) else { return }
    if folder(of: path).isEmpty { return try await look("pass") }
    try changeSomething()
    let part = folder(of: path)
    guard disk.directories.contains(part), excluded.map({ !lies(part + "/", in: $0) }) ?? true
    else { return }
    try await look("pass over \(part)") { $0.scope = part }
  }

  private mutating func unplug() async throws {
    now += 10
    deeds.append("root away")
    var look = nextLook()
    look.isRootThere = false
    try library.disk.move("photos", to: "unplugged")
    try await library.sync(look)
    index.pass(over: disk, look)
    if library.isIndexed { try compare() }
    try library.disk.move("unplugged", to: "photos")
    try await self.look("root back")
  }

  /// Copies the index, or puts yesterday's copy back: what has happened since is news once more.
  private mutating func useBackup() async throws {
    guard let kept = backup else {
      try await look("pass, and a copy of the index")
      if faults.isEmpty { try library.backUp() }
      backup = (index, cameraNames)
      return
    }
    deeds.append("the copy put back")
    try library.restoreBackup()
    (index, cameraNames) = kept
    backup = nil
    try compare()
    if faults.isEmpty { try await look("pass") }
  }

  // MARK: - The program

  private mutating func runProgram() async throws {
    guard !isSanitized else { return try await look("pass") }
    now += 10
    let subdirectory = disk.directories.subtracting([""]).sorted()
      .randomElement(using: &generator)
    // What a pass that came to nothing has added is, for the next one, no share of what was there.
    // Where inodes do not count, what it has moved decides which of two copies a third one is.
    let isForeseeable =
      (index.fuse.map { $0.share == 0 } ?? true) && (index.countsInodes || !index.holdsCopies)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0...3 where isForeseeable: try await disturb(kill())
    case 4 where isForeseeable: try await disturb(writingFault())
    // A file that it cannot open may be another photo than before, which then counts as gone after
    // those that the fuse would have held together with it.
    case 5 where isForeseeable && index.countsInodes && index.fuse == nil:
      try await disturb(listingFault())
    // A photo that such a pass sees nowhere counts as gone, and a copy is told what was said of it.
    case 6 where isForeseeable && index.countsInodes && isClean && !index.holdsCopies:
      if let race = race() { try await disturb(race) }
    case 7:
      guard let subdirectory else { return }
      try runUndisturbed("cannot list \(subdirectory)", listing: subdirectory)
    case 8:
      guard let subdirectory else { return }
      try runUndisturbed("cannot open in \(subdirectory)", opening: subdirectory)
    default: try runUndisturbed("program")
    }
  }

  /// By the program, to its end; the model says what comes of it.
  private mutating func runUndisturbed(
    _ deed: String, listing: String? = nil, opening: String? = nil
  ) throws {
    deeds.append(deed)
    var (look, faults) = (nextLook(), Faults())
    (look.unlisted, look.unopened) = (listing, opening)
    faults.below = (listing ?? opening).map { library.disk.path + "/photos/" + $0 }
    faults.listing = listing == nil ? nil : .permission
    if let opening {
      // Many faults of a disk would hold the root.
      let isSmall = disk.paths.count { lies($0, in: opening) } < 10
      faults.opening = isSmall && Bool.random(using: &generator) ? .inputOutput : .permission
    }
    let status = try library.runProgram(look, faults, &generator)
    index.pass(over: disk, look)
    let expected: Int32 = index.state == "online" ? 0 : 69
    if status != expected { self.faults.append("exit status \(status), not \(expected)") }
    try compare()
    isClean = false
  }

  private mutating func someCall() -> Int {
    // The next run may take more of them.
    Int.random(in: 1...(library.calls * 3 / 2), using: &generator)
  }

  private mutating func kill() -> (String, Faults) {
    var faults = Faults(at: someCall(), isKill: true)
    faults.cutsPower = Bool.random(using: &generator)
    return ("\(faults.cutsPower ? "power cut" : "kill") at call \(faults.at)", faults)
  }

  private mutating func writingFault() -> (String, Faults) {
    var faults = Faults(at: someCall(), below: library.home.path)
    faults.writing = Bool.random(using: &generator) ? .noSpace : .inputOutput
    if Bool.random(using: &generator) { faults.times = 1 }
    return ("no writing from call \(faults.at) on, \(faults.times ?? 0) times", faults)
  }

  /// A directory or a file that cannot be looked at, or a root that goes under way.
  private mutating func listingFault() -> (String, Faults) {
    var faults = Faults(at: someCall(), below: library.disk.path + "/photos")
    if Bool.random(using: &generator) {
      (faults.listing, faults.opening) = (.stale, .notThere)
      return ("root lost at call \(faults.at)", faults)
    }
    faults.times = Int.random(in: 1...3, using: &generator)
    faults.listing = Bool.random(using: &generator) ? .permission : .inputOutput
    return ("no listing from call \(faults.at) on, \(faults.times ?? 0) times", faults)
  }

  /// Somebody renames a file that is known, while the program looks.
  private mutating func race() -> (String, Faults)? {
    guard let path = disk.paths.randomElement(using: &generator), !disk.isLinked(path) else {
      return nil
    }
    let new = newPath()
    guard disk.files[new] == nil, disk.directories.contains(folder(of: new)) else { return nil }
    let root = library.disk.path + "/photos/"
    var faults = Faults(at: someCall())
    faults.rename = (root + path, root + new)
    return ("rename \(path) \(new) at call \(faults.at)", faults)
  }

  /// By the program, which may come to nothing. A further pass must make all well.
  private mutating func disturb(_ disturbance: (deed: String, faults: Faults)) async throws {
    deeds.append(disturbance.deed)
    let status = try library.runProgram(nextLook(), disturbance.faults, &generator)
    deeds.append("status \(status)")
    if let (old, new) = disturbance.faults.rename {
      let start = library.disk.path.count + "/photos/".count
      if library.disk.holds("photos/" + new.dropFirst(start)) {
        disk.rename(String(old.dropFirst(start)), String(new.dropFirst(start)))
        try see()
      }
    }
    try expectUntouchedFiles()
    if faults.isEmpty { try await look("pass") }
  }

  // MARK: - The end

  private mutating func finish() async throws {
    // What was read before a file was emptied, a fresh index cannot know.
    for path in disk.paths where disk.files[path]?.content.isEmpty == true { remove(path) }
    try see()
    now += 86_400
    try await look("last pass")
    guard faults.isEmpty, index.state == "online" else { return }
    // A fresh index does not know what the user said.
    try library.shell().execute(
      "DELETE FROM photo_time; UPDATE device SET name = make || ' ' || model")
    now += 10
    try await library.sync(nextLook())
    let (known, fresh) = (try library.shell(), try await library.fresh(nextLook()))
    expect(try known.contents(), try fresh.contents(), "rows")
    expect(try known.besides(), try fresh.besides(), "what stands beside")
    expect(try known.tokens(), try fresh.tokens(), "tokens")
    let again = try await library.sync(nextLook())
    expect(
      [again.photoRowsRead, again.filesRead].map(String.init), ["0", "0"],
      "rows and files that a second pass reads")
  }

  mutating func expect(_ found: [String], _ expected: [String], _ what: String) {
    guard found != expected else { return }
    let (ours, theirs) = (Set(found), Set(expected))
    faults.append(
      "\(what): only here: \(found.filter { !theirs.contains($0) }), "
        + "missing: \(expected.filter { !ours.contains($0) })")
  }

  mutating func newContent() -> PhotoContent {
    taken += 1
    guard !chance(1, in: 20, &generator) else { return .empty }
    return PhotoContent(
      picture: taken, second: taken, camera: Int.random(in: 0..<2, using: &generator))
  }

  mutating func edited(_ content: PhotoContent) -> PhotoContent {
    guard !content.isEmpty else { return newContent() }
    var content = content
    taken += 1
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: content.note = taken % 100
    case 1: content.second = 10_000 + taken
    default: content.picture = taken
    }
    return content
  }

  mutating func newPath() -> String {
    let directory = ["", "x/", "x/y/", "z/"].randomElement(using: &generator) ?? ""
    return directory + "\(Int.random(in: 0..<6, using: &generator)).jpg"
  }
}
