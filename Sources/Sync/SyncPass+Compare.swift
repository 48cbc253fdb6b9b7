import IndexStore
import Library
import Linux
import Model

extension SyncPass {
  /// Finds, for all dirty directories, the rows whose files are gone.
  mutating func compare(_ tree: RootTree) async throws {
    gone.held = Set(try await index.heldRemovals(of: root.id).keys)
    var isAnythingNew = !hasRows && !dirty.isEmpty
    for number in dirty where hasRows {
      try Task.checkCancellation()
      let path = survey.directories[number].path
      let listed = survey.listing(of: number)
      if listed == nil, try await !index.hasRows(below: path, of: root.id) {
        if survey.directories[number].photoCount > 0 { isAnythingNew = true }
        continue
      }
      guard let listing = listed ?? (try? tree.list(path)) else {
        survey.directories[number].isSettled = false
        continue
      }
      if try await compare(number, listing) { isAnythingNew = true }
    }
    // There may be very many missing ones, which only what is new can be.
    if isAnythingNew { try await rememberMissing() }
    gone.stamps.sort()
  }

  private mutating func rememberMissing() async throws {
    var last: PhotoMatch?
    while true {
      let page = try await index.missingPhotos(after: last)
      guard let end = page.last else { break }
      last = end
      for missing in page { gone.stamps.insert(missing.photo) }
    }
    gone.sizes.formUnion(try await index.sizesOfMissingPhotos())
  }

  /// Returns whether there are files that no row had under their paths.
  private mutating func compare(_ number: Int, _ listing: AdmittedListing) async throws -> Bool {
    let directory = survey.directories[number].path
    let onDisk = Dictionary(
      listing.photos.map { ($0.name, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
    let unreadable = Set(listing.unreadable.map(\.name))
    var writes: [PhotoWrite] = []
    var new = Set(onDisk.keys)
    var subdirectories: Set<[UInt8]> = []
    var start: KnownPage.Start? = .first
    while let next = start {
      let page = try await index.photos(
        in: directory, of: root.id, [.present, .excluded], from: next)
      start = page.next
      subdirectories.formUnion(page.subdirectories)
      if next == .first, start == nil {
        compared.keep(page.photos, of: number, at: await index.changeCount)
      }
      for row in page.photos where !unreadable.contains(row.path.name) {
        guard let found = onDisk[row.path.name] else {
          classify(row, below: listing, at: directory, &writes)
          continue
        }
        new.remove(row.path.name)
        // It may be another photo, which has taken the name; then this one is sought elsewhere.
        if row.isOther(than: found) { rememberSize(of: row) }
        guard countsInodes(listing.fileSystem), found.inode != row.fingerprint.inode else {
          continue
        }
        new.insert(row.path.name)
        gone.displaced.insert(row.id)
        gone.stamps.insert(row)
      }
      if start != nil {
        try await leave(writes)
        writes = []
      }
    }
    try await compare(subdirectories, of: directory, listing, &writes)
    try await leave(writes)
    return !new.isEmpty
  }

  /// Rows in directories that are not there any more, or that a rule now leaves out.
  private mutating func compare(
    _ subdirectories: Set<[UInt8]>, of directory: RelativePath, _ listing: AdmittedListing,
    _ writes: inout [PhotoWrite]
  ) async throws {
    let listed = Set(listing.subdirectories)
    let unreadable = Set(summary.unreadable.map(\.path))
      .union(listing.unreadable.map { directory.appending(Array($0.name)) })
    for name in subdirectories where !listed.contains(name) {
      let path = directory.appending(name)
      guard !unreadable.contains(path) else { continue }
      let moved = try await treesMoved(from: path, below: listing, at: directory)
      for range in PathRange.below(path).without(moved) {
        try await compare(range, below: listing, at: directory, &writes)
      }
    }
  }

  private mutating func compare(
    _ range: PathRange, below listing: AdmittedListing, at directory: RelativePath,
    _ writes: inout [PhotoWrite]
  ) async throws {
    var last: RelativePath?
    while true {
      let rows = try await index.photos(in: range, of: root.id, after: last)
      guard let end = rows.last else { return }
      last = end.path
      for row in rows { classify(row, below: listing, at: directory, &writes) }
      try await leave(writes)
      writes = []
    }
  }

  private mutating func leave(_ writes: [PhotoWrite]) async throws {
    var rest = writes[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(removalSize.rows))
      rest = rest.dropFirst(batch.count)
      let duration = try await index.apply(batch, to: root.id)
      removalSize.adapt(to: duration, for: batch.count)
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
      if row.state == .excluded { gone.excluded.insert(row.id) }
      if countsInodes(listing.fileSystem) {
        gone.stamps.insert(row)
      } else if row.path.directory != directory {
        gone.directories.insert(row.path.directory)
      }
      rememberSize(of: row)
    }
  }

  /// A row whose file is gone from where inodes count.
  mutating func noteVanished(_ row: KnownPhoto) {
    gone.vanished.insert(row.id)
    gone.stamps.insert(row)
    rememberSize(of: row)
  }

  private mutating func rememberSize(of row: KnownPhoto) {
    guard row.contentHash != nil, row.fingerprint.size > 0 else { return }
    gone.sizes.insert(row.fingerprint.size)
  }

  /// What holds for one row of a directory holds for the next, too.
  private mutating func isEvident(
    _ row: KnownPhoto, below listing: AdmittedListing, at directory: RelativePath
  ) -> Bool {
    let lost = row.path.directory
    if let known = gone.evidence, known.directory == lost, known.listed == directory {
      return known.isGiven
    }
    let isGiven = isEvident(lost, below: listing, at: directory)
    gone.evidence = GoneRows.Evidence(directory: lost, listed: directory, isGiven: isGiven)
    return isGiven
  }

  /// Whether the listing proves that a directory's files are gone: every directory from the listed one
  /// down to that was last seen on the file system that the listed one is on now.
  ///
  /// Otherwise a disk that was mounted there may simply not be mounted any more.
  mutating func isEvident(
    _ lost: RelativePath, below listing: AdmittedListing, at directory: RelativePath
  ) -> Bool {
    for path in lost.ancestors + [lost] where path.isWithin(directory) {
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
}

extension KnownPhoto {
  fileprivate func isOther(than file: Fingerprint) -> Bool {
    file.size != fingerprint.size || file.modified != fingerprint.modified
  }
}
