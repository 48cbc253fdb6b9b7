import Decoding
import IndexStore
import Linux
import Model
import Sync

/// The command `--rescan`.
struct Rescan {
  private let setting: Setting
  private let invocation: Invocation

  init(_ setting: Setting, _ invocation: Invocation) {
    self.setting = setting
    self.invocation = invocation
  }

  func run(_ directories: [[UInt8]]) async throws -> ExitStatus {
    // Off the shared pool, since nearly all of it waits for disks.
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try await runBlocking(directories)
    }
  }

  private func runBlocking(_ directories: [[UInt8]]) async throws -> ExitStatus {
    let targets = try directories.map { try resolve($0) }
    let order = ControlRequest.Rescan(
      directories: targets, hashes: invocation.hashes, confirmedRoot: invocation.confirmedRoot,
      acceptedRoot: invocation.acceptedRoot, scrubs: invocation.scrubs)
    // Who serves the index does it; nobody else could.
    if let connection = try setting.connectToService() {
      return try ControlClient(connection, setting.configuration.logLevel).ask(.rescan(order))
    }
    let lock = try setting.lockIndex()
    defer { withExtendedLifetime(lock) {} }
    let open = try await OpenIndex(setting)
    let jobs = try await open.jobs(for: targets)
    try order.check(jobs)
    var worst = ExitStatus.done
    for job in jobs {
      worst = mostSevere(worst, await syncOrReport(job, open))
    }
    open.decoder.dismiss()
    try await open.index.checkpoint()
    return worst
  }

  /// Syncs one root. What fails there is reported and does not keep the others from being done.
  private func syncOrReport(_ job: Job, _ open: OpenIndex) async -> ExitStatus {
    let progress = Progress(level: setting.configuration.logLevel)
    do {
      return try await sync(job, open, progress)
    } catch {
      progress.finish()
      let failure = Failure(error, database: try? setting.database())
      report(failure, in: "root \(job.root.name): ")
      return failure.status
    }
  }

  private func sync(
    _ job: Job, _ open: OpenIndex, _ progress: Progress
  ) async throws -> ExitStatus {
    if let reason = open.leftOut(job) {
      setting.log("\(job.scope): left out of root \(job.root.name) by \(reason)", .error)
      return .noInput
    }
    var settings = open.settings()
    settings.hashesNow = invocation.hashes
    settings.confirmsRemovals = job.root.name == invocation.confirmedRoot
    settings.acceptsFileSystem = job.root.name == invocation.acceptedRoot
    if invocation.scrubs {
      settings.scrub = try await open.index.scrub(of: job.root.id, settings.scrubInterval)
    }
    var pass = SyncPass(
      root: try await open.syncRoot(job), scopes: [SyncScope(job.scope)], index: open.index,
      decoder: open.decoder, places: open.atlas, settings: settings, clock: wallClock,
      report: { progress.report($0) })
    let summary = try await pass.run(kind: "rescan")
    if summary.verified > 0 {
      try await open.index.spendScrub(
        of: job.root.id, files: summary.verified, interval: settings.scrubTime)
    }
    progress.finish()
    try printOutput(describe(summary, of: job.root.name))
    return exitStatus(of: summary, isRemovable: job.configured?.removable == true)
  }
}

/// The directory with its links resolved; throws when it is not there.
func resolve(_ directory: [UInt8]) throws -> [UInt8] {
  do throws(SystemError) {
    let path = try realPath(directory)
    _ = try Directory(absolutePath: path)
    return path
  } catch {
    let status: ExitStatus = error.reason == .permission ? .noPermission : .noInput
    throw Failure(status, "\(printable(directory)): \(error.message)")
  }
}

extension ControlRequest.Rescan {
  /// What a person says of a root must not be lost because that is not scanned.
  func check(_ jobs: [Job]) throws {
    for name in [confirmedRoot, acceptedRoot].compactMap(\.self)
    where !jobs.contains(where: { $0.root.name == name }) {
      throw Failure(.noInput, "\(printable(name.utf8)): no root of this name is to be scanned")
    }
  }
}

func exitStatus(of summary: SyncSummary, isRemovable: Bool) -> ExitStatus {
  if summary.held != nil { return .unavailable }
  guard case .offline = summary.result else { return .done }
  return isRemovable ? .done : .unavailable
}
