import IndexStore
import Library
import Linux
import Model
import Places
import SQLite
import Sync
import TestSupport
import Testing

/// Photos on disk in a made-up world, and the index of them. Each sync is one of a new process.
final class PlacedLibrary {
  let world: World
  let disk: TemporaryDirectory
  private let home: TemporaryDirectory
  private let clock = TestClock()
  private var stamps = 0
  let shell: Connection

  var settings = SyncSettings()
  var languages = ["en"]
  /// Files beside those of the world.
  var own: [String] = []
  var roots = ["photos"]

  init() throws {
    world = try World()
    disk = try TemporaryDirectory()
    home = try TemporaryDirectory(in: "/dev/shm")
    settings.settle = .milliseconds(30)
    _ = try PhotoIndex(path: home.path + "/index", catalog: nil, now: clock.now)
    shell = try Connection(path: home.path + "/index", .readWrite)
    shell.wait(forLocks: 5000)
  }

  /// A photo that was taken at that time of 1 May 2024, in UTC.
  func write(
    _ name: String, _ time: String = "12:00:00", at place: (Double, Double)? = nil,
    by model: String? = "Phone", offset: String? = "+00:00"
  ) throws {
    var fixture = JPEGFixture.photo(
      make: model == nil ? nil : "Maker", model: model, taken: "2024:05:01 " + time,
      offset: offset, latitude: place?.0, longitude: place?.1)
    stamps += 1
    fixture.shade = UInt8(stamps % 250 + 1)
    try disk.write(name, fixture.bytes)
    try disk.touch(name, modified: 1_720_000_000 + stamps)
  }

  func atlas() throws -> Atlas {
    try Atlas.open(
      resources: world.sources.path, own: own.map { world.sources.path + "/" + $0 },
      cache: world.cache.path)
  }

  func open(_ atlas: Atlas) throws -> PhotoIndex {
    try PhotoIndex(
      path: home.path + "/index", catalog: AtlasCatalog(atlas, languages: languages),
      now: clock.now)
  }

  @discardableResult
  func sync() async throws -> SyncSummary {
    let atlas = try atlas()
    let index = try open(atlas)
    try await relabel(
      index, atlas, languages: languages, namesTellDates: false, report: { _ in })
    var summary: SyncSummary?
    for name in roots {
      let path = name == "photos" ? disk.path("") : disk.path(name)
      let declared = RootDeclaration(name: name, path: path, owner: nil)
      let row = try await index.attach(declared)
      let root = SyncRoot(id: row?.id ?? 0, name: name, path: path, rules: PhotoRules())
      var pass = SyncPass(
        root: root, index: index, places: atlas, settings: settings, clock: clock.now,
        report: { _ in })
      summary = try await pass.run(kind: "test")
    }
    return try #require(summary)
  }

  func query(_ sql: String) throws -> [String] { try shell.rows(sql) }

  func id(_ path: String) throws -> String {
    try query("SELECT id FROM photo WHERE path = '\(path)'")[0]
  }

  func feedEnd() throws -> Int64 { try shell.integer("SELECT max(seq) FROM change") ?? 0 }

  /// What the feed tells after that point: `photo update 3 place_id`.
  func feed(after end: Int64) throws -> [String] {
    try shell.rows(
      """
      SELECT subject || ' ' || kind || ' ' || row_id || coalesce(' ' || fields, '') FROM change
      WHERE seq > ? ORDER BY seq
      """, [.integer(end)])
  }
}
