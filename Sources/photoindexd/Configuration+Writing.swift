import FoundationEssentials
import Model
import Sync

/// As a configuration file: all keys, those without a value as null.
extension Configuration: Encodable {
  private enum CodingKeys: String, CodingKey {
    case database, resources, roots, exclude, places, language, timeZone, rescanInterval, scanAt
    case pollInterval, watchShare
    case settle, workers, contentHash, hashWindow, scrub, namesTellDates, nearby, retry,
      missingGrace
    case removalFuse, changesKept, logLevel
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(database, forKey: .database)
    try keys.encode(resources, forKey: .resources)
    try keys.encode(roots, forKey: .roots)
    try keys.encode(exclude, forKey: .exclude)
    try keys.encode(places, forKey: .places)
    try keys.encode(language, forKey: .language)
    try keys.encode(timeZone, forKey: .timeZone)
    try keys.encode(rescanInterval.map(durationText), forKey: .rescanInterval)
    try keys.encode(durationText(pollInterval), forKey: .pollInterval)
    try keys.encode(watchShare, forKey: .watchShare)
    try keys.encode(scanAt?.description, forKey: .scanAt)
    try keys.encode(durationText(settle), forKey: .settle)
    try keys.encode(workers, forKey: .workers)
    try keys.encode(contentHash.rawValue, forKey: .contentHash)
    try keys.encode(hashWindow?.description, forKey: .hashWindow)
    try keys.encode(scrub.map(durationText), forKey: .scrub)
    try keys.encode(namesTellDates, forKey: .namesTellDates)
    try encode(nearby, to: &keys)
    try keys.encode(retry, forKey: .retry)
    try keys.encode("\(missingGrace)d", forKey: .missingGrace)
    try encode(removalFuse, to: &keys)
    try keys.encode(durationText(changesKept), forKey: .changesKept)
    try keys.encode(logLevel.rawValue, forKey: .logLevel)
  }

  private func encode(
    _ nearby: Duration?, to keys: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    guard let nearby else { return try keys.encode(false, forKey: .nearby) }
    try keys.encode(durationText(nearby), forKey: .nearby)
  }

  private func encode(
    _ fuse: RemovalFuse?, to keys: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    guard let fuse else { return try keys.encode("off", forKey: .removalFuse) }
    try keys.encode(FuseKeys(share: fuse.share, count: fuse.count), forKey: .removalFuse)
  }
}

private struct FuseKeys: Encodable {
  let share: Double
  let count: Int
}

extension Configuration.Root: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, path, exclude, followSymlinks, timeZone, inode, owner, removable
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(path, forKey: .path)
    try keys.encode(exclude, forKey: .exclude)
    try keys.encode(followSymlinks, forKey: .followSymlinks)
    try keys.encode(timeZone, forKey: .timeZone)
    try keys.encode(inode, forKey: .inode)
    try keys.encode(owner, forKey: .owner)
    try keys.encode(removable, forKey: .removable)
  }
}

extension Configuration.Retry: Encodable {
  private enum CodingKeys: String, CodingKey {
    case first, most, giveUpAfter
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(durationText(first), forKey: .first)
    try keys.encode(durationText(most), forKey: .most)
    try keys.encode(durationText(giveUpAfter), forKey: .giveUpAfter)
  }
}

extension Encodable {
  /// As JSON for people and programs, with the names in snake case.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

/// A duration as the configuration writes it, in the largest unit that says it exactly.
private func durationText(_ duration: Duration) -> String {
  let units: [(String, Duration)] = [
    ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)),
  ]
  for (unit, length) in units where duration >= length {
    let count = Int64(duration / length)
    if length * count == duration { return "\(count)\(unit)" }
  }
  return "\(Int64(duration / .milliseconds(1)))ms"
}
