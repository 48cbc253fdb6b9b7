import Decoding
import IndexStore
import Library
import Linux
import Model
import SQLite
import Service
import Sync
import Synchronization
import TestSupport
import Watch

/// A photo unlike those of other numbers.
func photo(_ number: Int) -> [UInt8] {
  var fixture = JPEGFixture.photo(taken: "2024:05:01 13:45:\(number % 50 + 10)")
  fixture.shade = UInt8(number % 250 + 1)
  fixture.trailer = Array("\(number)".utf8)
  return fixture.bytes
}

/// Roots on disk, an index, and the service that keeps them in step, with short waits.
final class ServedLibrary: Sendable {
  let disk: TemporaryDirectory
  private let home: TemporaryDirectory
  private let serving = Mutex<PhotoService?>(nil)
  private let index: PhotoIndex
  let budget: WatchBudget
  private let decoder: any Decoder
  private let tasks: Mutex<[Task<Void, any Error>]> = Mutex([])
  private let ending = Mutex(false)
  private let isPolled: Bool
  private let roots: [String]
  /// What has failed in a root, in words.
  private let failed = Mutex<[String]>([])

  var failures: [String] { failed.withLock { $0 } }

  static let times = WatchTimes(
    quiet: .milliseconds(20), most: .milliseconds(100), settle: .milliseconds(50),
    rest: .milliseconds(300))

  static var settings: ServiceSettings {
    var settings = ServiceSettings()
    settings.sync.settle = .milliseconds(50)
    settings.times = times
    settings.pollInterval = .milliseconds(100)
    settings.absenceInterval = .milliseconds(30)
    settings.failurePause = .milliseconds(100)
    return settings
  }

  /// The roots are directories of these names; without, there is one of all.
  init(
    roots: [String] = [""], on parent: String = "/tmp", budget most: Int = 10_000,
    retryPlan: RetryPlan = RetryPlan(), decoder: any Decoder = InProcessDecoder(),
    patience: Duration = .seconds(30), home: TemporaryDirectory? = nil
  ) async throws {
    disk = try TemporaryDirectory(in: parent)
    self.home = try home ?? TemporaryDirectory(in: "/dev/shm")
    self.roots = roots
    for root in roots { try disk.makeDirectory(root) }
    self.decoder = decoder
    budget = WatchBudget(most: most)
    isPolled = most < 10_000
    index = try PhotoIndex(
      path: self.home.path + "/index", catalog: nil, retryPlan: retryPlan, patience: patience,
      now: wallClock)
  }

  private func served() async throws -> [ServedRoot] {
    var served: [ServedRoot] = []
    for name in roots {
      let path = Array((disk.path + (name.isEmpty ? "" : "/" + name)).utf8)
      let declaration = RootDeclaration(
        name: name.isEmpty ? "photos" : name, path: path, owner: nil)
      guard let row = try await index.attach(declaration) else { throw Unattached() }
      let root = SyncRoot(id: row.id, name: row.name, path: path, rules: PhotoRules())
      served.append(ServedRoot(root))
    }
    return served
  }

  struct Unattached: Error {}
  struct NeverAtRest: Error {}

  /// The service as it was started last.
  var service: PhotoService {
    get throws {
      guard let service = serving.withLock({ $0 }) else { throw NotStarted() }
      return service
    }
  }

  struct NotStarted: Error {}

  /// Starts to serve; what is on disk by then is there for the first scan.
  func start(_ settings: ServiceSettings = ServedLibrary.settings) async throws {
    let service = try PhotoService(
      index: index, decoder: decoder, places: nil, settings: settings, budget: budget,
      clock: wallClock, report: { self.note($0) })
    try service.serve(try await served(), settings)
    serving.withLock { $0 = service }
    let attending = Task {
      try await onThread {
        while !self.isEnding {
          let ready = try wait(
            for: service.sources, atMost: min(service.timeLeft ?? .seconds(1), .milliseconds(50)))
          service.attend(ready)
        }
      }
    }
    let working = Task(executorPreference: BlockingExecutor.shared) { try await service.run() }
    tasks.withLock { $0 = [attending, working] }
  }

  private func note(_ event: ServiceEvent) {
    if case .failed(_, let error) = event { failed.withLock { $0.append("\(error)") } }
  }

  private var isEnding: Bool { ending.withLock { $0 } }

  /// Stops in the middle of whatever is under way.
  func stop() async {
    ending.withLock { $0 = true }
    for task in tasks.withLock({ $0 }) {
      task.cancel()
      _ = await task.result
    }
    tasks.withLock { $0 = [] }
    ending.withLock { $0 = false }
  }

  /// Waits until all has been looked at that has happened.
  func rest(atMost limit: Duration = .seconds(120)) async throws {
    let deadline = ContinuousClock.now + limit
    // What is not watched shows at the next poll, and may be young then.
    for _ in 0..<(isPolled ? 3 : 1) {
      if isPolled { try await Task.sleep(for: .milliseconds(150)) }
      var quiet = 0
      while quiet < 3 {
        guard ContinuousClock.now < deadline else { throw NeverAtRest() }
        let service = try service
        for watcher in service.watchers { watcher.drain() }
        quiet = service.isQuiet ? quiet + 1 : 0
        try await Task.sleep(for: .milliseconds(15))
      }
    }
  }

  /// Waits until the query gives these rows; returns those that it gives in the end.
  func rows(_ sql: String, become expected: [String]) async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(60)
    var found = try rows(sql)
    while found != expected, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
      found = try rows(sql)
    }
    return found
  }

  /// Waits until something is so; returns whether it is.
  func becomes(_ isSo: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isSo(), ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    return try isSo()
  }

  /// A connection as that of the `sqlite3` shell.
  func shell() throws -> Connection {
    let shell = try Connection(path: home.path + "/index", .readWrite)
    shell.wait(forLocks: 5000)
    return shell
  }

  /// What somebody does to the index by hand.
  func write(byHand sql: String) throws { try shell().execute(sql) }

  func rows(_ sql: String) throws -> [String] {
    try Connection(path: home.path + "/index", .readOnly).rows(sql)
  }

  func request(
    hashes: Bool = true, confirmedRoot: String? = nil, scrubs: Bool = false
  ) async throws -> [SyncSummary] {
    let parts = try await served().map { ScanRequest.Part(root: $0.root.id, scope: .root) }
    let (stream, answers) = AsyncStream<ScanRequest.Answer>.makeStream()
    try service.request(
      ScanRequest(parts: parts, hashes: hashes, confirmedRoot: confirmedRoot, scrubs: scrubs) {
        answer in
        if case .end = answer { answers.finish() } else { answers.yield(answer) }
      })
    var summaries: [SyncSummary] = []
    for await answer in stream {
      if case .finished(_, let summary) = answer { summaries.append(summary) }
    }
    return summaries
  }

  /// How the index differs from one that is made from nothing; nil when it does not.
  func difference() async throws -> String? {
    let known = try Connection(path: home.path + "/index", .readOnly)
    let path = home.path + "/fresh"
    for end in ["", "-wal", "-shm"] { home.remove("fresh" + end) }
    let fresh = try PhotoIndex(path: path, catalog: nil, now: wallClock)
    for served in try await served() {
      let declaration = RootDeclaration(
        name: served.root.name, path: served.root.path, owner: nil)
      guard let row = try await fresh.attach(declaration) else { throw Unattached() }
      let root = SyncRoot(
        id: row.id, name: row.name, path: row.path, rules: served.root.rules)
      var pass = SyncPass(
        root: root, index: fresh, decoder: InProcessDecoder(), places: nil,
        settings: Self.settings.sync, clock: wallClock, report: { _ in })
      _ = try await pass.run(kind: "test")
    }
    let expected = try Connection(path: path, .readOnly)
    return try difference(known.contents(), expected.contents(), "rows")
      ?? difference(known.besides(), expected.besides(), "besides")
      ?? difference(known.tokens(), expected.tokens(), "tokens")
      ?? difference(known.faults(), [], "faults")
  }

  private func difference(_ known: [String], _ expected: [String], _ what: String) -> String? {
    guard known != expected else { return nil }
    let (ours, theirs) = (Set(known), Set(expected))
    return "\(what): only here: \(known.filter { !theirs.contains($0) }); "
      + "only in a fresh index: \(expected.filter { !ours.contains($0) })"
  }
}
