import IndexStore
import Model

extension SyncPass {
  /// Rows that are gone turn missing, and hand on what the user said of them; unless so many go
  /// in one day that a person must confirm it.
  ///
  /// A row whose path another photo has taken cannot be held back. It went before, and counts.
  mutating func retire() async throws {
    let marked = try await index.heldRemovals(of: root.id)
    // Its file was seen again, or there is no evidence any more that it is gone.
    let released = marked.filter { survey.covers($1) && !gone.vanished.contains($0) }
    try await index.releaseRemovals(of: Array(released.keys))
    let isHeld = try await holdsRemovals(markedBefore: marked.count)
    if !isHeld { try await retireVanished() }
    if settings.confirmsRemovals { try await index.confirmRemovals(of: root.id) }
    try await setState(
      held: try await index.heldRemovals(of: root.id),
      changes: try await index.heldChanges(of: root.id))
  }

  /// Marks the vanished rows as held, if they are too many.
  private mutating func holdsRemovals(markedBefore: Int) async throws -> Bool {
    guard let fuse = settings.removalFuse, !settings.confirmsRemovals, !gone.vanished.isEmpty else {
      return false
    }
    if broken.isHeld {
      try await index.holdRemovals(of: gone.vanished.sorted())
      return true
    }
    // Counting the present rows takes time, which the usual few removals need not spend.
    let most =
      try await gone.vanished.count + markedBefore + index.recentRemovals(of: root.id)
    guard most > fuse.count else { return false }
    try await index.holdRemovals(of: gone.vanished.sorted())
    let removals = try await removals()
    return fuse.isBlown(going: removals.going, of: removals.before)
  }

  private mutating func retireVanished() async throws {
    var rows = gone.vanished.sorted()[...]
    summary.counts.removed += rows.count
    while !rows.isEmpty {
      try Task.checkCancellation()
      let batch = rows.prefix(removalSize.rows)
      rows = rows.dropFirst(batch.count)
      let duration = try await index.retire(batch)
      removalSize.adapt(to: duration, for: batch.count)
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
        "\(changes.count) photos do not open any more as what they were, which is more than a day "
        + "may bring: a bad cable, a dying disk, or a virus? The index keeps what it knew of them, "
        + "and lets nothing turn missing. The view suspects lists them. Restore them; or if that is "
        + "right: photoindexd --rescan --confirm-removals \(shellWord(root.name))"
      summary.held = reason
      return try await index.setState(of: root.id, .held, reason)
    }
    guard !rows.isEmpty else { return try await index.setState(of: root.id, .online, nil) }
    let removals = try await removals()
    let reason =
      "\(removals.going) of \(removals.before) photos would be gone within a day, which is more "
      + "than removal_fuse allows; none of them was removed from the index. The view "
      + "held_removals lists them. If they are meant to be gone: "
      + "photoindexd --rescan --confirm-removals \(shellWord(root.name))"
    summary.held = reason
    try await index.setState(of: root.id, .held, reason)
  }

  /// How many photos go, with those of the last day, and of how many.
  private func removals() async throws -> (going: Int, before: Int) {
    let counts = try await index.removalCounts(of: root.id)
    return (
      counts.held + counts.recent, counts.present + counts.recent - summary.counts.added
    )
  }
}

/// As a person types it at a shell.
func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
  return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
}
