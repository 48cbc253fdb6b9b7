package import Model
import SQLite

/// A photo whose bytes are to be compared with its hash.
package struct PhotoToVerify: Sendable {
  package let photo: KnownPhoto
  /// Something other than its size and time has changed since it was hashed.
  package let isDue: Bool
}

/// Why a photo is in `suspect`.
package enum SuspectKind: String, Hashable, Sendable {
  /// Other bytes, and nothing else has changed: bit rot.
  case corrupt
  /// Other bytes under the same size and time, but somebody has touched the file.
  case replaced
  /// It cannot be read to its end any more, or is not what it was.
  case damaged
}

extension PhotoIndex {
  /// How many files of the root have to be verified by now, so that each has its turn within the
  /// interval, in seconds. The first call begins to count, as if at `credit` seconds before.
  package func scrubShare(
    of root: Int64, interval: Int64, credit: Int64 = 0
  ) throws -> Int {
    let now = nowInSeconds
    try connection.run(
      beginScrub,
      [.integer(root), .integer(now), .integer(now - interval), .integer(now - credit)])
    let hashed = try connection.integer(countHashed, [.integer(root)]) ?? 0
    let since = try connection.integer(selectScrubbed, [.integer(root)]) ?? now
    let (share, overflows) = hashed.multipliedReportingOverflow(by: now - since)
    return overflows ? Int(hashed) : Int(share / max(interval, 1))
  }

  /// So many files have had their turn; or all that had to.
  package func spendScrub(of root: Int64, files: Int?, interval: Int64) throws {
    guard let files else {
      return try connection.run(setScrubbed, [.integer(root), .integer(nowInSeconds)])
    }
    let hashed = try connection.integer(countHashed, [.integer(root)]) ?? 0
    let seconds = interval.multipliedReportingOverflow(by: Int64(files)).partialValue
    try connection.run(
      advanceScrubbed,
      [.integer(root), .integer(seconds / max(hashed, 1)), .integer(nowInSeconds)])
  }

  package func hashedCount(in root: Int64) throws -> Int {
    Int(try connection.integer(countHashed, [.integer(root)]) ?? 0)
  }

  /// Those whose turn it is: first what was touched, then what was verified longest ago.
  package func photosToVerify(
    in root: Int64, count: Int, onlyDue: Bool
  ) throws -> [PhotoToVerify] {
    var photos: [PhotoToVerify] = []
    for (isDue, sql) in [(true, selectDueHashes), (false, selectOldestHashes)] {
      guard isDue || !onlyDue, photos.count < count else { continue }
      try connection.run(
        sql, [.integer(root), .integer(Int64(count - photos.count)), .integer(nowInSeconds)]
      ) { row in
        let path = RelativePath(bytes: row.blob(1) ?? [])
        photos.append(PhotoToVerify(photo: knownPhoto(row, path, .present), isDue: isDue))
      }
    }
    photoRowsRead += photos.count
    return photos
  }

  /// Their bytes are those of their hashes.
  package func markVerified(_ ids: [Int64]) throws {
    try inShortTransactions(ids) {
      try connection.run(verifyPhoto, [.integer($0), .integer(nowInSeconds)])
      try connection.run(clearSuspect, [.integer($0)])
    }
  }

  /// Nobody could look at them now; they come again when it is their turn.
  package func markTried(_ ids: [Int64]) throws {
    try inShortTransactions(ids) {
      try connection.run(passOver, [.integer($0), .integer(nowInSeconds)])
    }
  }

  /// The row keeps its hash, until the file changes or a person accepts what is there.
  package func suspect(_ id: Int64, _ kind: SuspectKind, found: Hash?) throws {
    try connection.transaction {
      try connection.run(
        upsertSuspect,
        [
          .integer(id), .text(kind.rawValue), Value(found?.bytes), .integer(nowInSeconds),
          .integer(0),
        ])
      try connection.run(verifyPhoto, [.integer(id), .integer(nowInSeconds)])
    }
  }

  /// Somebody has put other bytes there; from now on the hash is theirs.
  package func replaceHashes(of id: Int64, by hashes: FileHashes) throws {
    let now = Value.integer(nowInSeconds)
    try connection.transaction {
      try connection.run(
        upsertSuspect,
        [
          .integer(id), .text(SuspectKind.replaced.rawValue), .blob(hashes.content.bytes), now,
          .integer(0),
        ])
      try connection.run(rememberHash, [.integer(id), now])
      try connection.run(
        takeHashes,
        [.integer(id), .blob(hashes.content.bytes), Value(hashes.image?.bytes), now])
      try endHashRetry(of: id, hashes)
      try inheritMarks([id])
    }
  }

  /// A file with other bytes is no suspect any more, unless they are no photo's.
  func noteSuspect(_ id: Int64, _ reading: PhotoReading, _ change: ContentChange) throws {
    if change == .damaged {
      try connection.run(
        upsertSuspect,
        [
          .integer(id), .text(SuspectKind.damaged.rawValue),
          Value(reading.hashes?.content.bytes), .integer(nowInSeconds), .integer(0),
        ])
    } else if reading.failure == nil, reading.metadata.mediaType != nil {
      try connection.run(deleteSuspect, [.integer(id)])
    }
  }

  /// Takes what is at the path now for right. A file that was taken for rotten has its hash and all
  /// else read anew by the next pass. Returns nil when the path is not suspect.
  package func accept(_ path: RelativePath, in root: Int64) throws -> SuspectKind? {
    try connection.transaction {
      var found: (id: Int64, kind: SuspectKind)?
      try connection.run(selectSuspect, [.integer(root), .blob(path.bytes)]) { row in
        found = SuspectKind(rawValue: row.text(1) ?? "").map { (row.integer(0), $0) }
      }
      guard let found else { return nil }
      try connection.run(deleteSuspect, [.integer(found.id)])
      guard found.kind == .corrupt else { return found.kind }
      try connection.run(rememberHash, [.integer(found.id), .integer(nowInSeconds)])
      try connection.run(forgetContent, [.integer(found.id)])
      for directory in path.ancestors {
        try connection.run(reopenDirectory, [.integer(root), .blob(directory.bytes)])
      }
      return found.kind
    }
  }
}

private let beginScrub = SQL(
  """
  UPDATE root SET scrubbed_at = max(min(coalesce(scrubbed_at, ?4), ?2), ?3)
  WHERE id = ?1 AND (scrubbed_at IS NULL OR scrubbed_at NOT BETWEEN ?3 AND ?2)
  """)
private let selectScrubbed = "SELECT scrubbed_at FROM root WHERE id = ?"
private let setScrubbed = SQL("UPDATE root SET scrubbed_at = ?2 WHERE id = ?1")
private let advanceScrubbed = SQL(
  "UPDATE root SET scrubbed_at = min(coalesce(scrubbed_at, ?3) + ?2, ?3) WHERE id = ?1")

private let isVerifiable = """
  content_hash IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL
  """

private let countHashed = "SELECT count(*) FROM photo WHERE root_id = ? AND \(isVerifiable)"

private func selectHashes(due: Int) -> SQL {
  SQL(
    """
    SELECT \(knownColumns(now: 3)) FROM photo
    WHERE root_id = ?1 AND hash_due = \(due) AND \(isVerifiable) ORDER BY hashed_at LIMIT ?2
    """)
}
private let selectDueHashes = selectHashes(due: 1)
private let selectOldestHashes = selectHashes(due: 0)

private let verifyPhoto = SQL("UPDATE photo SET hashed_at = ?2, hash_due = 0 WHERE id = ?1")
private let passOver = SQL("UPDATE photo SET hashed_at = ?2 WHERE id = ?1")

/// The old hash is that of the last good bytes, however often a file is damaged.
let upsertSuspect = SQL(
  """
  INSERT INTO suspect (photo_id, kind, old_hash, new_hash, found_at, is_held)
  SELECT id, ?2, content_hash, ?3, ?4, ?5 FROM photo WHERE id = ?1
  ON CONFLICT (photo_id) DO UPDATE SET kind = excluded.kind,
    old_hash = iif(kind = 'damaged' AND excluded.kind = 'damaged', old_hash, excluded.old_hash),
    new_hash = excluded.new_hash, found_at = excluded.found_at, is_held = excluded.is_held
  WHERE (kind, new_hash, is_held) IS NOT (excluded.kind, excluded.new_hash, excluded.is_held)
    OR kind <> 'damaged' AND old_hash IS NOT excluded.old_hash
  """)
/// A disk that reads well again.
private let clearSuspect = SQL(
  """
  DELETE FROM suspect WHERE photo_id = ?1 AND kind <> 'replaced'
    AND old_hash IS (SELECT content_hash FROM photo WHERE id = ?1)
  """)
let deleteSuspect = SQL("DELETE FROM suspect WHERE photo_id = ?")
private let selectSuspect = SQL(
  """
  SELECT photo_id, kind FROM suspect JOIN photo ON photo.id = photo_id
  WHERE root_id = ?1 AND path_key = ?2 AND missing_since IS NULL AND excluded_since IS NULL
  """)

private let takeHashes = SQL(
  """
  UPDATE photo SET content_hash = ?2, image_hash = ?3, hashed_at = ?4, hash_due = 0 WHERE id = ?1
  """)
private let forgetContent = SQL(
  """
  UPDATE photo SET content_hash = NULL, image_hash = NULL, hashed_at = NULL, hash_due = 0,
    reader_version = 0
  WHERE id = ?
  """)
private let reopenDirectory = SQL(
  """
  UPDATE sync_state SET change_token = NULL, content_token = NULL, is_hashed = 0
  WHERE root_id = ?1 AND directory_bytes = ?2
  """)
