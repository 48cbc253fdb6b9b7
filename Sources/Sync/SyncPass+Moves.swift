import IndexStore
import Library
import Model

extension SyncPass {
  /// Gives the rows their new paths whose files were found again without being read: by inode,
  /// size and time, or with their whole directory.
  mutating func moveRows(_ tree: RootTree) async throws {
    try await moveTrees()
    try await moveClaims(try await claimRows(try await findArrivals(tree)))
    try await moveDirectories(tree)
    _ = try await mergeRows(gone.vanished.sorted())
  }

  private mutating func moveClaims(_ claims: [Claim]) async throws {
    guard !claims.isEmpty else { return }
    let claims = try await unseat(claims)
    let claimOfRow = Dictionary(uniqueKeysWithValues: claims.enumerated().map { ($1.row, $0) })
    // A claim whose row another claim unseats belongs to that one's chain; in a ring, all do.
    let followers = Set(claims.compactMap { $0.arrival.occupant.flatMap { claimOfRow[$0] } })
    let heads = claims.indices.filter { !followers.contains($0) }
    var done = Set<Int>()
    var simple: [PhotoMove] = []
    for start in heads + claims.indices where !done.contains(start) {
      let group = chain(from: start, claims, claimOfRow, &done)
      if group.count == 1 {
        simple.append(move(of: claims[start]))
      } else {
        try await index.move(group.map { move(of: claims[$0]) }, exchanging: true, to: root.id)
      }
    }
    try await moveEach(simple)
    for claim in claims { forgetGone(claim.row) }
    // Even if it had none when the pass began: a row may have come from another root.
    hasRows = true
    summary.counts.moved += claims.count
  }

  func moveEach(_ moves: [PhotoMove]) async throws {
    for moves in batches(of: moves) {
      try await index.move(Array(moves), exchanging: false, to: root.id)
    }
  }

  private struct Claim {
    let row: Int64
    let arrival: Arrival

    var isRenamed: Bool {
      let known = arrival.matches.first { $0.photo.id == row }
      return known?.photo.path.name != arrival.path.name
    }
  }

  private func move(of claim: Claim) -> PhotoMove {
    PhotoMove(
      id: claim.row, path: claim.arrival.path, fingerprint: claim.arrival.fingerprint,
      isRedated: settings.namesTellDates && claim.isRenamed)
  }

  /// Which row each arrival is: the oldest one that has lost its file and was on this file system.
  ///
  /// Hard links fit one another's rows, so those that kept their names choose first, and of these the
  /// first by its path, in whatever order the directories were listed. A link that is missing since
  /// an earlier pass has no such right.
  private func claimRows(_ arrivals: [Arrival]) async throws -> [Claim] {
    var rows: [Int: Int64] = [:]
    var taken: Set<Int64> = []
    let wanted = Set(arrivals.compactMap { $0.matches.first?.photo.id })
    let order =
      wanted.count == arrivals.count
      ? Array(arrivals.indices)
      : arrivals.indices.sorted {
        arrivals[$0].path < arrivals[$1].path
      }
    for isNameKept in [true, false] {
      for number in order where rows[number] == nil {
        let arrival = arrivals[number]
        for match in arrival.matches.sorted(by: { $0.photo.id < $1.photo.id })
        where !taken.contains(match.photo.id) && hasLostItsFile(match) && !isAtHome(match, arrival)
          && (!isNameKept || isKeepingItsName(match, arrival))
        {
          guard try await isOnFileSystem(match, arrival.fileSystem) else { continue }
          taken.insert(match.photo.id)
          rows[number] = match.photo.id
          break
        }
      }
    }
    return rows.sorted { $0.key < $1.key }.map { Claim(row: $1, arrival: arrivals[$0]) }
  }

  private func isKeepingItsName(_ match: PhotoMatch, _ arrival: Arrival) -> Bool {
    match.photo.state != .missing && match.photo.path.name == arrival.path.name
  }

  private func isAtHome(_ match: PhotoMatch, _ arrival: Arrival) -> Bool {
    match.root == root.id && match.photo.path == arrival.path
  }

  private func hasLostItsFile(_ match: PhotoMatch) -> Bool {
    match.photo.state == .missing || gone.vanished.contains(match.photo.id)
      || gone.displaced.contains(match.photo.id)
  }

  /// A row of a directory that is no longer known is taken at the word of its inode, size and
  /// nanosecond.
  func isOnFileSystem(_ match: PhotoMatch, _ fileSystem: String) async throws -> Bool {
    let directory = match.photo.path.directory
    let known =
      match.root == root.id
      ? states[directory]?.fileSystem
      : try await index.fileSystem(of: directory, in: match.root)
    return known.map { $0 == fileSystem } ?? true
  }

  /// The claims that must be carried out together: each takes the path of the next one's row.
  private func chain(
    from start: Int, _ claims: [Claim], _ claimOfRow: [Int64: Int], _ done: inout Set<Int>
  ) -> [Int] {
    var group: [Int] = []
    var next: Int? = start
    while let current = next, done.insert(current).inserted {
      group.append(current)
      next = claims[current].arrival.occupant.flatMap { claimOfRow[$0] }
    }
    return group
  }

  /// Rows whose paths others take turn missing, all before any path is taken: what the user said of
  /// one is not handed on to a copy that goes as well.
  ///
  /// One of them may be an older row of a file that is claimed for another, and lives on as that.
  /// Returns what is claimed then.
  private mutating func unseat(_ claims: [Claim]) async throws -> [Claim] {
    let claimed = Set(claims.map(\.row))
    let unseated = claims.compactMap(\.arrival.occupant).filter { !claimed.contains($0) }
    let merged = try await mergeRows(unseated, claimed: claimed)
    let left = unseated.filter { merged[$0] == nil }
    try await turnMissing(left)
    for row in left { forgetGone(row) }
    let olderOfYounger = Dictionary(merged.map { ($1, $0) }, uniquingKeysWith: max)
    func oldest(_ row: Int64) -> Int64 { olderOfYounger[row].map(oldest) ?? row }
    // A row that lives on as one that is claimed moves but once.
    summary.counts.moved -= claims.count { oldest($0.row) != $0.row }
    return claims.map { claim in
      var arrival = claim.arrival
      // The other ones have left, or are where the younger one was.
      arrival.occupant = arrival.occupant.flatMap { claimed.contains($0) ? oldest($0) : nil }
      return Claim(row: oldest(claim.row), arrival: arrival)
    }
  }

  mutating func forgetGone(_ row: Int64) {
    gone.vanished.remove(row)
    gone.displaced.remove(row)
  }

  /// Files that came with the bytes of a row that is gone are that row under a new path, if there
  /// is exactly one of them; all others are photos of their own.
  mutating func adoptCandidates() async throws {
    let byContent = Dictionary(grouping: candidates) { $0.hashes?.content }
    var writes: [PhotoWrite] = []
    for reading in candidates {
      guard let content = reading.hashes?.content, byContent[content]?.count == 1,
        let row = try await goneRow(with: content, like: reading)
      else {
        writes.append(.insert(reading))
        continue
      }
      let move = PhotoMove(id: row, path: reading.path, fingerprint: reading.fingerprint)
      try await index.move([move], exchanging: false, to: root.id)
      // The bytes are the same, but what the stamps say, or a newer reader finds, may differ.
      try await index.apply([.update(id: row, reading, .same)], to: root.id)
      forgetGone(row)
      summary.counts.moved += 1
    }
    try await apply(writes)
    candidates = []
  }

  /// Of several rows with these bytes, the one that had the same name, else the oldest.
  private func goneRow(with content: Hash, like reading: PhotoReading) async throws -> Int64? {
    let rows = try await index.photos(withContent: content).filter {
      $0.photo.state == .missing || gone.vanished.contains($0.photo.id)
    }
    return (rows.first { $0.photo.path.name == reading.path.name } ?? rows.first)?.photo.id
  }
}
