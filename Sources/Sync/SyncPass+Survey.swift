import Decoding
import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  mutating func surveyAll(_ tree: RootTree) async throws {
    let (report, decoder) = (report, decoder)
    // A first index keeps all workers busy; else it may be one file that came.
    let wanted = hasRows ? 1 : settings.workers
    do {
      survey = try await tree.survey(
        from: scopes + openAbove(), states,
        SurveyLister(salt: salt, countsInodes: root.countsInodes), workers: settings.workers
      ) { survey in
        try Task.checkCancellation()
        // While the rest is listed, it gets ready.
        if survey.hasNews { decoder.prepare(wanted) }
        report(.surveying(directories: survey.directories.count, files: survey.fileCount))
      }
    } catch let error as SystemError {
      // Of all other directories the survey tells itself that they cannot be listed.
      throw RootLost(message: error.message)
    }
    for found in survey.unreadable {
      noteUnreadable(
        UnreadableDirectory(
          path: found.path, errorNumber: Int(found.error.code), message: found.error.message))
    }
    summary.counts.directories = survey.directories.count
    summary.counts.files = survey.fileCount
  }

  /// What lies above the scopes and has no token: it must be listed to get one.
  private func openAbove() -> [SyncScope] {
    let open = scopes.flatMap(\.path.ancestors).filter { states[$0]?.isOpen == true }
    return Set(open).map { SyncScope($0, isDeep: false) }
  }

  mutating func noteUnreadable(_ directory: UnreadableDirectory) {
    summary.unreadable.append(directory)
    report(.unreadable(directory))
  }

  /// A directory is dirty when its token is not the stored one, or a failed reading in it is due.
  mutating func findDirty() async throws {
    let due = try await directoriesWithDueRetries()
    let tokens = survey.tokens(&hasher, states).listed
    dirty = survey.directories.indices.filter { index in
      let path = survey.directories[index].path
      guard let token = tokens[index], let stored = states[path]?.changeToken else { return true }
      return token != stored || due.contains(path)
    }
    movedTrees = movedTrees(tokens)
  }

  func directoriesWithDueRetries() async throws -> Set<RelativePath> {
    let due = try await index.directoriesWithDueRetries(of: root.id, hashes: false)
    guard hashes else { return due }
    let all = try await index.directoriesWithDueRetries(of: root.id, hashes: true)
    return all == due || settings.mayHash() ? all : due
  }

  /// Forgets the tokens of the dirty directories and of all above them, so that whatever cuts the
  /// pass short, the next one looks at them again.
  mutating func announce() async throws {
    for number in dirty { announce(number) }
    // What cannot be listed has to be looked at again, too.
    let unreadable = survey.unreadable.compactMap { states[$0.path] }.filter { !$0.isOpen }
    guard !announced.isEmpty || !unreadable.isEmpty else { return }
    let here = announced.sorted().map { number in
      let found = survey.directories[number]
      return DirectoryState(
        path: found.path, changeToken: nil, contentToken: nil,
        // The file system where its rows were seen, until they have been seen again.
        fileSystem: states[found.path]?.fileSystem ?? found.fileSystem.description,
        modified: found.modified, entries: found.entries)
    }
    let others = announcedAbove.compactMap { states[$0] } + unreadable
    try await index.store(here + others.map(\.withoutTokens), of: root.id)
  }

  private mutating func announce(_ number: Int) {
    var next: Int? = number
    while let current = next, announced.insert(current).inserted {
      next = survey.directories[current].parent
      guard next == nil else { continue }
      for path in survey.directories[current].path.ancestors.reversed() {
        next = survey.number(of: path)
        if next != nil { break }
        announcedAbove.insert(path)
      }
    }
  }

  /// Whether inode and change time count in a directory.
  func countsInodes(_ fileSystem: FileSystem) -> Bool {
    root.countsInodes ?? fileSystem.keepsInodes
  }
}

extension DirectoryState {
  /// It has no token: something in it, or below, must be looked at again.
  var isOpen: Bool { changeToken == nil }

  var withoutTokens: DirectoryState { with(changeToken: nil) }

  /// With another token, and without that of the contents.
  func with(changeToken: Token?) -> DirectoryState {
    DirectoryState(
      path: path, changeToken: changeToken, contentToken: nil, fileSystem: fileSystem,
      modified: modified, entries: entries)
  }
}
