import Decoding
import IndexStore
import Linux
import Model

/// The command `--status`.
struct Status {
  private let setting: Setting

  init(_ setting: Setting) {
    self.setting = setting
  }

  func run(json: Bool) async throws -> ExitStatus {
    let path = try setting.database()
    let reader = try setting.openReader()
    let live = try liveStatus()
    let decoder = if let live { live.decoder } else { await DecoderPool().description() }
    let report = try StatusReport(
      reader, database: path, configuredZone: setting.configuration.timeZone, service: live,
      decoder: decoder)
    try printOutput(json ? try report.json() : report.text)
    return .done
  }
}

extension DecoderPool {
  /// Where files are decoded, and what that process may still do.
  func description() async -> String {
    do {
      return "child, \(try await confinement())"
    } catch {
      return "none: \(error)"
    }
  }
}

extension Status {
  /// What the running service says of itself; nil when none runs.
  private func liveStatus() throws -> LiveStatus? {
    guard let connection = try setting.connectToService() else { return nil }
    guard connection.send(ControlRequest.status.message) else { return nil }
    guard case .message(let bytes) = connection.receive() else { return nil }
    guard case .status(let live)? = ControlAnswer(message: bytes) else { return nil }
    return live
  }
}

/// What `--status` tells; JSON has its names in snake case.
private struct StatusReport: Encodable {
  struct Root: Encodable {
    let name: String
    let path: String
    let state: String
    let stateReason: String?
    let photos: Int
    let hashed: Int
    let placed: Int
    let missing: Int
    let unreadableDirectories: Int
    let watch: String?
    let watchReason: String?
    let lastScanAt: Int64?
    let lastResult: String?
  }

  let database: String
  let service: LiveStatus?
  let decoder: String
  let timeZone: String?
  let devices: Int
  let roots: [Root]
  let pending: [String: Int]
  /// Files that are not what they were, by kind.
  let suspects: [String: Int]
  /// Files whose hashes wait for being verified, for somebody has touched them.
  let hashesDue: Int
  /// What the user wrote as a time zone and is none, with how many rows of `photo_time` and
  /// `device_clock` have it: which zones there are, SQL cannot tell.
  let unknownZones: [String: Int]

  init(
    _ reader: IndexReader, database: String, configuredZone: String?, service: LiveStatus?,
    decoder: String
  ) throws {
    self.database = database
    self.service = service
    self.decoder = decoder
    let kept = try reader.meta("time_zone").flatMap { $0.isEmpty ? nil : $0 }
    timeZone = configuredZone ?? kept
    devices = try reader.count("device")
    roots = try reader.roots().map { root in
      Root(
        name: root.name, path: printable(root.path), state: root.state, stateReason: root.reason,
        photos: root.photos, hashed: root.hashed, placed: root.placed, missing: root.missing,
        unreadableDirectories: root.unreadable, watch: root.watch,
        watchReason: root.watchReason, lastScanAt: root.lastScanAt,
        lastResult: root.lastResult)
    }
    suspects = Dictionary(uniqueKeysWithValues: try reader.suspectsByKind().map { ($0, $1) })
    hashesDue = try reader.hashesDue()
    let zones = try reader.zonesOfUser().filter { !TimeZoneDatabase.system.exists($0.zone) }
    unknownZones = Dictionary(uniqueKeysWithValues: zones.map { ($0, $1) })
    pending = Dictionary(uniqueKeysWithValues: try reader.pendingByReason().map { ($0, $1) })
  }

  var text: String {
    let activity = service.map { "pid \($0.pid), \($0.activity)" } ?? "not running"
    var lines = [
      "index: \(database)", "service: \(activity)", "decoder: \(decoder)",
      "time zone: \(timeZone ?? "none")",
      "devices: \(devices)",
    ]
    for root in roots {
      let reason = root.stateReason.map { " (\($0))" } ?? ""
      lines.append("root \(root.name): \(root.state)\(reason), \(root.path)")
      lines.append(
        "  \(grouped(root.photos)) photos, \(grouped(root.hashed)) hashed, "
          + "\(grouped(root.placed)) placed, \(grouped(root.missing)) missing")
      if let watch = root.watch, service != nil {
        lines.append("  watched: \(watch)" + (root.watchReason.map { " (\($0))" } ?? ""))
      }
      if root.unreadableDirectories > 0 {
        lines.append("  \(grouped(root.unreadableDirectories)) directories could not be listed")
      }
      let scan = root.lastScanAt.map { "\(utcText($0)), \(root.lastResult ?? "cut short")" }
      lines.append("  last scan: \(scan ?? "none")")
    }
    for (reason, count) in pending.sorted(by: { $0.key < $1.key }) {
      lines.append("pending, \(reason): \(grouped(count))")
    }
    for (kind, count) in suspects.sorted(by: { $0.key < $1.key }) {
      lines.append("suspect, \(kind): \(grouped(count))")
    }
    if hashesDue > 0 { lines.append("hashes to be verified: \(grouped(hashesDue))") }
    for (zone, count) in unknownZones.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "no time zone: \(printable(zone.utf8)), which \(grouped(count)) of photo_time and device_clock "
          + "name; without effect")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// As `2024-05-01 13:45:10 UTC`.
func utcText(_ seconds: Int64) -> String {
  guard let time = LocalTime(secondsAsUTC: seconds) else { return "\(seconds)" }
  return time.description.split(separator: "T").joined(separator: " ") + " UTC"
}
