import IndexStore
import Model

extension SyncPass {
  /// Rows that are gone turn missing, and hand on what the user said of them; unless so many go
  /// in one day that a person must confirm it.
  ///
  /// A row whose path another photo has taken cannot be held back. It went before, and counts.
  mutating func retire() async throws {
    let marked = try await index.heldRemovals(of: root.id)
    let untouched = gone.held.isEmpty ? [] : untouchedDirectories()
    let released = marked.filter {
      !gone.held.contains($0) || untouched.contains($1.directory) || isConfirmed($0, at: $1)
    }
    try await index.releaseRemovals(of: Array(released.keys))
    if try await holdsRemovals(isHeld: marked.count > released.count) {
      try await index.holdRemovals(of: gone.vanished.sorted())
    } else {
      try await turnMissing(gone.vanished.sorted())
    }
    if settings.confirmsRemovals { try await index.confirmRemovals(of: root.id) }
    try await setState(
      held: try await index.heldRemovals(of: root.id),
      changes: try await index.heldChanges(of: root.id))
  }

  /// Those whose tokens are as before: all files are there that were. A directory that was away as a
  /// whole and is back is one of them.
  private func untouchedDirectories() -> Set<RelativePath> {
    let dirty = Set(dirty)
    return Set(
      survey.directories.indices.filter { !dirty.contains($0) }.map { survey.directories[$0].path })
  }

  /// A person has confirmed what is gone; of the rest nobody can see now whether it is.
  private func isConfirmed(_ row: Int64, at path: RelativePath) -> Bool {
    settings.confirmsRemovals && survey.covers(path) && !gone.vanished.contains(row)
  }

  /// Whether the rows that vanished are too many. What has held the root once holds it until it is
  /// back, or a person has looked: the end of the day is no reason to let go.
  private func holdsRemovals(isHeld: Bool) async throws -> Bool {
    guard let fuse = settings.removalFuse, !settings.confirmsRemovals, !gone.vanished.isEmpty else {
      return false
    }
    if isHeld || broken.isHeld { return true }
    let recent = try await index.recentRemovals(of: root.id)
    let going = gone.vanished.subtracting(gone.excluded).count + recent
    // Counting the present rows takes time, which the usual few removals need not spend.
    guard going > fuse.count else { return false }
    let before = try await index.presentCount(in: root.id) + recent - summary.counts.added
    return fuse.isBlown(going: going, of: before)
  }

  mutating func turnMissing(_ rows: [Int64]) async throws {
    var rest = rows[...]
    summary.counts.removed += rest.count
    while !rest.isEmpty {
      try Task.checkCancellation()
      let stint = try await index.retire(rest.prefix(removalSize.rows))
      rest = rest.dropFirst(stint.rows)
      removalSize.adapt(to: stint)
    }
  }

  /// A pass that comes here was neither cut short nor offline.
  mutating func forgetLongMissing() async throws {
    guard survey.isWhole else { return }
    let kept = settings.changesKept.components.seconds
    while try await index.compactFeed(keeping: kept) { try Task.checkCancellation() }
    summary.forgotten = try await index.forgetMissing(
      of: root.id, afterScanDays: settings.missingGrace, but: summary.unreadable.map(\.path))
  }

  private mutating func setState(
    held rows: [Int64: RelativePath], changes: [Int64: RelativePath]
  ) async throws {
    let kept = Array(rows.values) + Array(changes.values)
    heldDirectories = Set(kept.filter { survey.covers($0) }.map(\.directory))
    // Another file system where the root was is a matter for a person.
    if let lost = summary.unreadable.first(where: { $0.path.isRoot && $0.errorNumber == nil }) {
      summary.held = lost.message
      return try await index.setState(of: root.id, .held, lost.message)
    }
    if isResting {
      summary.held = reasonToRest(root.name)
      return try await index.setState(of: root.id, .held, summary.held)
    }
    guard changes.isEmpty else {
      let reason =
        "\(changes.count) photos do not open any more as what they were: more became so in a day "
        + "than should. A bad cable, a dying disk, or a virus? The index keeps what it knew of them, "
        + "and lets nothing turn missing. The view suspects lists them. Restore them all; or if that "
        + "is right: photoindexd --rescan --confirm-removals \(shellWord(root.name))"
      summary.held = reason
      return try await index.setState(of: root.id, .held, reason)
    }
    guard !rows.isEmpty else { return try await index.setState(of: root.id, .online, nil) }
    let present = try await index.presentCount(in: root.id)
    let reason =
      "\(rows.count) of \(present) photos would be gone: more went in a day than removal_fuse "
      + "allows, so that none of these is removed from the index. The view held_removals lists "
      + "them. Put them back; or if they are meant to be gone: "
      + "photoindexd --rescan --confirm-removals \(shellWord(root.name))"
    summary.held = reason
    try await index.setState(of: root.id, .held, reason)
  }

}

/// As a person types it at a shell.
func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
  return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
}
