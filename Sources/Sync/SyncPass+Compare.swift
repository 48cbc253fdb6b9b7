import IndexStore
import Library
import Linux
import Model

/// Rows whose files were not where they had been.
struct GoneRows: Sendable {
  /// The file is gone, on good evidence.
  var vanished: Set<Int64> = []
  /// The path is there, but holds another file; this one may have another path now.
  var displaced: Set<Int64> = []
  /// The sizes of those that can be found again by their hash.
  var sizes: Set<Int64> = []
  /// All of these, and the rows that are missing, by what stays with a file that is renamed.
  var byInode: [InodeStamp: [PhotoMatch]] = [:]
  /// Vanished rows whose inodes do not count, by the directory that went with them.
  var byDirectory: [RelativePath: [KnownPhoto]] = [:]

  mutating func remember(_ match: PhotoMatch) {
    byInode[InodeStamp(match.photo.fingerprint), default: []].append(match)
  }
}

/// What a rename leaves as it is.
struct InodeStamp: Hashable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let modified: Timestamp

  init(_ fingerprint: Fingerprint) {
    inode = fingerprint.inode
    size = fingerprint.size
    modified = fingerprint.modified
  }
}

/// A file that has, by inode, size and time, been seen under another path.
struct Arrival: Sendable {
  let path: RelativePath
  let fingerprint: Fingerprint
  let fileSystem: String
  let matches: [PhotoMatch]
  /// The row that has the path now, or has it again, for the rule that left it out has gone.
  let occupant: Int64?
}

extension SyncPass {
  /// Finds, for all dirty directories, the rows whose files are gone.
  mutating func compare(_ tree: RootTree) async throws {
    var isAnythingNew = !hasRows && !dirty.isEmpty
    for number in dirty where hasRows {
      try Task.checkCancellation()
      let listed = survey.listing(of: number)
      guard let listing = listed ?? (try? tree.list(survey.directories[number].path)) else {
        survey.directories[number].isSettled = false
        continue
      }
      if try await compare(number, listing) { isAnythingNew = true }
    }
    // There may be very many missing ones, which only what is new can be.
    guard isAnythingNew else { return }
    for missing in try await index.missingPhotos() { gone.remember(missing) }
    gone.sizes.formUnion(try await index.sizesOfMissingPhotos(of: root.id))
  }

  /// Returns whether there are files that no row had under their paths.
  private mutating func compare(_ number: Int, _ listing: AdmittedListing) async throws -> Bool {
    let directory = survey.directories[number].path
    let known = try await index.photos(in: directory, of: root.id)
    let onDisk = Dictionary(
      listing.photos.map { ($0.name, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
    let unreadable = Set(listing.unreadable.map(\.name))
    var writes: [PhotoWrite] = []
    var new = Set(onDisk.keys)
    for row in known where row.state != .missing && !unreadable.contains(row.path.name) {
      if let found = onDisk[row.path.name] {
        new.remove(row.path.name)
        // It may be another photo, which has taken the name; then this one is sought elsewhere.
        if row.isOther(than: found) { rememberSize(of: row) }
        if countsInodes(listing.fileSystem), found.inode != row.fingerprint.inode {
          new.insert(row.path.name)
          gone.displaced.insert(row.id)
          gone.remember(PhotoMatch(root: root.id, photo: row))
        }
      } else {
        classify(row, below: listing, at: directory, &writes)
      }
    }
    try await compareSubdirectories(of: directory, listing, &writes)
    try await index.apply(writes, to: root.id)
    return !new.isEmpty
  }

  /// Rows in directories that are not there any more, or that a rule now leaves out.
  private mutating func compareSubdirectories(
    of directory: RelativePath, _ listing: AdmittedListing, _ writes: inout [PhotoWrite]
  ) async throws {
    let listed = Set(listing.subdirectories)
    let unreadable = Set(summary.unreadable.map(\.path))
      .union(listing.unreadable.map { directory.appending(Array($0.name)) })
    for name in try await index.subdirectories(of: directory, root.id) where !listed.contains(name)
    {
      let path = directory.appending(name)
      guard !unreadable.contains(path) else { continue }
      var last: RelativePath?
      while true {
        let rows = try await index.photos(below: path, of: root.id, after: last)
        guard let end = rows.last else { break }
        last = end.path
        for row in rows { classify(row, below: listing, at: directory, &writes) }
        try await index.apply(writes, to: root.id)
        writes = []
      }
    }
  }

  /// What becomes of a row whose file is not among those that count.
  private mutating func classify(
    _ row: KnownPhoto, below listing: AdmittedListing, at directory: RelativePath,
    _ writes: inout [PhotoWrite]
  ) {
    if listing.isMarkedExcluded || root.rules.exclusion(of: row.path) != nil {
      guard row.state == .present else { return }
      writes.append(.leave(id: row.id, .excluded))
      summary.excluded += 1
    } else if isEvident(row, below: listing, at: directory) {
      gone.vanished.insert(row.id)
      if countsInodes(listing.fileSystem) {
        gone.remember(PhotoMatch(root: root.id, photo: row))
      } else if row.path.directory != directory {
        gone.byDirectory[row.path.directory, default: []].append(row)
      }
      rememberSize(of: row)
    }
  }

  private mutating func rememberSize(of row: KnownPhoto) {
    guard row.contentHash != nil, row.fingerprint.size > 0 else { return }
    gone.sizes.insert(row.fingerprint.size)
  }

  /// Whether the listing proves that the row's file is gone: every directory from the listed one
  /// down to the file's own was last seen on the file system that the listed one is on now.
  ///
  /// Otherwise a disk that was mounted there may simply not be mounted any more.
  private mutating func isEvident(
    _ row: KnownPhoto, below listing: AdmittedListing, at directory: RelativePath
  ) -> Bool {
    for path in row.path.ancestors where path.isWithin(directory) {
      guard let state = states[path], !listing.fileSystem.canBe(state.fileSystem) else {
        continue
      }
      if !summary.unreadable.contains(where: { $0.path == path }) {
        noteUnreadable(
          UnreadableDirectory(
            path: path, errorNumber: nil,
            message: "its photos were seen on \(state.fileSystem), but "
              + "\(listing.fileSystem.description) is there now; their rows are kept"))
      }
      return false
    }
    return true
  }

  /// Files that some gone row's inode, size and time fit, in the order of the survey.
  mutating func findArrivals(_ tree: RootTree) async throws -> [Arrival] {
    guard !gone.byInode.isEmpty else { return [] }
    var arrivals: [Arrival] = []
    for number in dirty {
      try Task.checkCancellation()
      let directory = survey.directories[number].path
      let listed = survey.listing(of: number)
      guard let listing = listed ?? (try? tree.list(directory)), countsInodes(listing.fileSystem)
      else {
        continue
      }
      let fitting = listing.photos.filter { gone.byInode[InodeStamp($0.fingerprint)] != nil }
      guard !fitting.isEmpty else { continue }
      let known = try await index.photos(in: directory, of: root.id).filter {
        $0.state != .missing
      }
      // Present ones come first.
      let occupants = Dictionary(
        known.map { ($0.path.name, $0) }, uniquingKeysWith: { first, _ in first })
      arrivals += fitting.compactMap {
        arrival($0, in: directory, listing.fileSystem, occupants[$0.name])
      }
    }
    return arrivals
  }

  /// Returns nil for a file whose own row is that of its path.
  private func arrival(
    _ photo: AdmittedListing.Photo, in directory: RelativePath, _ fileSystem: FileSystem,
    _ occupant: KnownPhoto?
  ) -> Arrival? {
    guard occupant?.fingerprint.inode != photo.fingerprint.inode else { return nil }
    return Arrival(
      path: directory.appending(Array(photo.name)), fingerprint: photo.fingerprint,
      fileSystem: fileSystem.description,
      matches: gone.byInode[InodeStamp(photo.fingerprint)] ?? [], occupant: occupant?.id)
  }
}

extension KnownPhoto {
  fileprivate func isOther(than file: Fingerprint) -> Bool {
    file.size != fingerprint.size || file.modified != fingerprint.modified
  }
}
