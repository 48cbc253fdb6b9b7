import FoundationEssentials
import IndexStore
import Linux
import Model
import Sync

/// The command `--check-config`: reading the file has found no fault; shows what is in force.
func checkConfiguration(_ setting: Setting) -> ExitStatus {
  let configuration = setting.configuration
  setting.warnOfIdleKeys()
  var lines = ["configuration: \(setting.configurationFile ?? "none, the defaults are in force")"]
  if let database = try? setting.database() { lines.append("database: \(database)") }
  for root in configuration.roots {
    let there =
      (try? Directory(absolutePath: Array(root.path.utf8))) == nil ? " (not there now)" : ""
    lines.append("root \(root.name): \(printable(root.path.utf8))\(there)")
  }
  lines += [
    "language: \(configuration.language.joined(separator: ", "))",
    "time_zone: \(configuration.timeZone ?? "that of the index")",
    "content_hash: \(configuration.contentHash.rawValue)",
    "hash_window: \(configuration.hashWindow?.description ?? "at any time")",
    "names_tell_dates: \(configuration.namesTellDates)",
    "missing_grace: \(configuration.missingGrace) days with a scan",
    "removal_fuse: \(configuration.removalFuse?.description ?? "off")",
    "log_level: \(configuration.logLevel.rawValue)",
    "settle: \(configuration.settle)",
    "workers: \(configuration.workers)",
    "exclude: \(configuration.exclude.joined(separator: " "))",
  ]
  printOutput(lines.map { $0 + "\n" }.joined())
  return .done
}

/// The command `--set-time-zone`.
func setTimeZone(_ zone: String, _ setting: Setting) async throws -> ExitStatus {
  guard TimeZoneDatabase.system.exists(zone) else {
    throw Failure(
      .usage, "\(printable(zone.utf8)): is no time zone; expected a name such as Asia/Seoul")
  }
  if let configured = setting.configuration.timeZone {
    throw Failure(
      .configuration,
      "\(setting.configurationFile ?? ""): `time_zone` is \(configured) there, which would "
        + "override this one; change it there")
  }
  let lock = try setting.lockIndex()
  defer { withExtendedLifetime(lock) {} }
  let index = try setting.openIndex(nil)
  try await index.setMeta("time_zone", zone)
  printOutput("time zone \(zone); the next --rescan applies it, no photo is read for that\n")
  return .done
}
