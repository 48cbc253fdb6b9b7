import IndexStore
import Linux
import Model
import Places

/// The command `--check-config`: reading the file has found no fault; shows what is in force.
func checkConfiguration(_ setting: Setting) throws -> ExitStatus {
  var inForce = setting.configuration
  inForce.database = try setting.database()
  printError(
    "photoindexd: configuration: "
      + "\(setting.configurationFile ?? "none, the defaults are in force")\n")
  for root in inForce.roots {
    guard (try? Directory(absolutePath: Array(root.path.utf8))) == nil else { continue }
    printError("photoindexd: root \(root.name): \(printable(root.path.utf8)): not there now\n")
  }
  try setting.checkPlaceFiles()
  for file in inForce.places { try Atlas.check(own: file) }
  try printOutput(inForce.json())
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
  try printOutput("time zone \(zone); the next --rescan applies it, no photo is read for that\n")
  return .done
}
