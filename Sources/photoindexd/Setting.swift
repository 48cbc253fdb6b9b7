import IndexStore
import Library
import Linux
import Model
import Places
import Sync

/// Where the program runs: the configuration in force, the index and the places.
struct Setting {
  let configuration: Configuration
  /// nil: without one.
  let configurationFile: String?

  init(_ invocation: Invocation) throws {
    if let file = invocation.configurationFile {
      configurationFile = file
    } else {
      configurationFile = try defaultConfigurationFiles().first {
        // One that is there counts, readable or not: without it, another index would be made.
        try fileSize(at: Array($0.utf8)) != nil
      }
    }
    configuration = try configurationFile.map { try Configuration(file: $0) } ?? Configuration()
  }

  /// Writes a line to standard error, unless `log_level` leaves out such lines.
  func log(_ line: String, _ level: Configuration.LogLevel) {
    guard configuration.logLevel >= level else { return }
    printLog(line, level)
  }

  /// The path of the index.
  func database() throws -> String {
    if let database = configuration.database { return database }
    if let directory = environment("STATE_DIRECTORY") { return directory + "/index.sqlite" }
    // What a person asks of the machine's configuration is asked of the machine's index.
    if configurationFile == systemConfiguration { return "/var/lib/photoindexd/index.sqlite" }
    return try dataDirectory() + "/index.sqlite"
  }

  /// Opens the index to look into it. An empty file is what a first run leaves that got no further.
  func openReader() throws -> IndexReader {
    let path = try database()
    guard let size = try indexSize(at: path), size > 0 else {
      throw Failure(
        .noInput, "\(path): there is no index yet; make one with photoindexd --rescan DIR")
    }
    return try IndexReader(path: path)
  }

  /// Makes this process the one that writes the index, for as long as the lock lives.
  func lockIndex() throws -> FileLock {
    let path = try database()
    try ensurePrivateDirectory(at: Array(directory(of: path).utf8))
    // Before the lock, so that nothing is put beside a file that is not ours.
    try refuseForeignIndex(at: path)
    guard let lock = try FileLock(path: lockPath()) else {
      let holder = try FileLock.holder(path: lockPath()).map { " with pid \($0)" } ?? ""
      throw Failure(
        .temporaryFailure, "\(path): another photoindexd\(holder) is writing this index")
    }
    return lock
  }

  private func lockPath() throws -> [UInt8] { Array((try database() + ".lock").utf8) }

  /// A connection to the service that writes the index; nil when none does. What a dead one left
  /// behind answers nobody.
  func connectToService() throws -> UnixConnection? {
    guard let path = try FileLock.socket(path: lockPath()) else { return nil }
    do throws(SystemError) {
      return try UnixConnection(connectingTo: path)
    } catch {
      guard error.reason == .permission else { return nil }
      throw Failure(.noPermission, "the running service: \(error)")
    }
  }

  /// Where the service can be reached: in the runtime directory, else beside the index.
  func socketPath() throws -> [UInt8] {
    let database = try database()
    if let directory = environment("RUNTIME_DIRECTORY") {
      return Array((directory + "/control").utf8)
    }
    guard let runtime = environment("XDG_RUNTIME_DIR") else {
      return Array((database + ".control").utf8)
    }
    let directory = runtime + "/photoindexd"
    try ensurePrivateDirectory(at: Array(directory.utf8))
    // Each index has its own service. FNV-1a: short, and the same for the same path.
    let hash = database.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return Array((directory + "/" + String(hash, radix: 16) + ".control").utf8)
  }

  /// Whether there is none yet. An empty file is what a first run leaves that got no further.
  func hasNoIndex() throws -> Bool { try indexSize(at: database()) ?? 0 == 0 }

  /// Opens the index as its one writer; needs the lock.
  func openIndex(_ atlas: Atlas?) throws -> PhotoIndex {
    let index = try PhotoIndex(
      path: database(),
      catalog: atlas.map { AtlasCatalog($0, languages: configuration.language) },
      retryPlan: retryPlan, now: wallClock)
    if let rescue = index.rescue { report(rescue) }
    return index
  }

  var retryPlan: RetryPlan {
    let retry = configuration.retry
    return RetryPlan(
      first: retry.first.components.seconds, most: retry.most.components.seconds,
      giveUpAfter: retry.giveUpAfter.components.seconds)
  }

  private func report(_ rescue: Rescue) {
    log(
      "the index was damaged. A new one has been made of what could be read, "
        + "\(grouped(rescue.photos)) photos, which the next scan reads again; the damaged one is "
        + rescue.kept, .error)
    for line in rescue.losses { log("lost: \(line)", .error) }
  }

  /// The bundled places, compiled into the index's directory when they are met for the first time.
  func openAtlas() throws -> Atlas {
    try checkPlaceFiles()
    let state = directory(of: try database())
    let canKeep = (try? ensurePrivateDirectory(at: Array(state.utf8))) != nil
    return try Atlas.open(
      resources: try resources() + "/places", own: configuration.places,
      cache: canKeep ? state : nil)
  }

  /// Without one of the user's files all that lies in its places would be named otherwise.
  func checkPlaceFiles() throws {
    guard let file = configuration.places.first(where: { !isReadable($0) }) else { return }
    throw Failure(
      .configuration,
      "\(printable(file.utf8)): cannot be read, but `places` in \(configurationFile ?? "") names it"
    )
  }

  /// The directory that holds `places`: a configured one, that of an installation, or that of the
  /// source tree which this program was built in.
  private func resources() throws -> String {
    let program = String(decoding: try executablePath(), as: UTF8.self)
    var candidates = [directory(of: directory(of: program)) + "/share/photoindexd"]
    var above = directory(of: program)
    for _ in 0..<4 {
      above = directory(of: above)
      candidates.append(above + "/Resources")
    }
    if let configured = configuration.resources { candidates = [configured] }
    if let found = candidates.first(where: { isReadable($0 + "/places/zones.geojson") }) {
      return found
    }
    throw Failure(
      .configuration,
      "places/zones.geojson: not found in \(candidates.joined(separator: ", ")). Install with "
        + "scripts/install, or name the directory as `resources` in the configuration")
  }

  func rules(for root: Configuration.Root?) -> PhotoRules {
    let patterns = configuration.exclude + (root?.exclude ?? [])
    return PhotoRules(
      exclude: patterns.compactMap(Glob.init),
      links: root?.followSymlinks == true ? .followed : .refused)
  }
}

func directory(of path: String) -> String {
  let end = path.lastIndex(of: "/") ?? path.startIndex
  return end == path.startIndex ? "/" : String(path[..<end])
}

private func defaultConfigurationFiles() -> [String] {
  let home = homeDirectory().map { $0 + "/.config" }
  let user = environment("XDG_CONFIG_HOME") ?? home
  return [user.map { $0 + "/photoindexd/config.json" }, systemConfiguration].compactMap(\.self)
}

private let systemConfiguration = "/etc/photoindexd/config.json"

private func dataDirectory() throws -> String {
  if let data = environment("XDG_DATA_HOME") { return data + "/photoindexd" }
  if let home = homeDirectory() { return home + "/.local/share/photoindexd" }
  throw Failure(
    .configuration, "no place for the index: set HOME, or name `database` in the configuration")
}
