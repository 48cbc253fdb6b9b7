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
    }
  }

  /// When a photo is gone, what the user said of it goes on to the present copies of its bytes:
  /// copied today and deleted tomorrow keeps the favourite.
  func handOnMarks(of id: Int64) throws {
    guard try connection.first(hasMarks, [.integer(id)]) == 1 else { return }
    for sql in handOnsToTwins { try connection.run(sql, [.integer(id)]) }
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

private let hasMarks = SQL(
  """
  SELECT content_hash IS NOT NULL AND size > 0 AND \(isMarkedByUser)
  FROM photo WHERE id = ?
  """)

/// The present rows with the bytes of the photo ?1.
private let twins = """
  SELECT twin.id FROM photo AS gone JOIN photo AS twin
    ON twin.content_start = gone.content_start
    AND twin.content_hash = gone.content_hash
  WHERE gone.id = ?1 AND twin.id <> ?1
    AND twin.missing_since IS NULL AND twin.excluded_since IS NULL
  """

private let handOnsToTwins = handOns(to: twins)

/// What the user said of the photo ?1 is said of those, too, whose ids `heirs` selects.
func handOns(to heirs: String) -> [SQL] {
  [
    """
    UPDATE photo SET is_favorite = 1
    WHERE id IN (\(heirs)) AND (SELECT is_favorite FROM photo WHERE id = ?1) = 1
    """,
    """
    INSERT INTO album_photo (album_id, photo_id, position)
    SELECT album_id, heir.id, position FROM album_photo, (\(heirs)) AS heir WHERE photo_id = ?1
    ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO photo_rating (photo_id, rating)
    SELECT heir.id, rating FROM photo_rating, (\(heirs)) AS heir WHERE photo_id = ?1
    ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO photo_place (photo_id, place_id)
    SELECT heir.id, place_id FROM photo_place, (\(heirs)) AS heir WHERE photo_id = ?1
    ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO photo_time (photo_id, local, precision, zone)
    SELECT heir.id, local, precision, zone FROM photo_time, (\(heirs)) AS heir WHERE photo_id = ?1
    ON CONFLICT DO NOTHING
    """,
  ].map(SQL.init)
}
