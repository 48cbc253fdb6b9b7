package import Model
package import Sync

/// A pass that somebody asked for and waits for.
package struct ScanRequest: Sendable {
  package struct Part: Sendable {
    package let root: Int64
    package let scope: RelativePath

    package init(root: Int64, scope: RelativePath) {
      self.root = root
      self.scope = scope
    }
  }

  package enum Answer: Sendable {
    case progress(SyncEvent)
    /// What came of a part.
    case finished(root: String, SyncSummary)
    case failed(root: String, any Error)
    /// There is no more to come.
    case end
  }

  package let parts: [Part]
  package let hashes: Bool
  /// The root whose removals are right.
  package let confirmedRoot: String?
  /// The root that lies on another file system from now on.
  package let acceptedRoot: String?
  /// Whether files are compared with their hashes.
  package let scrubs: Bool
  package let answer: @Sendable (Answer) -> Void

  package init(
    parts: [Part], hashes: Bool, confirmedRoot: String?, acceptedRoot: String? = nil,
    scrubs: Bool = false,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    self.parts = parts
    self.hashes = hashes
    self.confirmedRoot = confirmedRoot
    self.acceptedRoot = acceptedRoot
    self.scrubs = scrubs
    self.answer = answer
  }
}
