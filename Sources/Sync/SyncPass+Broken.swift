import IndexStore
import Library
import Model

/// Rows whose files are no photos of their types any more.
struct BrokenPhotos: Sendable {
  /// In which directory, by its number in the survey.
  var directories: [Int64: Int] = [:]
  /// As they were read.
  var files: [Int64: Fingerprint] = [:]
  /// Rows that were held, and whose files are what they had been.
  var whole: Set<Int64> = []
  /// What is to be written; of no more than may be written.
  var writes: [Int64: PhotoWrite] = [:]
  /// So many that a person has to look at them.
  var isHeld = false
}

extension SyncPass {
  /// Whether too many broken photos are a reason to stop; they are with the removals.
  var holdsChanges: Bool { settings.removalFuse != nil && !settings.confirmsRemovals }

  mutating func noteBroken(_ row: Int64, _ write: PhotoWrite, in directory: Int) {
    broken.directories[row] = directory
    broken.whole.remove(row)
    if case .update(_, let reading, _) = write { broken.files[row] = reading.fingerprint }
    if broken.directories.count <= settings.mostBroken { broken.writes[row] = write }
  }

  /// Those will be read once more.
  mutating func forgetBroken(in directories: Set<Int>) {
    for (row, directory) in broken.directories where directories.contains(directory) {
      broken.directories[row] = nil
      broken.files[row] = nil
      broken.writes[row] = nil
    }
  }

  /// A virus or a bad cable makes of a library what nobody can open: then the rows keep what they
  /// say, for the files may come back from a backup, and nothing turns missing.
  mutating func judgeBroken(_ tree: RootTree) async throws {
    let held = try await index.heldChanges(of: root.id)
    let isNews = !broken.directories.isEmpty || !held.isEmpty
    guard isNews else { return }
    // What has held the root once holds it until it is whole again, or a person has looked. A file
    // that is gone, or that nobody can look at, is not whole.
    let released = held.filter { holdsChanges ? broken.whole.contains($0) : survey.covers($1) }
    try await index.releaseChanges(of: released.keys.sorted())
    let all = try await broken.directories.count + index.recentDamage(of: root.id)
    broken.isHeld =
      holdsChanges && (held.count > released.count || all > settings.mostBroken)
    if broken.isHeld {
      try await index.holdChanges(broken.files.sorted { $0.key < $1.key }.map { ($0, $1) })
    } else if let unread = directoriesToRead() {
      forgetBroken(in: unread)
      try await reconcile(unread.sorted(), tree, total: unread.count, isLastLook: true)
      try await judgeBroken(tree)
    } else {
      try await apply(broken.writes.sorted { $0.key < $1.key }.map(\.value))
      summary.suspects[.damaged, default: 0] += broken.writes.count
    }
  }

  /// Where there are broken photos of which it was not kept what they say now, since there were too
  /// many of them before some were read once more; nil where there are none.
  private func directoriesToRead() -> Set<Int>? {
    let unread = broken.directories.filter { broken.writes[$0.key] == nil }
    return unread.isEmpty ? nil : Set(unread.values)
  }
}
