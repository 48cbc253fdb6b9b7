import Decoding
import IndexStore
import Library
import Linux
import Model
import SQLite
import Sync
import TestSupport

/// The real side of the model test: a root on disk, its index, and the passes over it, some in this
/// process and some by the program that people run.
final class ModelledLibrary {
  /// The root is the directory `photos` in it.
  let disk: TemporaryDirectory
  let home: TemporaryDirectory
  var countsInodes = true
  var fuse: RemovalFuse?
  var grace = 30
  /// How many calls the program made, the last time that it came to its end.
  private(set) var calls = 600

  init() throws {
    disk = try TemporaryDirectory()
    try disk.makeDirectory("photos")
    // In memory: hundreds of commits would wait for the disk.
    home = try TemporaryDirectory(in: "/dev/shm")
    for name in ["zones", "admin1", "korea", "units"] {
      try home.write("places/\(name).geojson", collection([]))
    }
  }

  private var database: String { home.path + "/index.sqlite" }
  private var rootPath: String { disk.path + "/photos" }

  var isIndexed: Bool { home.holds("index.sqlite") }

  func shell() throws -> Connection { try Connection(path: database, .readWrite) }
  func reader() throws -> IndexReader { try IndexReader(path: database) }

  /// Keeps a copy of the index as it is now, or puts it back.
  func backUp() throws { try copyIndex("index.sqlite", to: "backup.sqlite") }
  func restoreBackup() throws { try copyIndex("backup.sqlite", to: "index.sqlite") }

  private func copyIndex(_ old: String, to new: String) throws {
    for end in ["", "-wal", "-shm"] {
      home.remove(new + end)
      if end != "-shm", home.holds(old + end) {
        try home.write(new + end, try home.read(old + end))
      }
    }
  }

  // MARK: - In this process

  @discardableResult
  func sync(_ look: ReferenceLook) async throws -> SyncSummary {
    try await sync(look, at: database)
  }

  private func sync(_ look: ReferenceLook, at path: String) async throws -> SyncSummary {
    let clock: @Sendable () -> Timestamp = { Timestamp(seconds: Int64(look.now), nanoseconds: 0) }
    let index = try PhotoIndex(
      path: path, catalog: nil, retryPlan: RetryPlan(first: 1, most: 1), now: clock)
    // A person has looked at the disk that had many faults.
    for root in try await index.roots() { _ = try await index.resume(root.id) }
    let row = try await index.attach(
      RootDeclaration(name: "photos", path: Array(rootPath.utf8), owner: nil))
    var settings = SyncSettings()
    settings.settle = .milliseconds(20)
    settings.timeZone = "Asia/Seoul"
    settings.removalFuse = fuse
    settings.missingGrace = grace
    settings.confirmsRemovals = look.confirms
    let root = SyncRoot(
      id: row?.id ?? 0, name: "photos", path: Array(rootPath.utf8),
      rules: PhotoRules(exclude: [look.excluded].compactMap { $0.flatMap { Glob($0 + "/") } }),
      countsInodes: countsInodes)
    var pass = SyncPass(
      root: root, scopes: [SyncScope(RelativePath(look.scope))], index: index, places: nil,
      settings: settings, clock: clock, report: { _ in })
    return try await pass.run(kind: "test")
  }

  /// What another index, made from nothing, says.
  func fresh(_ look: ReferenceLook) async throws -> Connection {
    let path = home.path + "/fresh.sqlite"
    _ = try await sync(look, at: path)
    return try Connection(path: path, .readOnly)
  }

  // MARK: - By the program

  /// Runs the program to its end, or to that which `faults` has for it.
  func runProgram(
    _ look: ReferenceLook, _ faults: Faults, _ generator: inout SeededGenerator
  ) throws -> Int32 {
    try configure(look)
    let layer = try builtProgram("libfaults.so")
    let words =
      ["/bin/sh", "-c", #"exec "$@" 2>&1"#, "sh", "/usr/bin/env", "LD_PRELOAD=\(layer)"]
      + ["FAULTS_NOW=\(look.now)000000000", "FAULTS_COUNT=\(home.path)/calls"]
      + ["FAULTS_DATABASE=\(database)"]
      + (faults.cutsPower ? ["FAULTS_JOURNAL=\(home.path)/journal"] : []) + faults.variables
      + [try builtProgram(), "--config", "\(home.path)/config.json", "--rescan"]
    home.remove("calls")
    try forgetJournal()
    let status = try Child(words, output: home.path + "/output").wait()
    if status >= 0 {
      calls = try home.read("calls").reversed().reduce(0) { $0 << 8 | Int($1) }
    } else if faults.cutsPower {
      try cutPower(&generator)
    }
    return status
  }

  private func configure(_ look: ReferenceLook) throws {
    let limits = fuse.map { #"{"share": \#($0.share), "count": \#($0.count)}"# } ?? #""off""#
    let excluded = look.excluded.map { #""\#($0)/""# } ?? ""
    try home.write(
      "config.json",
      """
      {
        "database": "\(database)", "resources": "\(home.path)", "settle": "20ms",
        "time_zone": "Asia/Seoul", "removal_fuse": \(limits), "missing_grace": "\(grace)d",
        "retry": {"first": "1s", "most": "1s"},
        "roots": [{
          "name": "photos", "path": "\(rootPath)", "inode": \(countsInodes),
          "exclude": [\(excluded)]
        }]
      }
      """)
  }

  private func cutPower(_ generator: inout SeededGenerator) throws {
    guard home.holds("journal") else { return }
    try UnsyncedWrites(journal: try home.read("journal"))
      .lose(in: home, "index.sqlite", journal: "journal", &generator)
    try forgetJournal()
  }

  private func forgetJournal() throws {
    for name in try home.names() where name.hasPrefix("journal") { home.remove(name) }
  }
}
