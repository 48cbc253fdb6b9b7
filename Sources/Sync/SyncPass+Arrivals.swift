import IndexStore
import Library
import Linux
import Model

/// A file that has, by inode, size and time, been seen under another path.
struct Arrival: Sendable {
  let path: RelativePath
  let fingerprint: Fingerprint
  let fileSystem: String
  let matches: [PhotoMatch]
  /// The row that has the path now, or has it again, for the rule that left it out has gone.
  var occupant: Int64?
}

extension SyncPass {
  /// Files that some gone row's inode, size and time fit, in the order of the survey.
  ///
  /// A file that kept its name, where no other row claims it or its path, is that row's without
  /// doubt. A renamed tree has very many of those, and they are moved as they are found.
  mutating func findArrivals(_ tree: RootTree) async throws -> [Arrival] {
    guard !gone.stamps.isEmpty else { return [] }
    var arrivals: [Arrival] = []
    var plain: [PhotoMove] = []
    for number in dirty {
      try Task.checkCancellation()
      let directory = survey.directories[number].path
      let listed = survey.listing(of: number)
      guard let listing = listed ?? (try? tree.list(directory)), countsInodes(listing.fileSystem)
      else {
        continue
      }
      let rows = listing.photos.map { gone.stamps.rows(like: $0.fingerprint) }
      let fitting = zip(listing.photos, rows).filter { !$1.isEmpty }.map(\.0)
      guard !fitting.isEmpty else { continue }
      if let moves = try await movesOfAll(in: directory, listing, rows) {
        for move in moves { forgetGone(move.id) }
        plain += moves
        if plain.count >= transactionSize.rows { try await rename(&plain) }
        continue
      }
      let occupants = try await occupants(of: directory)
      for batch in batches(of: fitting) {
        let matches = try await matches(of: batch)
        for photo in batch {
          let matches = matches[InodeStamp(photo.fingerprint)] ?? []
          let occupant = occupants[photo.name]
          // The own row of its path.
          guard !matches.isEmpty, occupant?.inode != photo.fingerprint.inode else { continue }
          let arrival = Arrival(
            path: directory.appending(Array(photo.name)), fingerprint: photo.fingerprint,
            fileSystem: listing.fileSystem.description, matches: matches, occupant: occupant?.row)
          if let row = try await plainRow(of: arrival) {
            forgetGone(row)
            plain.append(PhotoMove(id: row, path: arrival.path, fingerprint: arrival.fingerprint))
          } else {
            arrivals.append(arrival)
          }
        }
        if plain.count >= transactionSize.rows { try await rename(&plain) }
      }
    }
    try await rename(&plain)
    return arrivals
  }

  /// The moves of all files of a directory, if each of them is without doubt one of another directory,
  /// under its name there; nil: they have to be looked at one by one.
  ///
  /// Of a renamed tree that holds for every directory, and asks for the rows of each at once.
  private func movesOfAll(
    in directory: RelativePath, _ listing: AdmittedListing, _ rows: [[Int64]]
  ) async throws -> [PhotoMove]? {
    guard let first = rows.first?.first, rows.allSatisfy({ $0.count == 1 }),
      let match = try await index.photos(withIDs: [first]).first, match.root == root.id,
      try await isOnFileSystem(match, listing.fileSystem.description),
      try await index.photos(in: directory, of: root.id, [.present, .excluded]).isEmpty
    else { return nil }
    let old = try await index.photos(in: match.photo.path.directory, of: root.id, [.present])
    let known = Dictionary(old.map { ($0.path.name, $0) }, uniquingKeysWith: { first, _ in first })
    var moves: [PhotoMove] = []
    moves.reserveCapacity(rows.count)
    for (photo, ids) in zip(listing.photos, rows) {
      guard let row = known[photo.name], row.id == ids[0], gone.vanished.contains(row.id),
        InodeStamp(row.fingerprint) == InodeStamp(photo.fingerprint)
      else { return nil }
      let path = directory.appending(Array(photo.name))
      moves.append(PhotoMove(id: row.id, path: path, fingerprint: photo.fingerprint))
    }
    return moves
  }

  /// The rows of a directory's files, with their inodes; a present one before one that was left out.
  private func occupants(
    of directory: RelativePath
  ) async throws -> [ArraySlice<UInt8>: (row: Int64, inode: UInt64)] {
    var occupants: [ArraySlice<UInt8>: (row: Int64, inode: UInt64)] = [:]
    for row in try await index.photos(in: directory, of: root.id, [.present, .excluded])
    where row.state == .present || occupants[row.path.name] == nil {
      occupants[row.path.name] = (row.id, row.fingerprint.inode)
    }
    return occupants
  }

  private func matches(
    of photos: ArraySlice<AdmittedListing.Photo>
  ) async throws -> [InodeStamp: [PhotoMatch]] {
    let rows = photos.flatMap { gone.stamps.rows(like: $0.fingerprint) }
    // Two hard links have one row in common.
    return Dictionary(grouping: try await index.photos(withIDs: Array(Set(rows)))) {
      InodeStamp($0.photo.fingerprint)
    }
  }

  /// The row that the file is for certain.
  private func plainRow(of arrival: Arrival) async throws -> Int64? {
    guard arrival.occupant == nil, arrival.matches.count == 1, let match = arrival.matches.first,
      match.photo.state == .present, gone.vanished.contains(match.photo.id),
      match.photo.path.name == arrival.path.name,
      try await isOnFileSystem(match, arrival.fileSystem)
    else { return nil }
    return match.photo.id
  }

  private mutating func rename(_ moves: inout [PhotoMove]) async throws {
    var rest = moves[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let stint = try await index.rename(rest.prefix(transactionSize.rows))
      rest = rest.dropFirst(stint.rows)
      transactionSize.adapt(to: stint)
    }
    summary.counts.moved += moves.count
    moves = []
  }
}
