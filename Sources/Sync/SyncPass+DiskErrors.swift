import IndexStore
import Linux
import Model

extension SyncPass {
  mutating func addDiskErrors(_ count: Int, in directory: Int) {
    guard count > 0 else { return }
    diskErrors[survey.directories[directory].fileSystem.description, default: 0] += count
  }

  /// Where readings fail one after the other, only a person can tell whether to go on: each further
  /// one may take something from a dying disk.
  mutating func noteDiskErrors() async throws {
    for (fileSystem, count) in diskErrors {
      for resting in try await index.noteDiskErrors(count, on: fileSystem) {
        if resting.id == root.id { isResting = true }
        try await index.setState(of: resting.id, .held, reasonToRest(resting.name))
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
