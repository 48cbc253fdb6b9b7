import IndexStore
import Library
import Linux
import Model
import Places
import Sync

/// The command `--rescan`.
struct Rescan {
  private let setting: Setting
  private let hashes: Bool
  private let confirmedRoot: String?

  init(_ setting: Setting, _ invocation: Invocation) {
    self.setting = setting
    hashes = invocation.hashes
    confirmedRoot = invocation.confirmedRoot
  }

  func run(_ directories: [[UInt8]]) async throws -> ExitStatus {
    // Off the shared pool, since nearly all of it waits for disks.
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try await runBlocking(directories)
    }
  }

  private func runBlocking(_ directories: [[UInt8]]) async throws -> ExitStatus {
    setting.warnOfIdleKeys()
    let targets = try directories.map { try resolve($0) }
    let lock = try setting.lockIndex()
    defer { withExtendedLifetime(lock) {} }
    let atlas = try setting.openAtlas()
    let index = try setting.openIndex(atlas)
    let zone = try await timeZone(index)
    try await relabel(index, atlas)
    try await index.setNamesTellDates(setting.configuration.namesTellDates)
    let jobs = try await jobs(for: targets, index)
    if let confirmedRoot, !jobs.contains(where: { $0.root.name == confirmedRoot }) {
      throw Failure(
        .noInput, "\(printable(confirmedRoot.utf8)): no root of this name is to be scanned")
    }
    var worst = ExitStatus.done
    for job in jobs {
      worst = mostSevere(worst, await syncOrReport(job, index, atlas, zone))
    }
    try await index.checkpoint()
    return worst
  }

  /// Syncs one root. What fails there is reported and does not keep the others from being done.
  private func syncOrReport(
    _ job: Job, _ index: PhotoIndex, _ atlas: Atlas, _ zone: String?
  ) async -> ExitStatus {
    let progress = Progress(level: setting.configuration.logLevel)
    do {
      return try await sync(job, index, atlas, zone, progress)
    } catch {
      progress.finish()
      let failure = Failure(error, database: try? setting.database())
      report(failure, in: "root \(job.root.name): ")
      return failure.status
    }
  }

  private struct Job {
    let root: RootRow
    let configured: Configuration.Root?
    let scope: RelativePath
  }

  private func resolve(_ directory: [UInt8]) throws -> [UInt8] {
    do throws(SystemError) {
      let path = try realPath(directory)
      _ = try Directory(absolutePath: path)
      return path
    } catch {
      let status: ExitStatus = error.reason == .permission ? .noPermission : .noInput
      throw Failure(status, "\(printable(directory)): \(error.message)")
    }
  }

  /// What to sync: the directories, each as a root or as a part of one; without any, all roots.
  private func jobs(for targets: [[UInt8]], _ index: PhotoIndex) async throws -> [Job] {
    let configured = setting.configuration.roots
    var roots =
      try await setting.configurationFile == nil
      ? index.roots().filter { $0.state != .detached }
      : index.attach(configured.map { declaration($0) })
    var jobs: [Job] = []
    for target in targets {
      if let root = roots.first(where: { contains(realRoot($0.path), target) }) {
        jobs.append(job(root, scope: relativePath(of: target, in: realRoot(root.path))))
      } else {
        let root = try await newRoot(target, index, roots)
        roots.append(root)
        jobs.append(job(root, scope: .root))
      }
    }
    guard targets.isEmpty else { return jobs }
    guard !roots.isEmpty else {
      throw Failure(
        .usage, "nothing to index: name a directory, or `roots` in a configuration file")
    }
    return roots.map { job($0, scope: .root) }
  }

  private func job(_ root: RootRow, scope: RelativePath) -> Job {
    let configured = setting.configuration.roots.first { $0.name == root.name }
    return Job(root: root, configured: configured, scope: scope)
  }

  private func declaration(_ root: Configuration.Root) -> RootDeclaration {
    RootDeclaration(name: root.name, path: Array(root.path.utf8), owner: root.owner)
  }

  private func newRoot(
    _ path: [UInt8], _ index: PhotoIndex, _ roots: [RootRow]
  ) async throws -> RootRow {
    guard setting.configurationFile == nil else {
      throw Failure(
        .noInput,
        "\(printable(path)): lies in no root of \(setting.configurationFile ?? ""); add it there")
    }
    if let inner = roots.first(where: { contains(path, realRoot($0.path)) }) {
      throw Failure(
        .configuration,
        "\(printable(path)): holds \(printable(inner.path)), which is a root of the index already; "
          + "roots must not lie within each other")
    }
    let name = printable(path)
    // Only names that are not UTF-8 can meet: to the index it would be that root, moved here.
    guard try await !index.roots().contains(where: { $0.name == name && $0.path != path }) else {
      throw Failure(
        .configuration,
        "\(name): another directory is in the index as the root of this name; rename one of them, "
          + "or give both names with `roots` in a configuration file")
    }
    let declared = RootDeclaration(name: name, path: path, owner: nil)
    guard let root = try await index.attach(declared) else {
      throw Failure(.software, "\(printable(path)): the root was not stored")
    }
    return root
  }

  private func sync(
    _ job: Job, _ index: PhotoIndex, _ atlas: Atlas, _ zone: String?, _ progress: Progress
  ) async throws -> ExitStatus {
    let rules = setting.rules(for: job.configured)
    if let reason = leftOut(job, rules) {
      setting.log("\(job.scope): left out of root \(job.root.name) by \(reason)", .error)
      return .noInput
    }
    let rootZone = job.configured?.timeZone ?? zone
    try await index.setTimeZone(of: job.root, rootZone)
    let root = SyncRoot(
      id: job.root.id, name: job.root.name, path: job.root.path, rules: rules,
      countsInodes: job.configured?.inode, timeZone: rootZone)
    var pass = SyncPass(
      root: root, scope: job.scope, index: index, places: atlas, settings: settings(zone, job.root),
      clock: wallClock, report: { progress.report($0) })
    let summary = try await pass.run(kind: "rescan")
    progress.finish()
    try printOutput(describe(summary, of: job.root))
    if summary.held != nil { return .unavailable }
    guard case .offline = summary.result else { return .done }
    return job.configured?.removable == true ? .done : .unavailable
  }

  /// What leaves out the directory that is to be scanned. A marker in itself does not hinder: the
  /// pass meets that, and leaves out the rows that are there.
  private func leftOut(_ job: Job, _ rules: PhotoRules) -> DirectoryExclusion? {
    // A root that is not there is the pass's to tell.
    guard let root = try? Directory(absolutePath: job.root.path),
      let reason = rules.exclusion(ofDirectory: job.scope, below: root)
    else { return nil }
    if case .marker(job.scope) = reason { return nil }
    return reason
  }

  private func settings(_ zone: String?, _ root: RootRow) -> SyncSettings {
    let configuration = setting.configuration
    var settings = SyncSettings()
    settings.settle = configuration.settle
    settings.workers = configuration.workers
    settings.contentHashing = configuration.contentHash
    settings.hashesNow = hashes
    if let window = configuration.hashWindow {
      let machineZone = machineTimeZone()
      settings.mayHash = { window.contains(wallClock(), zone: machineZone) }
    }
    settings.timeZone = zone
    settings.removalFuse = configuration.removalFuse
    settings.namesTellDates = configuration.namesTellDates
    settings.nearby = configuration.nearby
    settings.missingGrace = configuration.missingGrace
    settings.changesKept = configuration.changesKept
    settings.confirmsRemovals = root.name == confirmedRoot
    return settings
  }

  /// The zone in force, which never depends on who runs the program: the configured one, else
  /// that of the machine when the index was made.
  private func timeZone(_ index: PhotoIndex) async throws -> String? {
    if let zone = setting.configuration.timeZone { return zone }
    if let zone = try await index.meta("time_zone") { return zone.isEmpty ? nil : zone }
    let zone = machineTimeZone()
    try await index.setMeta("time_zone", zone ?? "")
    if zone == nil {
      setting.log(
        "this machine has no time zone of its own, so photos that name none have no UTC time. "
          + "Name one with --set-time-zone, as in --set-time-zone Asia/Seoul", .warning)
    }
    return zone
  }

  /// New places or languages change what rows say, without a look at the photos.
  private func relabel(_ index: PhotoIndex, _ atlas: Atlas) async throws {
    let configuration = setting.configuration
    let progress = Progress(level: configuration.logLevel)
    defer { progress.finish() }
    try await Sync.relabel(
      index, atlas, languages: configuration.language,
      namesTellDates: configuration.namesTellDates, report: progress.report)
  }
}
