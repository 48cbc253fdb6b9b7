import IndexStore
import Linux
import Model
import Sync
import Synchronization
import Watch

extension PhotoService {
  /// Does what somebody asked for, part by part, and does between its steps what cannot wait.
  func answer(_ request: ScanRequest) async throws {
    defer { request.answer(.end) }
    for part in request.parts {
      guard let record = record(part.root) else { continue }
      do {
        let summary = try await sync(record, part, request)
        request.answer(.finished(root: record.name, summary))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        request.answer(.failed(root: record.name, error))
        noteFailure(part.root, error)
      }
    }
  }

  private func sync(
    _ record: RootRecord, _ part: ScanRequest.Part, _ request: ScanRequest
  ) async throws -> SyncSummary {
    let id = part.root
    state.withLock { state in
      // Whoever asks for a root that was not there may know better.
      state.roots[id]?.isOnline = true
      state.roots[id]?.hashesTried = []
    }
    var summary = try await pass(
      record, withLooks(SyncScope(part.scope), record), kind: "rescan", waits: true,
      confirmsRemovals: request.confirmedRoot == record.name,
      acceptsFileSystem: request.acceptedRoot == record.name, answer: request.answer)
    guard summary.isOfRoot else { return summary }
    guard request.hashes else { return summary }
    while let slice = try await hash(id, below: part.scope, answer: request.answer) {
      summary.hashed += slice.hashed
      summary.counts.bytesRead += slice.counts.bytesRead
      summary.hashesLeft = slice.hashesLeft
      if slice.hashed > 0 { summary.result = .changed }
      guard state.withLock({ $0.settings.sync.mayHash() }) else { break }
      while let urgent = nextUrgentTask() { try await perform(urgent) }
    }
    if request.scrubs { try await scrub(record, request, &summary) }
    return summary
  }

  func nextUrgentTask() -> ServiceTask? {
    guard isUrgent, case .looks(let looks)? = nextTask() else { return nil }
    return .looks(looks)
  }
}
