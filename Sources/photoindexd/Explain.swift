import IndexStore
import Library
import Linux
import Model

/// The command `--explain`.
struct Explain {
  private let setting: Setting

  init(_ setting: Setting) {
    self.setting = setting
  }

  func run(_ argument: [UInt8]) throws -> ExitStatus {
    let path = try absolutePath(argument)
    let reader = try setting.openReader()
    let root = try reader.roots().first { contains(realRoot($0.path), path) }
    guard let root else {
      try printOutput(
        "\(printable(path)): lies in no root of the index \(setting.database())\n")
      return .noInput
    }
    let relative = relativePath(of: path, in: realRoot(root.path))
    var lines = ["\(relative) in root \(root.name) (\(root.state))"]
    lines += rules(relative, root)
    lines += disk(relative, root)
    lines += try rows(relative, root, reader)
    try printOutput(lines.map { $0 + "\n" }.joined())
    return .done
  }

  /// The file itself may be gone; its directory need not be.
  private func absolutePath(_ argument: [UInt8]) throws -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = argument.lastIndex(of: slash)
    let directory = end.map { $0 == 0 ? [slash] : Array(argument[..<$0]) } ?? [UInt8(ascii: ".")]
    let name = Array(argument[(end.map { $0 + 1 } ?? 0)...])
    guard let real = try? realPath(directory) else {
      guard argument.first == slash else {
        throw Failure(.noInput, "\(printable(directory)): there is no such directory")
      }
      return argument
    }
    return real == [slash] ? real + name : real + [slash] + name
  }

  private func rules(_ path: RelativePath, _ root: RootStatus) -> [String] {
    let configured = setting.configuration.roots.first { $0.name == root.name }
    let rules = setting.rules(for: configured)
    if let directory = try? Directory(absolutePath: root.path),
      let reason = rules.exclusion(ofDirectory: path.directory, below: directory)
    {
      return ["rule: left out by \(reason)"]
    }
    if let glob = rules.exclusion(of: path) {
      return ["rule: left out by the pattern \(glob.text)"]
    }
    guard isPhotoName(path.name.span) else {
      return ["rule: left out, its extension is not that of a photo or video"]
    }
    return ["rule: let in"]
  }

  private func disk(_ path: RelativePath, _ root: RootStatus) -> [String] {
    do throws(SystemError) {
      let status = try Directory(absolutePath: root.path).status(at: path.bytes, .refused)
      return switch status.kind {
      case .file: ["disk: a file of \(status.fingerprint.size) bytes"]
      case .symbolicLink: ["disk: a symbolic link; follow_symlinks decides"]
      default: ["disk: no regular file"]
      }
    } catch {
      return ["disk: \(error.message)"]
    }
  }

  private func rows(
    _ path: RelativePath, _ root: RootStatus, _ reader: IndexReader
  ) throws -> [String] {
    var lines: [String] = []
    for row in try reader.explain(path, in: root.id) {
      let since = row.stateSince.map { " since \(utcText($0))" } ?? ""
      lines.append("row: id \(row.id), \(row.state)\(since)")
      let facts = [row.mediaType, row.device, row.takenLocal, row.place].compactMap { $0 }
      if !facts.isEmpty { lines.append("  " + facts.joined(separator: ", ")) }
      if let failure = row.failure {
        let next = failure.nextAttemptAt.map { "next attempt \(utcText($0))" } ?? "given up"
        lines.append(
          "  pending, \(failure.reason): \(failure.message); \(failure.attempts) attempts, \(next)")
      }
    }
    if lines.isEmpty { lines.append("row: none") }
    if let reason = try reader.unreadableReason(path.ancestors, in: root.id) {
      lines.append("kept: \(reason)")
    }
    return lines
  }
}
