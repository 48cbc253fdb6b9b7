import Model
import SQLite

/// The rows of `retry`. What such a row says the index lacks of its file is the metadata, the hash,
/// or both; each is tried again by the step that is there for it.
extension PhotoIndex {
  /// The metadata could not be read. Another state of the file starts the plan anew.
  func store(_ failure: ReadFailure, of id: Int64, isNewState: Bool) throws {
    try store(failure, of: id, lacks: .metadata, isNewState: isNewState)
  }

  /// The metadata was read. A hash that could not be had is still due then, unless the file is
  /// another; and at once, if a newer version of this program reads it.
  func endRetry(of id: Int64, isNewState: Bool, readBy version: Int) throws {
    guard !isNewState else { return try connection.run(deleteRetry, [.integer(id)]) }
    try connection.run(
      keepHashRetry, [.integer(id), .integer(Int64(version)), .integer(nowInSeconds)])
    try connection.run(deleteMetadataRetry, [.integer(id)])
  }

  /// After a clock that was wrong has been put back nothing waits longer than the plan has it.
  package func limitWaits() throws {
    let latest = nowInSeconds + max(retryPlan.most, retryPlan.first)
    guard try connection.first(selectLateRetry, [.integer(latest)]) != nil else { return }
    try connection.run(limitRetries, [.integer(latest), .integer(nowInSeconds)])
  }

  /// The file's hashes could not be had.
  package func storeHashFailures(_ failures: [(id: Int64, failure: ReadFailure)]) throws {
    for batch in batches(of: failures) {
      try connection.transaction {
        for (id, failure) in batch {
          try store(failure, of: id, lacks: .hash, isNewState: false)
        }
      }
    }
  }

  /// Nobody wants the hashes of these files any more.
  package func forgetHashFailures(_ ids: [Int64]) throws {
    guard !ids.isEmpty else { return }
    try connection.transaction {
      for id in ids { try endHashRetry(of: id) }
    }
  }

  /// The hashes are there, or all but that of the picture.
  func endHashRetry(of id: Int64, _ hashes: FileHashes?) throws {
    if let failure = hashes?.failure {
      try store(failure, of: id, lacks: .hash, isNewState: false)
    } else {
      try endHashRetry(of: id)
    }
  }

  private func endHashRetry(of id: Int64) throws {
    try connection.run(deleteHashRetry, [.integer(id)])
    try connection.run(keepMetadataRetry, [.integer(id)])
  }

  private enum Lack: String {
    case metadata, hash, both
  }

  private func store(
    _ failure: ReadFailure, of id: Int64, lacks: Lack, isNewState: Bool
  ) throws {
    var attempts: Int64 = 0
    var firstFailedAt = nowInSeconds
    var known: Lack?
    if !isNewState {
      try connection.run(selectRetry, [.integer(id)]) { row in
        known = Lack(rawValue: row.text(2) ?? "")
        attempts = row.integer(0)
        firstFailedAt = row.integer(1)
      }
    }
    // What could not be read at all tells more than that it could not be hashed, either.
    if lacks == .hash, let known, known != .hash {
      return try connection.run(lackBoth, [.integer(id)])
    }
    let next = retryPlan.nextAttempt(
      after: attempts + 1, firstFailedAt: firstFailedAt, now: nowInSeconds)
    try connection.run(
      upsertRetry,
      [
        .integer(id), .text(failure.reason.rawValue), Value(failure.errorNumber),
        .text(failure.message), .integer(attempts + 1), .integer(firstFailedAt), Value(next),
        // After the metadata, the hash is tried again as well, and says itself if it is lacking.
        .text(lacks.rawValue),
      ])
  }
}

extension FileHashes {
  /// Why the picture's hash is not known.
  package var failure: ReadFailure? {
    imageFailure.map { ReadFailure(.decoder, message: "the picture has no hash: \($0)") }
  }
}

private let selectLateRetry = SQL("SELECT 1 FROM retry WHERE next_attempt_at > ? LIMIT 1")
private let limitRetries = SQL(
  "UPDATE retry SET next_attempt_at = ?2 WHERE next_attempt_at > ?1")
private let selectRetry = SQL(
  "SELECT attempts, first_failed_at, lacks FROM retry WHERE photo_id = ?")
private let upsertRetry = SQL(
  """
  INSERT INTO retry
    (photo_id, reason, errno, message, attempts, first_failed_at, next_attempt_at, lacks)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (photo_id) DO UPDATE SET reason = ?2, errno = ?3, message = ?4, attempts = ?5,
    first_failed_at = ?6, next_attempt_at = ?7, lacks = ?8
  """)
private let lackBoth = SQL("UPDATE retry SET lacks = 'both' WHERE photo_id = ?")
private let deleteRetry = SQL("DELETE FROM retry WHERE photo_id = ?")
private let keepHashRetry = SQL(
  """
  UPDATE retry SET lacks = 'hash', next_attempt_at = iif(
    (SELECT reader_version FROM photo WHERE id = ?1) < ?2, ?3, next_attempt_at)
  WHERE photo_id = ?1 AND lacks <> 'metadata'
  """)
private let deleteMetadataRetry = SQL(
  "DELETE FROM retry WHERE photo_id = ? AND lacks = 'metadata'")
private let keepMetadataRetry = SQL(
  "UPDATE retry SET lacks = 'metadata' WHERE photo_id = ? AND lacks = 'both'")
private let deleteHashRetry = SQL("DELETE FROM retry WHERE photo_id = ? AND lacks = 'hash'")
