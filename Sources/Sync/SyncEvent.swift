package import IndexStore
package import Library
package import Model

/// Something that a person who waits, or an administrator, may want to hear.
package enum SyncEvent: Sendable {
  /// So many directories and files have been listed.
  case surveying(directories: Int, files: Int)
  /// Of the files that have to be read, so many have been.
  case reading(done: Int, of: Int)
  case hashing(done: Int, of: Int)
  /// Of the files whose turn it is, so many have been compared with their hashes.
  case verifying(done: Int, of: Int)
  /// Of the rows of the index, so many have been looked up in a new atlas.
  case labelling(done: Int, of: Int)
  /// Waiting for files that may still be written to.
  case settling(Duration)
  case unreadable(UnreadableDirectory)
  case failed(RelativePath, ReadFailure)
  /// A file beside a photo that says nothing, and why; the photo itself was read.
  case unreadSidecar(RelativePath, String)
  /// A file that is not what it was.
  case suspect(RelativePath, SuspectKind)
}

/// What a pass over a root came to.
package struct SyncSummary: Hashable, Sendable {
  package enum Result: Hashable, Sendable {
    case unchanged
    case changed
    /// The root was not there; nothing was touched.
    case offline(reason: String)
    /// Something else was there, for a person to look at; nothing was touched.
    case refused(RootIdentity)

    /// As the `scan` table has it.
    var word: String {
      switch self {
      case .unchanged: "nothing changed"
      case .changed: "changed"
      case .offline: "offline"
      case .refused: "held"
      }
    }
  }

  package var result = Result.unchanged
  package var counts = ScanCounts()
  /// Photos that left or came back to view by a rule.
  package var excluded = 0
  package var restored = 0
  package var hashed = 0
  /// Photos whose hashes were left to a later pass, for it is not the hour for them.
  package var hashesLeft = 0
  /// Files that were compared with their hashes, and those that were not what they had been.
  package var verified = 0
  package var suspects: [SuspectKind: Int] = [:]
  /// Rows that were deleted, because they had been missing for so long.
  package var forgotten = 0
  /// Why the root is held; nil when it is not.
  package var held: String?
  package var unreadable: [UnreadableDirectory] = []
  /// Directories with files that may still be written to, where the pass was not to wait.
  package var unsettled: [RelativePath] = []
  /// Known directories that are not there any more, or count no more.
  package var vanished: [RelativePath] = []
  /// Files opened to read from, for metadata or for hashes.
  package var filesRead = 0
  /// Rows of photos that had to be compared.
  package var photoRowsRead = 0
}

extension SyncSummary {
  /// What was at the root's path and was not taken for it.
  package var refused: RootIdentity? {
    if case .refused(let identity) = result { identity } else { nil }
  }

  /// Whether the pass looked at the root; otherwise that was not there.
  package var isOfRoot: Bool {
    switch result {
    case .unchanged, .changed: true
    case .offline, .refused: false
    }
  }
}
