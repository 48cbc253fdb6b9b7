package import Model
import SQLite

/// A file whose bytes are to be digested.
package struct UnhashedPhoto: Hashable, Sendable {
  package let id: Int64
  package let path: RelativePath
  package let fingerprint: Fingerprint
}

/// What a reading of the whole file found.
package struct PhotoHashes: Sendable {
  package let id: Int64
  package let fingerprint: Fingerprint
  package let hashes: FileHashes
  /// A `retry` row waits for them.
  package let isRetry: Bool

  package init(id: Int64, fingerprint: Fingerprint, hashes: FileHashes, isRetry: Bool = false) {
    self.id = id
    self.fingerprint = fingerprint
    self.hashes = hashes
    self.isRetry = isRetry
  }
}

extension PhotoIndex {
  /// Stores digests, each only if the row still describes the file that was read.
  package func store(_ results: [PhotoHashes]) throws {
    try inShortTransactions(results) { result in
      try connection.run(
        storeHashes,
        [
          .integer(result.id), .integer(result.fingerprint.size),
          .integer(result.fingerprint.modified.nanoseconds),
          .blob(result.hashes.content.bytes), Value(result.hashes.image?.bytes),
          .integer(nowInSeconds),
        ])
      if result.isRetry || result.hashes.imageFailure != nil {
        try endHashRetry(of: result.id, result.hashes)
      }
    } atEnd: { done in
      try inheritMarks(done.map(\.id))
    }
  }
}

/// Where a content hash was known, only that of the picture was to be had. Should the bytes be others
/// than those, they are looked at when they are verified, which is due then.
private let storeHashes = SQL(
  """
  UPDATE photo SET content_hash = coalesce(content_hash, ?4),
    image_hash = iif(coalesce(content_hash, ?4) = ?4, ?5, image_hash),
    hashed_at = iif(content_hash IS NULL, ?6, hashed_at),
    hash_due = iif(content_hash IS NULL, 0, max(hash_due, content_hash <> ?4)),
    hash_room = NULL
  WHERE id = ?1 AND size = ?2 AND mtime_ns = ?3
  """)
