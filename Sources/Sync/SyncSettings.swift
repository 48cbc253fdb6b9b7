package import Library
package import Model

/// How a pass behaves; what the configuration leaves to it.
package struct SyncSettings: Sendable {
  package enum ContentHashing: String, Hashable, Sendable, CaseIterable {
    /// Every file.
    case full
    /// Every file but videos.
    case photos
    case off
  }

  /// How long a file must have rested before its stamps are trusted.
  package var settle: Duration = .seconds(2)
  /// Whether a pass waits at its end for files that may still be written to; otherwise it tells
  /// where they are.
  package var waitsToSettle = true
  /// How many files are read at the same time.
  package var workers = 2
  package var contentHashing = ContentHashing.full
  /// Whether this pass computes content hashes, or leaves them to the next.
  package var hashesNow = true
  /// Up to how many bytes a file is hashed as soon as it is read. The kernel reads as much ahead when
  /// the head is read; to come again would cost more than the hash, and a second change of the row.
  package var smallFile: Int64 = 128 << 10
  /// Whether files may be read whole at this hour; asked for each directory.
  package var mayHash: @Sendable () -> Bool = { true }
  /// Within which time every file is to be read again, to see whether it is still what it was; nil:
  /// only those that somebody has touched.
  package var scrubInterval: Duration?
  /// What of that this pass does.
  package var scrub: Scrub?
  /// Whether a date in a file's name counts where the file has none.
  package var namesTellDates = false
  /// How far in time a photo without a position may be from those that tell its place; nil: no
  /// place is guessed.
  package var nearby: Duration?
  /// nil: any number of photos may go.
  package var removalFuse: RemovalFuse? = RemovalFuse()
  /// How many photos may turn into something else in a day, unless any number of them may go.
  package var mostBroken = 100
  /// Whether a person has said that what is gone is meant to be gone.
  package var confirmsRemovals = false
  /// Whether a person has said that the file system which is there now is the root's.
  package var acceptsFileSystem = false
  /// On how many days with a good scan a photo must have been missing until its row is deleted.
  package var missingGrace = 30
  /// How far back the change feed goes.
  package var changesKept: Duration = .seconds(90 * 86_400)
  /// The zone for photos that name none and have no position.
  package var timeZone: String?

  package init() {}

  /// In seconds.
  package var scrubTime: Int64 {
    max(1, (scrubInterval ?? .seconds(30 * 86_400)).components.seconds)
  }
}

/// A part of a root that a pass looks at.
package struct SyncScope: Hashable, Sendable {
  package let path: RelativePath
  /// Whether all that lies below is looked at, too. Otherwise only sub-directories are that nobody
  /// knows yet.
  package var isDeep: Bool
  /// Files that their writers have closed: they are read, however young their stamps are.
  package var complete: Set<ArraySlice<UInt8>>
  /// Whether all files are read as they are, for they have been given the time to settle.
  package var isLastLook: Bool

  package init(
    _ path: RelativePath, isDeep: Bool = true, complete: Set<ArraySlice<UInt8>> = [],
    isLastLook: Bool = false
  ) {
    self.path = path
    self.isDeep = isDeep
    self.complete = complete
    self.isLastLook = isLastLook
  }

  /// Where a rule leaves the directory out, the one that says so instead: what lies in it is looked at
  /// as little as in a scan of the whole root.
  func admitted(by rules: PhotoRules) -> SyncScope {
    let line = path.ancestors.dropFirst() + [path]
    guard let leftOut = line.first(where: { rules.exclusion(ofDirectory: $0) != nil }) else {
      return self
    }
    return SyncScope(leftOut.directory, isDeep: false)
  }
}

/// A root, ready to be synced.
package struct SyncRoot: Sendable {
  package let id: Int64
  package let name: String
  package let path: [UInt8]
  package let rules: PhotoRules
  /// Overrides what the type of the file system says about inode numbers.
  package let countsInodes: Bool?
  package let timeZone: String?

  package init(
    id: Int64, name: String, path: [UInt8], rules: PhotoRules, countsInodes: Bool? = nil,
    timeZone: String? = nil
  ) {
    self.id = id
    self.name = name
    self.path = path
    self.rules = rules
    self.countsInodes = countsInodes
    self.timeZone = timeZone
  }
}
