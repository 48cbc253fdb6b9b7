import Library
import Linux
import Model
import Places
import Sync

extension Configuration {
  /// Reads a configuration file; throws an error that names all its faults.
  init(file: String) throws {
    var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
    let count: Int
    do throws(SystemError) {
      count = try OpenFile(absolutePath: Array(file.utf8)).read(at: 0, into: &bytes)
    } catch {
      let status: ExitStatus = error.reason == .permission ? .noPermission : .configuration
      throw Failure(status, "\(printable(file.utf8)): \(error.message)")
    }
    guard count <= sizeLimit else {
      let fault = ConfigurationError.Fault(
        key: "", found: "more than \(sizeLimit) bytes", expected: "a configuration")
      throw ConfigurationError(file: file, faults: [fault])
    }
    try self.init(json: Array(bytes[..<count]), file: file)
  }

  init(json bytes: [UInt8], file: String) throws {
    let value = try readJSON(blankingComments(bytes), file: file)
    guard let object = value.object else {
      let fault = ConfigurationError.Fault(key: "", found: value.shown, expected: "an object")
      throw ConfigurationError(file: file, faults: [fault])
    }
    self.init()
    var reader = ConfigurationReader(
      object, prefix: "", text: String(decoding: bytes, as: UTF8.self))
    read(&reader)
    reader.refuseUnknownKeys()
    checkRoots(&reader)
    guard reader.faults.isEmpty else {
      throw ConfigurationError(file: file, faults: reader.faults)
    }
  }

  private mutating func read(_ reader: inout ConfigurationReader) {
    database = reader.value("database", absolutePath) { $0.absolutePath }
    resources = reader.value("resources", absolutePath) { $0.absolutePath }
    roots = reader.objects("roots") { Root(&$0) }
    exclude = reader.value("exclude", patterns) { $0.patterns } ?? exclude
    places = reader.value("places", placeFiles) { $0.placeFiles } ?? places
    language = reader.value("language", languages) { $0.languages } ?? language
    timeZone = reader.value("time_zone", zone) { $0.timeZone }
    rescanInterval = reader.value("rescan_interval", duration) { $0.duration }
    pollInterval = reader.value("poll_interval", duration) { $0.duration } ?? pollInterval
    watchShare =
      reader.value("watch_share", "a number from 0 to 1") { $0.number(in: 0...1) } ?? watchShare
    scanAt = reader.value("scan_at", "a time of day such as \"02:30\"") {
      $0.string.flatMap(DayTime.init)
    }
    settle = reader.value("settle", duration) { $0.duration } ?? settle
    workers = reader.value("workers", "a number from 1 to 64") { $0.integer(in: 1...64) } ?? workers
    contentHash =
      reader.value("content_hash", choice(SyncSettings.ContentHashing.allCases.map(\.rawValue))) {
        $0.string.flatMap(SyncSettings.ContentHashing.init)
      } ?? contentHash
    hashWindow = reader.value("hash_window", "a part of the day such as \"01:00-06:00\"") {
      $0.string.flatMap(DayWindow.init)
    }
    scrub = reader.value("scrub", duration) { $0.duration }
    namesTellDates = reader.value("names_tell_dates", truth) { $0.bool } ?? namesTellDates
    nearby = reader.value("nearby", "false, true or a duration up to \"1d\"") { $0.nearby } ?? nil
    readSafety(&reader)
    logLevel =
      reader.value("log_level", choice(LogLevel.allCases.map(\.rawValue))) {
        $0.string.flatMap(LogLevel.init)
      } ?? logLevel
  }

  private mutating func readSafety(_ reader: inout ConfigurationReader) {
    let defaults = Retry()
    retry =
      reader.object("retry") { reader in
        Retry(
          first: reader.value("first", duration) { $0.duration } ?? defaults.first,
          most: reader.value("most", duration) { $0.duration } ?? defaults.most,
          giveUpAfter: reader.value("give_up_after", duration) { $0.duration }
            ?? defaults.giveUpAfter)
      } ?? retry
    missingGrace =
      reader.value("missing_grace", "whole days such as \"30d\"") { $0.wholeDays } ?? missingGrace
    changesKept = reader.value("changes_kept", duration) { $0.duration } ?? changesKept
    if reader.value("removal_fuse", "an object or \"off\"", { $0.isFuse ? $0 : nil })
      == .string("off")
    {
      removalFuse = nil
    } else if let fuse = reader.objectIfThere("removal_fuse", { RemovalFuse(&$0) }) {
      removalFuse = fuse
    }
  }

  /// Two roots must not have one name, nor lie within each other.
  private func checkRoots(_ reader: inout ConfigurationReader) {
    for (index, root) in roots.enumerated() {
      for earlier in roots[..<index] {
        if earlier.name == root.name {
          reader.note(
            "roots[\(index)].name", found: "\"\(root.name)\" again",
            expected: "a name that no other root has")
        }
        let (outer, inner) =
          root.path.count < earlier.path.count ? (root, earlier) : (earlier, root)
        if inner.path == outer.path || (inner.path + "/").hasPrefix(slashEnded(outer.path)) {
          reader.note(
            "roots[\(index)].path",
            found: "\"\(root.path)\", and root \(earlier.name) is "
              + "\"\(earlier.path)\"",
            expected: "roots that do not lie within each other")
        }
      }
    }
  }
}

extension Configuration.Root {
  /// Returns nil when it has no name or no path, which is noted.
  fileprivate init?(_ reader: inout ConfigurationReader) {
    reader.require("name", "the name of the root")
    reader.require("path", absolutePath)
    let name = reader.value("name", "a name that is not empty") { $0.name }
    let path = reader.value("path", absolutePath) { $0.absolutePath }
    exclude = reader.value("exclude", patterns) { $0.patterns } ?? []
    followSymlinks = reader.value("follow_symlinks", truth) { $0.bool } ?? false
    timeZone = reader.value("time_zone", zone) { $0.timeZone }
    inode = reader.value("inode", truth) { $0.bool }
    owner = reader.value("owner", "a name that is not empty") { $0.name }
    removable = reader.value("removable", truth) { $0.bool } ?? false
    guard let name, let path else { return nil }
    self.name = name
    self.path = path
  }
}

extension RemovalFuse {
  fileprivate init(_ reader: inout ConfigurationReader) {
    self.init()
    share = reader.value("share", "a number from 0 to 1") { $0.number(in: 0...1) } ?? share
    count =
      reader.value("count", "a whole number from 0") { $0.integer(in: 0...1_000_000_000) } ?? count
  }
}

extension ConfigurationReader {
  /// Reads an object where another kind of value, read before, may stand, too.
  fileprivate mutating func objectIfThere<Result>(
    _ key: String, _ read: (inout ConfigurationReader) -> Result
  ) -> Result? {
    isObject(key) ? object(key, read) : nil
  }
}

private let absolutePath = "an absolute path such as \"/srv/photos\""
private let placeFiles =
  "a list of absolute paths of GeoJSON files, no two of the same file name"
private let patterns = "a list of patterns as in a .gitignore file"
private let languages = "a list of languages such as [\"ko\", \"en\"]"
private let zone = "a time zone such as \"Asia/Seoul\""
private let duration = "a duration such as \"10s\", \"2h\" or \"7d\""
private let truth = "true or false"

private func choice(_ words: [String]) -> String {
  words.map { "\"\($0)\"" }.joined(separator: " or ")
}

private func slashEnded(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

extension JSONValue {
  fileprivate var name: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// Without a slash at its end, so that one directory has one spelling.
  fileprivate var absolutePath: String? {
    guard var path = string, path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    let names = path.split(separator: "/")
    guard !names.contains("."), !names.contains("..") else { return nil }
    path = "/" + names.joined(separator: "/")
    return path
  }

  /// The index knows a place by the name of its file, among others.
  fileprivate var placeFiles: [String]? {
    let paths = array?.map(\.absolutePath) ?? [nil]
    let names = paths.compactMap { $0?.split(separator: "/").last }
    guard names.count == paths.count, Set(names).count == names.count, names.count <= 1000 else {
      return nil
    }
    return paths.compactMap(\.self)
  }

  /// false is off, and true the usual time.
  fileprivate var nearby: Duration?? {
    switch self {
    case .bool(let isOn): .some(isOn ? .seconds(30 * 60) : nil)
    default: duration.flatMap { $0 <= .seconds(86_400) ? .some($0) : nil }
    }
  }

  fileprivate var patterns: [String]? {
    strings.flatMap { $0.allSatisfy { Glob($0) != nil } ? $0 : nil }
  }

  fileprivate var languages: [String]? {
    strings.flatMap { $0.isEmpty || !$0.allSatisfy(knownLanguages.contains) ? nil : $0 }
  }

  fileprivate var timeZone: String? {
    string.flatMap { TimeZoneDatabase.system.exists($0) ? $0 : nil }
  }

  fileprivate var wholeDays: Int? {
    guard let duration, duration.components.seconds % 86_400 == 0 else { return nil }
    return Int(duration.components.seconds / 86_400)
  }

  fileprivate var isFuse: Bool { self == .string("off") || object != nil }
}

/// The languages in which the bundled places have names.
let knownLanguages: Set<String> = [
  "ar", "bn", "de", "el", "en", "es", "fa", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "nl",
  "pl", "pt", "ru", "sv", "tr", "uk", "ur", "vi", "zh", "zht",
]

private let sizeLimit = 1 << 20

/// The same bytes with blanks for `// …` and `/* … */` outside of strings, so that all else keeps
/// its line and column.
func blankingComments(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  var index = 0
  var isInString = false
  while index < bytes.count {
    let byte = bytes[index]
    if isInString {
      if byte == UInt8(ascii: "\\") { index += 1 }
      if byte == UInt8(ascii: "\"") { isInString = false }
    } else if byte == UInt8(ascii: "\"") {
      isInString = true
    } else if let end = commentEnd(bytes, from: index) {
      for position in index..<end where bytes[position] != newline { result[position] = 0x20 }
      index = end
      continue
    }
    index += 1
  }
  return result
}

private let newline = UInt8(ascii: "\n")

/// Where the comment that starts at `start` ends; nil when none starts there.
private func commentEnd(_ bytes: [UInt8], from start: Int) -> Int? {
  guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
  switch bytes[start + 1] {
  case UInt8(ascii: "/"):
    return bytes[start...].firstIndex(of: newline) ?? bytes.count
  case UInt8(ascii: "*"):
    let rest = (start + 2)..<max(start + 2, bytes.count - 1)
    let end = rest.first {
      bytes[$0] == UInt8(ascii: "*") && bytes[$0 + 1] == UInt8(ascii: "/")
    }
    // One that does not end is left for the parser to complain about.
    return end.map { $0 + 2 }
  default: return nil
  }
}
