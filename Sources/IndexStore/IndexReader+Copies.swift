package import Model
import SQLite

/// A photo of the index that has the bytes of some other file.
package struct IndexedCopy: Sendable {
  package let root: [UInt8]
  package let path: RelativePath
  package let modified: Timestamp
  /// Its root was there when it was last looked at.
  package let isOnline: Bool
}

extension IndexReader {
  /// Of these sizes, those that present photos have, each with whether the bytes of one of them are
  /// not known, or not any more.
  package func photoSizes(among sizes: Set<Int64>) throws -> [Int64: Bool] {
    var found: [Int64: Bool] = [:]
    try connection.query(selectSizes) { row in
      let size = row.integer(0)
      guard sizes.contains(size) else { return }
      found[size] = found[size] ?? false || row.integer(1) == 1
    }
    return found
  }

  /// The present photos with these bytes, as far as the index vouches for them.
  package func copies(ofSize size: Int64, _ hash: Hash) throws -> [IndexedCopy] {
    var copies: [IndexedCopy] = []
    try connection.run(selectCopies, [.blob(hash.bytes), .integer(size)]) { row in
      copies.append(
        IndexedCopy(
          root: row.blob(0) ?? [], path: RelativePath(bytes: row.blob(1) ?? []),
          modified: Timestamp(nanoseconds: row.integer(2)), isOnline: row.text(3) == "online"))
    }
    return copies
  }
}

/// A file whose bytes went bad is no copy of what it was.
private let vouched = """
  photo.missing_since IS NULL AND photo.excluded_since IS NULL
    AND +photo.root_id IN (SELECT id FROM root WHERE state <> 'detached')
    AND NOT EXISTS (SELECT 1 FROM suspect
      WHERE suspect.photo_id = photo.id AND suspect.kind IN ('corrupt', 'damaged'))
  """

private let selectSizes = """
  SELECT photo.size, photo.content_hash IS NULL OR photo.hash_due = 1 FROM photo WHERE \(vouched)
  """

private let selectCopies = SQL(
  """
  SELECT coalesce(root.path_bytes, CAST(root.path AS BLOB)), photo.path_key, photo.mtime_ns,
    root.state
  FROM photo JOIN root ON root.id = +photo.root_id
  WHERE photo.content_start = substr(?1, 1, 8) AND photo.content_hash = ?1 AND photo.size = ?2
    AND photo.hash_due = 0 AND \(vouched)
  ORDER BY root.state <> 'online', photo.id
  """)
