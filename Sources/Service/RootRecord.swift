import Library
import Linux
import Model
import Sync
import Watch

/// What the service knows of a root: what is watched, and what is to be done when.
struct RootRecord: Sendable {
  typealias Instant = ContinuousClock.Instant

  let served: ServedRoot
  let watcher: RootWatcher
  var isOnline = true
  /// What is at its path and was not taken for it.
  var refused: RootIdentity?
  /// When all of it is to be looked at next, and why.
  var scan: (due: Instant, reason: SyncScanReason)
  /// When that is to be looked at next which nobody watches.
  var pollDue: Instant?
  /// Whether directories may be left in which something is to be hashed.
  var mayHaveUnhashed = true
  /// Where that was tried, and came to nothing.
  var hashesTried: Set<RelativePath> = []
  /// When files of it are compared with their hashes next.
  var scrubDue = Instant.now
  /// What is mounted on it, or in it.
  var mounts: Set<MountTable.Mount> = []
  var coverage: WatchCoverage?

  var name: String { served.root.name }

  /// Something was looked at in these scopes, and directories vanished: whatever could not be hashed
  /// there may be another file now.
  mutating func tryHashesAgain(_ scopes: [SyncScope], _ vanished: [RelativePath]) {
    mayHaveUnhashed = true
    guard !hashesTried.isEmpty else { return }
    let paths = scopes.map(\.path) + vanished
    hashesTried = hashesTried.filter { tried in !paths.contains { tried.isWithin($0) } }
  }

  /// The mounts that decide on what is seen in the root.
  func relevant(_ mounts: Set<MountTable.Mount>) -> Set<MountTable.Mount> {
    let path = RelativePath(bytes: Array(served.root.path.dropFirst()))
    func relative(_ mount: MountTable.Mount) -> RelativePath {
      RelativePath(bytes: Array(mount.path.dropFirst()))
    }
    let inside = mounts.filter { relative($0) != path && relative($0).isWithin(path) }
    let around = mounts.filter { path.isWithin(relative($0)) }
    // Of those around it, the innermost; of several at one place, all: one hides the others.
    let depth = around.map(\.path.count).max() ?? 0
    return inside.union(around.filter { $0.path.count == depth })
  }
}
