/// A point in the change feed: all changes up to and including one that is known by its number and
/// its random mark.
///
/// A copy of the index that was put back, or a commit that a power cut took, has another change
/// under that number, or none; by the mark this is noticed.
package struct FeedToken: Hashable, Sendable {
  package let index: String
  package let sequence: Int64
  package let mark: Int64

  package init(index: String, sequence: Int64, mark: Int64) {
    self.index = index
    self.sequence = sequence
    self.mark = mark
  }

  /// Returns nil for a text that is no token.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 36, let sequence = Int64(parts[1]),
      sequence >= 0, let mark = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(index: String(parts[0]), sequence: sequence, mark: Int64(bitPattern: mark))
  }
}

extension FeedToken: CustomStringConvertible {
  package var description: String {
    "\(index).\(sequence).\(String(UInt64(bitPattern: mark), radix: 16))"
  }
}

/// The feed does not reach back to a token, or never had it: whoever follows it must start anew.
package struct FeedTokenExpired: Error, Hashable {
  package let token: FeedToken

  package init(token: FeedToken) {
    self.token = token
  }
}

/// What has become of a photo, a device or a place since a token.
package struct FeedChange: Sendable {
  package enum Subject: String, CaseIterable, Sendable {
    case device
    case place
    case photo
  }

  package enum Kind: String, Sendable {
    case insert
    case update
    case move
    case delete
    case restore
  }

  package let subject: Subject
  package let kind: Kind
  package let id: Int64
  /// The columns that have changed, each once; empty but for `update` and `move`.
  package let fields: [String]
  /// The row as it is now, with the names of its columns; empty for `delete`.
  package let row: [FeedColumn]
}

/// Which columns of its rows whoever follows the feed wants to see.
package enum FeedColumns: Sendable {
  case all
  /// The id, and a photo's path or the name of what else it is.
  case names
}

package struct FeedColumn: Sendable {
  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  package let name: String
  package let value: Value
}
