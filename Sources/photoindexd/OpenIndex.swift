import Decoding
import IndexStore
import Library
import Linux
import Model
import Places
import Sync

/// What to sync: a root, or a part of it.
struct Job: Sendable {
  let root: RootRow
  let configured: Configuration.Root?
  let scope: RelativePath
}

/// The index, open for writing, and what a configuration says of its roots. Needs the lock.
struct OpenIndex: Sendable {
  let setting: Setting
  let index: PhotoIndex
  let atlas: Atlas
  let decoder: DecoderPool
  /// The zone of photos that name none and have no position.
  let zone: String?

  init(_ setting: Setting) async throws {
    // Side by side, for each takes its time.
    async let opened = setting.openAtlas()
    let decoder = DecoderPool()
    if try setting.hasNoIndex() { decoder.prepare(setting.configuration.workers) }
    let index = try setting.openIndex(nil)
    let atlas = try await opened
    await index.take(
      AtlasCatalog(atlas, languages: setting.configuration.language), setting.retryPlan)
    let zone = try await Self.timeZone(index, setting)
    self.init(
      setting: setting, index: index, atlas: atlas, decoder: decoder, zone: zone)
    try await relabel()
    try await index.setNamesTellDates(setting.configuration.namesTellDates)
  }

  private init(
    setting: Setting, index: PhotoIndex, atlas: Atlas, decoder: DecoderPool, zone: String?
  ) {
    self.setting = setting
    self.index = index
    self.atlas = atlas
    self.decoder = decoder
    self.zone = zone
  }

  /// The same index with another configuration. What follows from other places or languages is
  /// for `takeOver`.
  func with(_ setting: Setting) async throws -> OpenIndex {
    let zone = try await Self.timeZone(index, setting)
    try await index.setNamesTellDates(setting.configuration.namesTellDates)
    return OpenIndex(
      setting: setting, index: index, atlas: try setting.openAtlas(), decoder: decoder, zone: zone)
  }

  /// Makes the index know the places, languages and retry plan of this configuration; no pass may
  /// be under way. Returns whether rows or places came to say something else.
  func takeOver() async throws -> Bool {
    let languages = setting.configuration.language
    await index.take(AtlasCatalog(atlas, languages: languages), setting.retryPlan)
    let known = [try await index.meta("atlas_digest"), try await index.meta("place_languages")]
    try await relabel()
    return known != [atlas.digest, languages.joined(separator: " ")]
  }

  /// What to sync: the directories, each as a root or as a part of one; without any, all roots.
  func jobs(for targets: [[UInt8]]) async throws -> [Job] {
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
        let root = try await newRoot(target, roots)
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

  /// Whether there is anything to serve; the last root may have been forgotten.
  func hasRoots() async throws -> Bool {
    guard setting.configurationFile == nil else { return !setting.configuration.roots.isEmpty }
    return try await index.roots().contains { $0.state != .detached }
  }

  private func job(_ root: RootRow, scope: RelativePath) -> Job {
    let configured = setting.configuration.roots.first { $0.name == root.name }
    return Job(root: root, configured: configured, scope: scope)
  }

  private func declaration(_ root: Configuration.Root) -> RootDeclaration {
    RootDeclaration(name: root.name, path: Array(root.path.utf8), owner: root.owner)
  }

  private func newRoot(
    _ path: [UInt8], _ roots: [RootRow]
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
    // A root whose name is that of its path is another one: names that are not UTF-8 can meet. One
    // that was renamed to this path is what was moved here.
    let twin = try await index.roots().first { $0.name == name && $0.path != path }
    guard twin.map({ printable($0.path) != name }) ?? true else {
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

  /// The root as a pass needs it. Its rows are derived anew if its zone is another than before.
  func syncRoot(_ job: Job) async throws -> SyncRoot {
    let rootZone = job.configured?.timeZone ?? zone
    try await index.setTimeZone(of: job.root, rootZone)
    return SyncRoot(
      id: job.root.id, name: job.root.name, path: job.root.path,
      rules: setting.rules(for: job.configured), countsInodes: job.configured?.inode,
      timeZone: rootZone)
  }

  /// What leaves out the directory that is to be scanned. A marker in itself does not hinder: the
  /// pass meets that, and leaves out the rows that are there.
  func leftOut(_ job: Job) -> DirectoryExclusion? {
    // A root that is not there is the pass's to tell.
    guard let root = try? Directory(absolutePath: job.root.path),
      let reason = setting.rules(for: job.configured).exclusion(ofDirectory: job.scope, below: root)
    else { return nil }
    if case .marker(job.scope) = reason { return nil }
    return reason
  }

  func settings() -> SyncSettings {
    let configuration = setting.configuration
    var settings = SyncSettings()
    settings.settle = configuration.settle
    settings.workers = configuration.workers
    settings.contentHashing = configuration.contentHash
    if let window = configuration.hashWindow {
      let machineZone = machineTimeZone()
      settings.mayHash = { window.contains(wallClock(), zone: machineZone) }
    }
    settings.timeZone = zone
    settings.removalFuse = configuration.removalFuse
    settings.scrubInterval = configuration.scrub
    settings.namesTellDates = configuration.namesTellDates
    settings.nearby = configuration.nearby
    settings.missingGrace = configuration.missingGrace
    settings.changesKept = configuration.changesKept
    return settings
  }

  /// The zone in force, which never depends on who runs the program: the configured one, else
  /// that of the machine when the index was made.
  private static func timeZone(
    _ index: PhotoIndex, _ setting: Setting
  ) async throws -> String? {
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
  private func relabel() async throws {
    let configuration = setting.configuration
    let progress = Progress(level: configuration.logLevel)
    defer { progress.finish() }
    try await Sync.relabel(
      index, atlas, languages: configuration.language,
      namesTellDates: configuration.namesTellDates, report: progress.report)
  }
}
