import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  /// Where inodes do not count: a directory that is gone and one that came are the same if they
  /// hold the same names, sizes and times, and no other directory that is gone or came does.
  func movesOfDirectories(_ tree: RootTree) async throws -> [PhotoMove] {
    guard !gone.byDirectory.isEmpty else { return [] }
    let old = Dictionary(grouping: gone.byDirectory) { path, rows in
      DirectoryContents(
        fileSystem: states[path]?.fileSystem ?? "", rows.map { ($0.path.name, $0.fingerprint) })
    }
    let new = Dictionary(grouping: try await newDirectories(tree), by: \.contents)
    var moves: [PhotoMove] = []
    for (contents, candidates) in old {
      guard candidates.count == 1, let found = new[contents], found.count == 1 else { continue }
      for row in candidates[0].value {
        guard let photo = found[0].photos[row.path.name] else { continue }
        moves.append(
          PhotoMove(
            id: row.id, path: found[0].path.appending(Array(row.path.name)), fingerprint: photo))
      }
    }
    return moves.sorted { $0.id < $1.id }
  }

  /// Those that no row's file is in yet.
  private func newDirectories(_ tree: RootTree) async throws -> [NewDirectory] {
    var directories: [NewDirectory] = []
    for number in dirty {
      try Task.checkCancellation()
      let path = survey.directories[number].path
      guard let listing = survey.listing(of: number) ?? (try? tree.list(path)),
        !countsInodes(listing.fileSystem), !listing.photos.isEmpty,
        try await !index.photos(in: path, of: root.id).contains(where: { $0.state != .missing })
      else { continue }
      directories.append(
        NewDirectory(
          path: path, fileSystem: listing.fileSystem.description,
          photos: Dictionary(
            listing.photos.map { ($0.name, $0.fingerprint) }, uniquingKeysWith: { $1 })))
    }
    return directories
  }
}

private struct NewDirectory: Sendable {
  let path: RelativePath
  let fileSystem: String
  let photos: [ArraySlice<UInt8>: Fingerprint]

  var contents: DirectoryContents {
    DirectoryContents(fileSystem: fileSystem, photos.map { ($0.key, $0.value) })
  }
}

/// What a rename of a directory leaves as it is.
private struct DirectoryContents: Hashable {
  private struct Entry: Hashable {
    let name: [UInt8]
    let size: Int64
    let modified: Timestamp
  }

  private let fileSystem: String
  private let entries: Set<Entry>

  init(fileSystem: String, _ photos: [(name: ArraySlice<UInt8>, fingerprint: Fingerprint)]) {
    self.fileSystem = fileSystem
    entries = Set(
      photos.map {
        Entry(name: Array($0.name), size: $0.fingerprint.size, modified: $0.fingerprint.modified)
      })
  }
}
