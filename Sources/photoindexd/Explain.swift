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
    let path = try absolutePath(of: argument)
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
    lines += try sidecars(relative, root, reader)
    try printOutput(lines.map { $0 + "\n" }.joined())
    return .done
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
    if isSidecarName(path.name.span) { return ["rule: let in, as a sidecar"] }
    guard isPhotoName(path.name.span) else {
      return ["rule: left out, its name is not that of a photo, a video or a sidecar"]
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
    if lines.isEmpty && !isSidecarName(path.name.span) { lines.append("row: none") }
    if let reason = try reader.unreadableReason(path.ancestors, in: root.id) {
      lines.append("kept: \(reason)")
    }
    return lines
  }

  /// Which photos a sidecar belongs to, or which sidecars a photo has, by their names on the disk;
  /// and what the index could not read of them.
  private func sidecars(
    _ path: RelativePath, _ root: RootStatus, _ reader: IndexReader
  ) throws -> [String] {
    let configured = setting.configuration.roots.first { $0.name == root.name }
    let tree = try? RootTree(
      path: root.path, rules: setting.rules(for: configured), clock: wallClock)
    guard let listing = try? tree?.list(path.directory) else { return [] }
    let sidecars = Sidecars(listing)
    let isSidecar = isSidecarName(path.name.span)
    var lines: [String] = []
    for photo in listing.photos where isSidecar || photo.name == path.name {
      for sidecar in sidecars.of(photo.name) where !isSidecar || sidecar.name[...] == path.name {
        let owner = path.directory.appending(Array(photo.name))
        let name = isSidecar ? "of \(owner)" : printable(sidecar.name)
        let note = try reader.sidecarNote(sidecar, of: owner, in: root.id)
        lines.append(
          "sidecar: \(name) (\(sidecar.kind.rawValue))" + (note.map { ", not read: \($0)" } ?? ""))
      }
    }
    return isSidecar && lines.isEmpty ? ["sidecar: of no photo in its directory"] : lines
  }
}
