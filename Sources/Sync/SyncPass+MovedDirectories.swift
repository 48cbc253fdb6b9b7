import Digests
import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  /// Where inodes do not count: a directory that is gone and one that came are the same if they
  /// hold the same names, sizes and times, and no other directory that is gone or came does.
  mutating func moveDirectories(_ tree: RootTree) async throws {
    guard !gone.directories.isEmpty else { return }
    let old = try await goneDirectories()
    let new = try await newDirectories(tree)
    for (contents, paths) in old.sorted(by: { $0.value[0] < $1.value[0] }) {
      guard paths.count == 1, let found = new[contents], found.count == 1 else { continue }
      let moves = try await moves(from: paths[0], to: found[0], contents, tree)
      try await moveEach(moves)
      for move in moves { forgetGone(move.id) }
      summary.counts.moved += moves.count
    }
  }

  private func goneDirectories() async throws -> [DirectoryContents: [RelativePath]] {
    var directories: [DirectoryContents: [RelativePath]] = [:]
    for path in gone.directories.sorted() {
      let rows = try await vanishedRows(of: path)
      let contents = DirectoryContents(
        fileSystem: states[path]?.fileSystem ?? "", rows.map { ($0.path.name, $0.fingerprint) })
      directories[contents, default: []].append(path)
    }
    return directories
  }

  private func vanishedRows(of directory: RelativePath) async throws -> [KnownPhoto] {
    try await index.photos(in: directory, of: root.id, [.present, .excluded])
      .filter { gone.vanished.contains($0.id) }
  }

  /// Those that no row's file is in yet.
  private func newDirectories(
    _ tree: RootTree
  ) async throws -> [DirectoryContents: [RelativePath]] {
    var directories: [DirectoryContents: [RelativePath]] = [:]
    for number in dirty {
      try Task.checkCancellation()
      let path = survey.directories[number].path
      guard let listing = survey.listing(of: number) ?? (try? tree.list(path)),
        !countsInodes(listing.fileSystem), !listing.photos.isEmpty,
        try await index.photos(in: path, of: root.id, [.present, .excluded]).isEmpty
      else { continue }
      directories[DirectoryContents(listing), default: []].append(path)
    }
    return directories
  }

  private func moves(
    from old: RelativePath, to new: RelativePath, _ contents: DirectoryContents, _ tree: RootTree
  ) async throws -> [PhotoMove] {
    // Neither the rows nor the listing were kept, for there may be very many.
    guard let listing = try? tree.list(new), DirectoryContents(listing) == contents else {
      return []
    }
    let photos = Dictionary(
      listing.photos.map { ($0.name, $0.fingerprint) }, uniquingKeysWith: { $1 })
    return try await vanishedRows(of: old).compactMap { row in
      photos[row.path.name].map { fingerprint in
        PhotoMove(
          id: row.id, path: new.appending(Array(row.path.name)), fingerprint: fingerprint)
      }
    }
  }
}

/// A digest of what a rename of a directory leaves as it is.
private struct DirectoryContents: Hashable {
  private let digest: Hash

  init(_ listing: AdmittedListing) {
    self.init(
      fileSystem: listing.fileSystem.description,
      listing.photos.map { ($0.name, $0.fingerprint) })
  }

  init(fileSystem: String, _ photos: [(name: ArraySlice<UInt8>, fingerprint: Fingerprint)]) {
    var hasher = SHA256()
    hasher.update(Array(fileSystem.utf8) + [0])
    for (name, file) in photos.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      // No name holds a NUL or a slash, which makes the end of each number plain.
      hasher.update(
        Array(name) + Array("\0\(file.size)/\(file.modified.nanoseconds)/".utf8))
    }
    digest = hasher.finalize()
  }
}
