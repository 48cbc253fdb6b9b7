import Linux
import Service
import TestSupport
import Testing
import Watch

/// The law of DESIGN §6.10 with the service running: whatever happened, when it rests the index is
/// the one that would be made from nothing.
@Suite(.serialized) struct ServedHistoryTests {
  @Test(arguments: seeds)
  func `when the service rests, its index is as a fresh one`(seed: UInt64) async throws {
    let all = Array(0..<60)
    guard let failure = try await ServedHistory.failure(seed: seed, steps: all) else { return }
    // As far as chance lets it: each try has its own timing.
    let shortest = try await shrunk(all, failure) {
      try await ServedHistory.failure(seed: seed, steps: $0)
    }
    Issue.record("seed \(seed), steps \(shortest.steps): \(shortest.failure)")
  }
}

/// SERVED_HISTORIES asks for more than scripts/test has time for, and SERVED_HISTORIES_FROM for others.
private let seeds: Range<UInt64> = {
  let first = environment("SERVED_HISTORIES_FROM").flatMap(UInt64.init) ?? 0
  return first..<(first + (environment("SERVED_HISTORIES").flatMap(UInt64.init) ?? 30))
}()

/// Things that happen to a library while it is watched.
private struct ServedHistory {
  private let library: ServedLibrary
  private let seed: UInt64
  private var generator: SeededGenerator
  private var files: Set<String> = []
  private var written = 0
  private let losesEvents: Bool
  private var deeds: [String] = []

  /// What is wrong in the end; nil when nothing is.
  static func failure(seed: UInt64, steps: [Int]) async throws -> String? {
    // A third with too few watches, a third with events that get lost.
    let library = try await ServedLibrary(budget: seed % 3 == 1 ? 10 : 10_000)
    var history = ServedHistory(library, seed: seed)
    for _ in 0..<8 { try await history.create() }
    try await library.start()
    do {
      for number in steps { try await history.step(number) }
      try await library.rest()
    } catch {
      await library.stop()
      return "\(error) after \(history.deeds)"
    }
    let difference = try await library.difference()
    await library.stop()
    return difference.map { "\($0) after \(history.deeds)" }
  }

  private init(_ library: ServedLibrary, seed: UInt64) {
    self.library = library
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    losesEvents = seed % 3 == 2
  }

  private mutating func step(_ number: Int) async throws {
    generator = SeededGenerator(seed: seed, step: number)
    switch Int.random(in: 0..<16, using: &generator) {
    case 0...3: try await create()
    case 4: try await burst()
    case 5: try rename()
    case 6: try swap()
    case 7, 8: try moveTree()
    case 9: removeFile()
    case 10: removeTree()
    case 11: try changeMode()
    case 12: try touch()
    case 13: try replace()
    case 14: try link()
    default: break
    }
    if losesEvents, Int.random(in: 0..<6, using: &generator) == 0 {
      deeds.append("events lost")
      for watcher in try library.service.watchers { watcher.loseEvents() }
    }
    if Bool.random(using: &generator) {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...40, using: &generator)))
    }
  }

  private mutating func somePath() -> String? { files.sorted().randomElement(using: &generator) }

  /// A link is no file to be written to: what it leads to may lie nowhere.
  private mutating func newFile() -> String {
    let path = newPath()
    if !files.contains(path) { library.disk.remove(path) }
    files.insert(path)
    return path
  }

  private mutating func newPath() -> String {
    let folders = ["", "x/", "x/y/", "x/y/z/", "w/", "w/v/", "a/b/c/d/", "x z/", "u/1/", "u/2/"]
    let folder = folders.randomElement(using: &generator) ?? ""
    return folder + "\(Int.random(in: 0..<9, using: &generator)).jpg"
  }

  mutating func create() async throws {
    let path = newFile()
    written += 1
    deeds.append("create \(path)")
    try library.disk.write(path, photo(written))
  }

  private mutating func burst() async throws {
    let path = newFile()
    written += 1
    deeds.append("burst \(path)")
    try library.disk.write(path, [])
    let appender = try FileAppender(library.disk.path + "/" + path)
    let bytes = photo(written)
    for start in stride(from: 0, to: bytes.count, by: 150) {
      appender.append(Array(bytes[start..<min(start + 150, bytes.count)]))
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &generator)))
    }
  }

  private mutating func rename() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard new != path else { return }
    deeds.append("rename \(path) \(new)")
    if let folder = folder(of: new) { try library.disk.makeDirectory(folder) }
    try library.disk.move(path, to: new)
    files.remove(path)
    files.insert(new)
  }

  private mutating func swap() throws {
    guard let first = somePath(), let second = somePath(), first != second else { return }
    deeds.append("swap \(first) \(second)")
    try library.disk.exchange(first, second)
  }

  private mutating func moveTree() throws {
    guard let path = somePath(), let old = folder(of: path) else { return }
    let target = ["tree", "w/tree", "x/tree"].randomElement(using: &generator) ?? "tree"
    let new = "\(target)\(Int.random(in: 0..<3, using: &generator))"
    guard !library.disk.holds(new), !(new + "/").hasPrefix(old + "/") else { return }
    deeds.append("move \(old) \(new)")
    if let folder = folder(of: new) { try library.disk.makeDirectory(folder) }
    try library.disk.move(old, to: new)
    for path in files where path.hasPrefix(old + "/") {
      files.remove(path)
      files.insert(new + path.dropFirst(old.count))
    }
  }

  private mutating func removeFile() {
    guard let path = somePath() else { return }
    deeds.append("remove \(path)")
    library.disk.remove(path)
    files.remove(path)
  }

  private mutating func removeTree() {
    guard let path = somePath(), let tree = folder(of: path) else { return }
    deeds.append("remove \(tree)")
    library.disk.remove(tree)
    files = files.filter { !$0.hasPrefix(tree + "/") }
  }

  private mutating func changeMode() throws {
    guard let path = somePath() else { return }
    deeds.append("chmod \(path)")
    try library.disk.setMode(path, Bool.random(using: &generator) ? 0o600 : 0o644)
  }

  private mutating func touch() throws {
    guard let path = somePath() else { return }
    deeds.append("touch \(path)")
    let stamp = 1_700_000_000 + Int.random(in: 0..<1000, using: &generator)
    try library.disk.touch(path, modified: stamp)
  }

  private mutating func replace() throws {
    guard let path = somePath() else { return }
    written += 1
    deeds.append("replace \(path)")
    try library.disk.write("new.tmp", photo(written))
    try library.disk.move("new.tmp", to: path)
  }

  private mutating func link() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard !library.disk.holds(new) else { return }
    deeds.append("link \(new)")
    if let folder = folder(of: new) { try library.disk.makeDirectory(folder) }
    try library.disk.link(new, to: path)
    // It is no photo; a file that takes its place is.
    written += 1
    try library.disk.write("new.tmp", photo(written))
    if Bool.random(using: &generator) {
      try library.disk.move("new.tmp", to: new)
      files.insert(new)
    }
  }
}

private func folder(of path: String) -> String? {
  path.lastIndex(of: "/").map { String(path[..<$0]) }
}
