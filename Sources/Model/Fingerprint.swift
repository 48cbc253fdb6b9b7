/// What tells one state of a file's bytes from another without reading them.
///
/// The change time catches editors that put the modification time back after writing.
package struct Fingerprint: Hashable, Sendable {
  package let size: Int64
  package let modified: Timestamp
  package let changed: Timestamp
  package let inode: UInt64

  package init(size: Int64, modified: Timestamp, changed: Timestamp, inode: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }
}

/// Nanoseconds since 1970, UTC.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Clamps what 64 bits cannot hold, such as a stamp of the year 2300 on XFS or Btrfs.
  package init(seconds: Int64, nanoseconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else {
      self.nanoseconds = seconds < 0 ? .min : .max
      return
    }
    let (sum, carry) = product.addingReportingOverflow(nanoseconds)
    self.nanoseconds = carry ? .max : sum
  }

  /// Whole seconds since 1970, rounded down.
  package var seconds: Int64 {
    nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds + 1) / 1_000_000_000 - 1
  }

  package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  package static func + (lhs: Timestamp, rhs: Duration) -> Timestamp {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.wholeNanoseconds)
    return Timestamp(nanoseconds: overflow ? (rhs < .zero ? .min : .max) : sum)
  }

  package static func - (lhs: Timestamp, rhs: Timestamp) -> Duration {
    .nanoseconds(lhs.nanoseconds) - .nanoseconds(rhs.nanoseconds)
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return Timestamp(seconds: seconds, nanoseconds: attoseconds / 1_000_000_000).nanoseconds
  }
}
