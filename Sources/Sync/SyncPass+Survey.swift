import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  mutating func surveyAll(_ tree: RootTree) throws {
    let report = report
    survey = try tree.survey(from: scope, &hasher, countsInodes: root.countsInodes) { survey in
      try Task.checkCancellation()
      report(.surveying(directories: survey.directories.count, files: survey.fileCount))
    }
    for found in survey.unreadable {
      noteUnreadable(
        UnreadableDirectory(
          path: found.path, errorNumber: Int(found.error.code), message: found.error.message))
    }
    summary.counts.directories = survey.directories.count
    summary.counts.files = survey.fileCount
  }

  mutating func noteUnreadable(_ directory: UnreadableDirectory) {
    summary.unreadable.append(directory)
    report(.unreadable(directory))
  }

  /// A directory is dirty when its token is not the stored one, or a failed reading in it is due.
  mutating func findDirty() async throws {
    let due = try await index.directoriesWithDueRetries(of: root.id)
    let tokens = survey.tokens(&hasher)
    dirty = survey.directories.indices.filter { index in
      let path = survey.directories[index].path
      guard let token = tokens[index], let stored = states[path]?.changeToken else { return true }
      return token != stored || due.contains(path)
    }
  }

  /// Forgets the tokens of the dirty directories and of all above them, so that whatever cuts the
  /// pass short, the next one looks at them again.
  mutating func announce() async throws {
    for number in dirty {
      var next: Int? = number
      while let current = next, announced.insert(current).inserted {
        next = survey.directories[current].parent
      }
    }
    guard !announced.isEmpty else { return }
    let here = announced.sorted().map { number in
      let found = survey.directories[number]
      return DirectoryState(
        path: found.path, changeToken: nil, contentToken: nil,
        // The file system where its rows were seen, until they have been seen again.
        fileSystem: states[found.path]?.fileSystem ?? found.fileSystem.description,
        modified: found.modified, entries: found.entries)
    }
    let above = scope.ancestors.compactMap { states[$0]?.withoutTokens }
    try await index.store(here + above, of: root.id)
  }

  /// Whether inode and change time count in a directory.
  func countsInodes(_ fileSystem: FileSystem) -> Bool {
    root.countsInodes ?? fileSystem.keepsInodes
  }
}

extension DirectoryState {
  var withoutTokens: DirectoryState {
    DirectoryState(
      path: path, changeToken: nil, contentToken: nil, fileSystem: fileSystem, modified: modified,
      entries: entries)
  }
}
