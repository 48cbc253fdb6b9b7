import IndexStore
import Model

extension SyncPass {
  /// A file that an earlier pass took for a new one, before anybody looked where it came from, is
  /// still the file it was: the older row lives on, with all that was said of either.
  ///
  /// One of two hard links that was removed looks the same. Its row goes on as the other one's if
  /// it is the older; if not, it goes missing, and the other is told what the user said of it.
  ///
  /// Rows that are to get a path in this pass, `claimed`, are present rows to them.
  ///
  /// Returns those of the rows that live on, each with the one that it took over.
  mutating func mergeRows(
    _ rows: [Int64], claimed: Set<Int64> = []
  ) async throws -> [Int64: Int64] {
    guard !gone.stamps.isEmpty else { return [:] }
    var merged: [Int64: Int64] = [:]
    for batch in batches(of: rows) {
      try Task.checkCancellation()
      let found = try await index.twins(of: batch)
      for id in found.map(\.row.photo.id) {
        // The one before may have taken over a twin of this one.
        let known = merged.isEmpty ? found : try await index.twins(of: [id])
        guard let (row, twins) = known.first(where: { $0.row.photo.id == id }),
          countsInode(of: row), let twin = try await twin(of: row.photo, among: twins, claimed)
        else { continue }
        if row.photo.id < twin {
          try await index.merge(twin, into: row.photo.id)
          forgetGone(row.photo.id)
          merged[row.photo.id] = twin
        } else {
          try await index.handOnMarks(of: row.photo.id, to: twin)
        }
      }
    }
    summary.counts.moved += Set(merged.keys).subtracting(merged.values).count
    return merged
  }

  private func countsInode(of row: PhotoMatch) -> Bool {
    row.root == root.id && gone.stamps.rows(like: row.photo.fingerprint).contains(row.photo.id)
  }

  /// The oldest row that has been seen with the file of this one.
  private func twin(
    of row: KnownPhoto, among matches: [PhotoMatch], _ claimed: Set<Int64>
  ) async throws -> Int64? {
    for match in matches {
      let id = match.photo.id
      let isGone = gone.vanished.contains(id) || gone.displaced.contains(id)
      guard !isGone || claimed.contains(id) else { continue }
      guard let state = states[row.path.directory] else { return id }
      if try await isOnFileSystem(match, state.fileSystem) { return id }
    }
    return nil
  }
}
