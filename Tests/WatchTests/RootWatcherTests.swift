import Library
import Linux
import Model
import TestSupport
import Testing
import Watch

/// Real directories, and what the kernel tells of them.
struct RootWatcherTests {
  private let disk: TemporaryDirectory
  private let times = WatchTimes(quiet: .milliseconds(20), settle: .milliseconds(50))

  init() throws {
    disk = try TemporaryDirectory()
    try disk.makeDirectory("x/y/z")
    try disk.makeDirectory("w")
    try disk.makeDirectory(".hidden")
  }

  private func watcher(
    rules: PhotoRules = PhotoRules(), budget: WatchBudget = WatchBudget(most: 1000),
    indexDirectory: RelativePath? = nil
  ) throws -> RootWatcher {
    let watcher = try RootWatcher(
      rules: rules, times: times, budget: budget, indexDirectory: indexDirectory)
    try list(.root, watcher, rules)
    return watcher
  }

  /// Lists a tree as a pass does.
  private func list(
    _ path: RelativePath, _ watcher: RootWatcher, _ rules: PhotoRules = PhotoRules()
  ) throws {
    let tree = try RootTree(
      path: disk.path(""), rules: rules, attention: watcher, clock: wallClock)
    var waiting = [path]
    while let next = waiting.popLast() {
      waiting += try tree.list(next).subdirectories.map { next.appending($0) }
    }
  }

  /// What is to be looked at, once nothing more comes.
  private func looks(_ watcher: RootWatcher) throws -> [String: Look] {
    let deadline = ContinuousClock.now + .seconds(5)
    var looks: [String: Look] = [:]
    repeat {
      _ = try wait(for: [watcher.readiness], atMost: .milliseconds(60))
      for look in watcher.take() {
        var merged = look
        if let before = looks[look.path.description] {
          merged.isDeep = merged.isDeep || before.isDeep
          merged.complete.formUnion(before.complete)
        }
        looks[look.path.description] = merged
      }
    } while !watcher.isQuiet && ContinuousClock.now < deadline
    return looks
  }

  @Test func `all admitted directories are watched, and no other`() throws {
    let watcher = try watcher()
    // The root, w, x, x/y, x/y/z.
    #expect(watcher.coverage.watched == 5)
    #expect(watcher.coverage.unwatched == [])
    try disk.write(".hidden/a.jpg", "1")
    try disk.write("x/notes.txt", "1")
    try disk.write("x/a.jpg.part", "1")
    #expect(try looks(watcher).isEmpty)
  }

  @Test func `a copied file is complete when it has been closed`() throws {
    let watcher = try watcher()
    try disk.write("x/y/a.jpg", "1")
    let found = try looks(watcher)
    #expect(found.keys.sorted() == ["x/y"])
    #expect(found["x/y"]?.complete == [Array("a.jpg".utf8)[...]])
    #expect(found["x/y"]?.isDeep == false)
  }

  @Test func `temporary names come to nothing, and the final one counts`() throws {
    let watcher = try watcher()
    // As rsync, Syncthing and browsers name them.
    for name in [".a.jpg.X2mQzK", ".syncthing.a.jpg.tmp", "a.jpg.part"] {
      try disk.write("x/" + name, "1")
      #expect(try looks(watcher).isEmpty)
      try disk.move("x/" + name, to: "x/a.jpg")
      #expect(try looks(watcher)["x"]?.complete == [Array("a.jpg".utf8)[...]])
    }
  }

  @Test func `a new directory is looked at whole`() throws {
    let watcher = try watcher()
    try disk.write("w/a/b/c/1.jpg", "1")
    let found = try looks(watcher)
    #expect(found["w/a"]?.isDeep == true)
    try list(RelativePath("w/a"), watcher)
    #expect(watcher.coverage.watched == 8)
  }

  @Test func `a renamed directory has its events under its new name`() throws {
    let watcher = try watcher()
    try disk.move("x", to: "w/moved")
    let found = try looks(watcher)
    #expect(found["."] != nil && found["w"] != nil)
    #expect(found["w/moved"]?.isDeep == true)
    try list(RelativePath("w/moved"), watcher)
    #expect(watcher.coverage.watched == 5)
    try disk.write("w/moved/y/a.jpg", "1")
    #expect(try looks(watcher).keys.sorted() == ["w/moved/y"])
  }

  @Test func `what is removed is looked for where it was`() throws {
    try disk.write("x/a.jpg", "1")
    let watcher = try watcher()
    disk.remove("x/a.jpg")
    #expect(try looks(watcher).keys.sorted() == ["x"])
    disk.remove("x")
    #expect(try looks(watcher)["."] != nil)
    #expect(watcher.coverage.watched == 2)
  }

  @Test func `a marker leaves out a directory with all below it`() throws {
    let watcher = try watcher()
    try disk.write("x/.nomedia", "")
    #expect(try looks(watcher)["x"]?.isDeep == true)
  }

  @Test func `a look at a file is no news, nor is the index`() throws {
    try disk.write("x/a.jpg", "1")
    let watcher = try watcher(indexDirectory: RelativePath("w"))
    for _ in 0..<100 { _ = try disk.read("x/a.jpg") }
    try list(.root, watcher)
    try disk.write("w/index.sqlite-wal", "1")
    #expect(try looks(watcher).isEmpty)
    let log = try FileAppender(disk.path + "/w/index.sqlite-wal")
    log.append()
    #expect(try wait(for: [watcher.readiness], atMost: .milliseconds(50)) == [])
    withExtendedLifetime(log) {}
  }

  @Test func `a chmod is told of the file and of the directory`() throws {
    try disk.write("x/a.jpg", "1")
    let watcher = try watcher()
    try disk.setMode("x/a.jpg", 0o600)
    #expect(try looks(watcher)["x"]?.complete == [Array("a.jpg".utf8)[...]])
    try disk.setMode("x/y", 0o700)
    #expect(try looks(watcher)["x/y"]?.isDeep == false)
  }

  @Test func `no more than the budget is watched, and what is given back can be used`() throws {
    let budget = WatchBudget(most: 3)
    let watcher = try watcher(budget: budget)
    #expect(watcher.coverage.watched == 3)
    #expect(watcher.coverage.unwatched.count == 2)
    #expect(budget.count == 3)
    watcher.forget([RelativePath("x")])
    #expect(watcher.coverage.unwatched.allSatisfy { !$0.isWithin(RelativePath("x")) })
    watcher.forgetAll()
    #expect(budget.count == 0)
    try list(.root, watcher)
    #expect(budget.count == 3)
  }

  @Test func `a share of the kernel's limit is used, and a better limit named`() {
    #expect(WatchBudget(share: 0.6, limit: 8192).most == 4915)
    let budget = WatchBudget(share: 0.6, limit: 8192)
    // 60 % of 131,072 are 78,643: room for 50,000 directories and a quarter more.
    #expect(budget.sufficientLimit(for: 50_000, share: 0.6) == 131_072)
    #expect(budget.sufficientLimit(for: 1, share: 0.6) == 65_536)
  }

  @Test func `lost events make all of the root dirty`() throws {
    let watcher = try watcher()
    try disk.write("x/a.jpg", "1")
    watcher.loseEvents()
    let found = try looks(watcher)
    #expect(found.keys.sorted() == ["."])
    #expect(found["."]?.isDeep == true)
  }

  @Test func `where links are followed, any change may be one elsewhere`() throws {
    let watcher = try watcher(rules: PhotoRules(links: .followed))
    try disk.write("x/a.jpg", "1")
    #expect(try looks(watcher)["."]?.isDeep == true)
  }

  @Test func `the root itself can go`() throws {
    let watcher = try RootWatcher(
      rules: PhotoRules(), times: times, budget: WatchBudget(most: 1000))
    let tree = try RootTree(
      path: disk.path("x"), rules: PhotoRules(), attention: watcher, clock: wallClock)
    _ = try tree.list(.root)
    try disk.move("x", to: "moved")
    #expect(try looks(watcher)["."]?.isDeep == true)
  }
}
