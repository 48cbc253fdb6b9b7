package import Model
package import Sync
package import Watch

/// How the service behaves; what the configuration leaves to it.
package struct ServiceSettings: Sendable {
  /// Of every pass. Whether it waits and hashes, the service decides.
  package var sync = SyncSettings()
  package var times = WatchTimes()
  package var plan = ScanPlan()
  /// How often that is looked at which nobody watches.
  package var pollInterval: Duration = .seconds(600)
  /// How often a root that is not there is looked for.
  package var absenceInterval: Duration = .seconds(5)
  /// How long to wait until the next files are compared with their hashes.
  package var scrubPause: Duration = .seconds(3600)
  /// How long to wait after a failure that is not of one file, such as a full disk.
  package var failurePause: Duration = .seconds(30)

  package init() {}
}

/// A root that the service keeps in step.
package struct ServedRoot: Sendable {
  package let root: SyncRoot
  package let isRemovable: Bool
  /// The directory of the index, if it lies in the root.
  package let indexDirectory: RelativePath?

  package init(_ root: SyncRoot, isRemovable: Bool = false, indexDirectory: RelativePath? = nil) {
    self.root = root
    self.isRemovable = isRemovable
    self.indexDirectory = indexDirectory
  }
}

/// Something that an administrator, or who waits for an answer, may want to hear.
package enum ServiceEvent: Sendable {
  /// A scan of all of a root begins.
  case scanning(String, SyncScanReason)
  case progress(String, SyncEvent)
  /// A pass over all of a root, or a part, has ended.
  case finished(String, isScan: Bool, SyncSummary)
  /// A root is there again.
  case online(String)
  case covered(String, WatchCoverage)
  /// A pass ended with an error; it will be tried again.
  case failed(String, any Error)
  /// All that is known to have happened has been looked at.
  case idle
}

package enum SyncScanReason: String, Sendable {
  case start = "start"
  case plan = "plan"
  case appearance = "it is there again"
  case events = "events were lost"
  case mount = "mounts changed"
  case failure = "the last one failed"
  case poll = "not all of it is watched"
  case resumption = "it was resumed"
}
