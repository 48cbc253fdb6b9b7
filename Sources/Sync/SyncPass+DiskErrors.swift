import IndexStore
import Linux
import Model
import Synchronization

/// How many readings have failed, for those who read at the same time: none waits for the others, and
/// all stop before a dying disk has been asked for much.
final class FailedReadings: Sendable {
  private let count = Atomic(0)

  func add(_ more: Int) { count.add(more, ordering: .relaxed) }

  /// How many files to read before one asks again; 0 where it is enough.
  var room: Int {
    let count = count.load(ordering: .relaxed)
    return count == 0 ? 4 : count < mostDiskErrors ? 1 : 0
  }
}

extension SyncPass {
  mutating func addDiskErrors(_ count: Int, in directory: Int) {
    addDiskErrors(count, on: survey.directories[directory].fileSystem.description)
  }

  mutating func addDiskErrors(_ count: Int, on fileSystem: String) {
    guard count > 0 else { return }
    diskErrors[fileSystem, default: 0] += count
  }

  /// Where readings fail one after the other, only a person can tell whether to go on: each further
  /// one may take something from a dying disk.
  mutating func noteDiskErrors() async throws {
    for (fileSystem, count) in diskErrors {
      for resting in try await index.noteDiskErrors(count, on: fileSystem) {
        let reason = reasonToRest(resting.name)
        if resting.id == root.id { (isResting, summary.held) = (true, reason) }
        try await index.setState(of: resting.id, .held, reason)
      }
    }
    diskErrors = [:]
  }
}

func reasonToRest(_ root: String) -> String {
  "disk-errors: one reading after the other failed, as when a disk is dying; nothing is read again "
    + "or hashed. smartctl -a tells how it is; when it is well: "
    + "photoindexd --resume \(shellWord(root))"
}

extension ReadOutcome {
  /// Whether it is that the disk did not give the file.
  var isDiskError: Bool {
    switch self {
    case .write(let writes): writes.contains(where: \.isDiskError)
    case .unread(let write): write.isDiskError
    case .candidate(let reading): reading.failure?.reason == .io
    case .broken, .unsettled: false
    }
  }
}

extension PhotoWrite {
  fileprivate var isDiskError: Bool {
    switch self {
    case .insert(let reading), .update(_, let reading, _): reading.failure?.reason == .io
    case .refresh, .leave, .comeBack: false
    }
  }
}
