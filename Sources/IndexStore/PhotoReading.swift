package import Model
import SQLite

/// What one reading of a file found out, ready for the index.
///
/// A class, because it goes from the reader through several lists to the writer, and a copy of
/// its thirty strings each time would show in a first index.
package final class PhotoReading: Sendable {
  package let path: RelativePath
  package let fingerprint: Fingerprint
  package let readerVersion: Int
  package let metadata: PhotoMetadata
  package let taken: TakenTime?
  package let place: PlacedAt?
  /// There when the file was read whole.
  package let hashes: FileHashes?
  /// Why the metadata could not be read; then a `retry` row says so.
  package let failure: ReadFailure?
  package let sidecars: [SidecarReading]
  /// The digest of their names and stamps; nil where there are none.
  package let sidecarState: Int64?

  /// Its `readingColumns`. They are made here, by the task that reads, because the one that writes
  /// has more to do.
  let columns: ValueList
  /// Those of `exposure` behind id and lens; empty when there is nothing to say.
  let exposureColumns: ValueList

  package init(
    path: RelativePath, fingerprint: Fingerprint, readerVersion: Int, metadata: PhotoMetadata,
    taken: TakenTime?, place: PlacedAt?, hashes: FileHashes?, failure: ReadFailure?,
    sidecars: [SidecarReading] = [], sidecarState: Int64? = nil
  ) {
    self.path = path
    self.fingerprint = fingerprint
    self.readerVersion = readerVersion
    self.place = place
    self.hashes = hashes
    self.failure = failure
    self.sidecars = sidecars
    self.sidecarState = sidecarState
    var columns = ValueList()
    columns.reserve(readingColumns.count, bytes: usualByteCount)
    columns.appendText(writeRandomIdentifier)
    columns.append(path)
    columns.append(fingerprint)
    columns.append(sidecarState)
    columns.append(hashes)
    columns.append(metadata, readBy: readerVersion)
    columns.append(taken)
    self.columns = columns
    var exposureColumns = ValueList()
    if let exposure = metadata.exposure, !exposure.isEmpty {
      exposureColumns.reserve(5, bytes: 0)
      exposureColumns.append(exposure)
    }
    self.exposureColumns = exposureColumns
    // Behind their last use: so they move here, and are not copied.
    self.metadata = metadata
    self.taken = taken
  }
}

/// More than the texts of nearly every photo take.
private let usualByteCount = 400

/// Why a file could not be read, in the words of the `retry` table.
package struct ReadFailure: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    /// It was being written.
    case busy
    /// It ends before or inside its metadata.
    case truncated
    case permission
    case io
    case decoder
  }

  package let reason: Reason
  package let errorNumber: Int?

  /// Whether it says nothing of the bytes.
  package var isOfAccess: Bool {
    switch reason {
    case .busy, .permission, .io: true
    case .truncated, .decoder: false
    }
  }

  package let message: String

  package init(_ reason: Reason, errorNumber: Int? = nil, message: String) {
    self.reason = reason
    self.errorNumber = errorNumber
    self.message = message
  }
}

/// When a failed reading is tried again.
package struct RetryPlan: Hashable, Sendable {
  /// Seconds until the second attempt; each wait is twice the one before.
  package var first: Int64
  /// The longest wait, in seconds.
  package var most: Int64
  /// Seconds after the first failure at which the attempts end.
  package var giveUpAfter: Int64

  package init(first: Int64 = 30, most: Int64 = 6 * 3600, giveUpAfter: Int64 = 30 * 86_400) {
    self.first = first
    self.most = most
    self.giveUpAfter = giveUpAfter
  }

  /// The time of the next attempt after `attempts` failures; nil when it is time to give up.
  package func nextAttempt(after attempts: Int64, firstFailedAt: Int64, now: Int64) -> Int64? {
    guard now - firstFailedAt < giveUpAfter else { return nil }
    let doublings = min(attempts - 1, 40)
    let wait = min(most, first.multipliedReportingOverflow(by: 1 << max(0, doublings)).0)
    return now + max(1, wait)
  }
}
