import IndexStore
import Model

extension SyncPass {
  /// A file that an earlier pass took for a new one, before anybody looked where it came from, is
  /// still the file it was: the older row lives on, with all that was said of either.
  ///
  /// One of two hard links that was removed looks the same. Its row goes on as the other one's if
  /// it is the older; if not, it goes missing, and the other is told what the user said of it.
  mutating func mergeRows() async throws {
    for row in vanishedRows() {
      try Task.checkCancellation()
      guard let twin = try await twin(of: row) else { continue }
      if row.id < twin.photo.id {
        try await index.merge(twin.photo.id, into: row.id)
        forgetGone(row.id)
        summary.counts.moved += 1
      } else {
        try await index.handOnMarks(of: row.id, to: twin.photo.id)
      }
    }
  }

  /// Of this root, and with inodes that count; oldest first.
  private func vanishedRows() -> [KnownPhoto] {
    gone.byInode.values.joined()
      .filter { $0.root == root.id && gone.vanished.contains($0.photo.id) }
      .map(\.photo).filter { $0.state == .present }.sorted { $0.id < $1.id }
  }

  /// The oldest row that has been seen with the file of this one.
  private func twin(of row: KnownPhoto) async throws -> PhotoMatch? {
    for match in try await index.photos(withInodeOf: row.fingerprint) {
      let id = match.photo.id
      guard id != row.id, !gone.vanished.contains(id), !gone.displaced.contains(id) else {
        continue
      }
      guard let state = states[row.path.directory] else { return match }
      if try await isOnFileSystem(match, state.fileSystem) { return match }
    }
    return nil
  }
}
