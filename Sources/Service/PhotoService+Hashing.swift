import IndexStore
import Linux
import Model
import Sync
import Synchronization
import Watch

/// How many files are hashed at a time, before the service looks at what else there is to do.
private let filesASlice = 64

extension PhotoService {
  /// Hashes some of the files below a directory that have no hash; returns what came of it, nil when
  /// nothing is left to do there. It stops for whatever is more urgent.
  func hash(
    _ root: Int64, below directory: RelativePath,
    answer: (@Sendable (ScanRequest.Answer) -> Void)? = nil
  ) async throws -> SyncSummary? {
    guard let record = record(root) else { return nil }
    let open = try await index.unhashedDirectories(of: root).filter {
      !record.hashesTried.contains($0.path) && $0.path.isWithin(directory)
    }
    guard !open.isEmpty else {
      if directory.isRoot { state.withLock { $0.roots[root]?.mayHaveUnhashed = false } }
      return nil
    }
    var (slice, files) = ([RelativePath](), 0)
    for (path, entries) in open where files < filesASlice {
      slice.append(path)
      files += max(1, entries)
    }
    let isAllowed = state.withLock { $0.settings.sync.mayHash }
    let service = self
    let summary = try await pass(
      record, slice.map { SyncScope($0, isDeep: false) }, kind: nil,
      hashesIf: { isAllowed() && !service.isUrgent }, answer: answer)
    // What was left for something else comes again.
    if summary.hashesLeft == 0, !summary.isMoreThanHashes {
      state.withLock { $0.roots[root]?.hashesTried.formUnion(slice) }
    }
    return summary
  }

  /// Whether something waits that goes before hashing.
  var isUrgent: Bool {
    state.withLock { state in
      let now = Instant.now
      return state.roots.values.contains { record in
        record.isOnline && (record.watcher.nextDue.map { $0 <= now } ?? false)
      }
    }
  }
}

extension SyncSummary {
  /// Whether rows changed, or may have to.
  var isMoreThanHashes: Bool {
    counts.added + counts.updated + counts.moved + counts.removed + restored > 0
      || !unsettled.isEmpty
  }
}
