import IndexStore
import Linux
import Model

/// The commands `--forget`, `--forget-missing`, `--rename-root` and `--accept`.
extension ControlRequest.Change {
  func run(_ setting: Setting, _ invocation: Invocation) async throws -> ExitStatus {
    guard case .accept(let argument) = self else { return try await run(setting) }
    let path = try absolutePath(of: argument)
    let status = try await ControlRequest.Change.accept(path).run(setting)
    guard status == .done, let end = path.lastIndex(of: UInt8(ascii: "/")) else { return status }
    // What is there now is read at once.
    return try await Rescan(setting, invocation).run([Array(path[..<max(end, 1)])])
  }

  private func run(_ setting: Setting) async throws -> ExitStatus {
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      // Who serves the index does it; nobody else could.
      if let connection = try setting.connectToService() {
        return try ControlClient(connection, setting.configuration.logLevel).ask(.change(self))
      }
      let lock = try setting.lockIndex()
      defer { withExtendedLifetime(lock) {} }
      let index = try setting.openIndex(nil)
      let answer = try await carryOut(in: index, setting) { setting.log($0, .warning) }
      try await index.checkpoint()
      try printOutput(answer)
      return .done
    }
  }

  /// Returns what there is to say of it.
  func carryOut(
    in index: PhotoIndex, _ setting: Setting, warn: (String) -> Void
  ) async throws -> String {
    switch self {
    case .forget(let name, let withMarks):
      return try await forget(name, withMarks: withMarks, index, setting, warn)
    case .forgetMissing(let names):
      return try await forgetMissing(names, index)
    case .rename(let name, let newName):
      return try await rename(name, to: newName, index, setting)
    case .accept(let path): return try await accept(path, index)
    }
  }

  private func forget(
    _ name: String, withMarks: Bool, _ index: PhotoIndex, _ setting: Setting,
    _ warn: (String) -> Void
  ) async throws -> String {
    let root = try await find(name, index)
    guard !setting.configuration.roots.contains(where: { $0.name == name }) else {
      throw Failure(
        .configuration,
        "\(printable(name.utf8)): \(setting.configurationFile ?? "") names this root, so that the "
          + "next scan would index it again; take it out there first")
    }
    let marked = try await index.marksOnlyIn(root.id)
    guard marked == 0 || withMarks else {
      throw Failure(
        .configuration,
        "\(printable(name.utf8)): \(grouped(marked)) of its photos have marks of yours (favourites, "
          + "ratings, albums, times, places), and no other root has a copy of them; nothing was "
          + "forgotten. To forget them, too: --forget \(printable(name.utf8)) --with-marks")
    }
    if marked > 0 { warn("\(grouped(marked)) photos with marks of yours are forgotten, too") }
    let count = try await index.forget(root.id)
    return "\(printable(name.utf8)): forgotten, with \(grouped(count)) photos\n"
  }

  private func forgetMissing(_ names: [String], _ index: PhotoIndex) async throws -> String {
    let roots = try await index.roots()
    var chosen: [RootRow] = []
    for name in names { chosen.append(try await find(name, index)) }
    var lines: [String] = []
    for root in names.isEmpty ? roots : chosen {
      let (count, marked) = try await index.forgetMissing(of: root.id)
      let marks = marked > 0 ? ", \(grouped(marked)) of them with marks of yours" : ""
      lines.append(
        "\(printable(root.name.utf8)): \(grouped(count)) missing photos forgotten\(marks)\n")
    }
    return lines.joined()
  }

  private func rename(
    _ name: String, to newName: String, _ index: PhotoIndex, _ setting: Setting
  ) async throws -> String {
    let root = try await find(name, index)
    guard try await !index.roots().contains(where: { $0.name == newName }) else {
      throw Failure(
        .configuration, "\(printable(newName.utf8)): another root of the index has this name")
    }
    let configured = setting.configuration.roots.map(\.name)
    if let file = setting.configurationFile {
      guard !configured.contains(name), configured.contains(newName) || root.state == .detached
      else {
        throw Failure(
          .configuration,
          "\(file): must call the root \(printable(newName.utf8)), and none "
            + "\(printable(name.utf8)), before the index does")
      }
    }
    try await index.rename(root.id, to: newName)
    return "\(printable(name.utf8)): is called \(printable(newName.utf8)) now\n"
  }

  private func accept(_ path: [UInt8], _ index: PhotoIndex) async throws -> String {
    guard let root = try await index.roots().first(where: { contains(realRoot($0.path), path) })
    else { throw Failure(.noInput, "\(printable(path)): lies in no root of the index") }
    let relative = relativePath(of: path, in: realRoot(root.path))
    guard let kind = try await index.accept(relative, in: root.id) else {
      throw Failure(.noInput, "\(printable(path)): the view suspects does not list it")
    }
    let next = kind == .replaced ? "" : "; the next scan reads it anew"
    return "\(printable(path)): \(kind.rawValue), and accepted\(next)\n"
  }

  private func find(_ name: String, _ index: PhotoIndex) async throws -> RootRow {
    if let root = try await index.roots().first(where: { $0.name == name }) { return root }
    let known = try await index.roots().map { printable($0.name.utf8) }.joined(separator: ", ")
    throw Failure(
      .noInput, "\(printable(name.utf8)): the index has no root of this name; it has: \(known)")
  }
}
