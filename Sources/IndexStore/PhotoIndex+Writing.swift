import Model
import SQLite

extension PhotoIndex {
  /// Carries out the changes, all or none, and tells how long other writers had to wait.
  @discardableResult
  package func apply(_ writes: [PhotoWrite], to root: Int64) throws -> Duration {
    guard !writes.isEmpty else { return .zero }
    let duration = try withoutCachesOnFailure {
      try connection.timedTransaction {
        try applyAll(writes, to: root)
        // At the end, when all who may be copies of them have their rows.
        for case .leave(let id, .missing) in writes { try handOnMarks(of: id) }
      }
    }
    // New photos are read meanwhile, and must not wait for people who are not there.
    try courtesy.leaveGap(after: duration, on: connection, onlyIfWanted: true)
    return duration
  }

  /// Inserts that follow each other are made together.
  private func applyAll(_ writes: [PhotoWrite], to root: Int64) throws {
    var inserts: [PhotoReading] = []
    for write in writes {
      if case .insert(let reading) = write {
        inserts.append(reading)
      } else {
        try insert(inserts, into: root)
        inserts.removeAll(keepingCapacity: true)
        try apply(write, to: root)
      }
    }
    try insert(inserts, into: root)
  }

  private func apply(_ write: PhotoWrite, to root: Int64) throws {
    switch write {
    case .insert(let reading):
      try insert([reading], into: root)
    case .update(let id, let reading, let change):
      try update(id, reading, change)
    case .refresh(let id, let fingerprint, let hashDue):
      try connection.run(
        refreshPhoto,
        row(id) {
          $0.append(fingerprint)
          $0.append(Value(hashDue))
        })
    case .leave(let id, .excluded):
      try connection.run(excludePhoto, [.integer(id), .integer(nowInSeconds)])
    case .leave(let id, _):
      try connection.run(missPhoto, [.integer(id), .integer(nowInSeconds)])
    case .comeBack(let id):
      try connection.run(restorePhoto, [.integer(id)])
    }
  }

  /// Inserts the photos, as many as may be with one statement.
  private func insert(_ readings: [PhotoReading], into root: Int64) throws {
    var rest = readings[...]
    for statement in insertPhotos.statements {
      while rest.count >= statement.rows {
        try insert(rest.prefix(statement.rows), into: root, by: statement.sql)
        rest = rest.dropFirst(statement.rows)
      }
    }
  }

  private func insert(
    _ readings: ArraySlice<PhotoReading>, into root: Int64, by sql: SQL
  ) throws {
    let now = nowInSeconds
    var values: [ValueList] = []
    values.reserveCapacity(2 * readings.count)
    for reading in readings {
      values.append(reading.columns)
      var others = row(root) {
        $0.append(now)
        $0.append(reading.hashes == nil ? nil : now)
        $0.append(reading.hashes == nil ? emptyHashRoom : nil)
      }
      others.append(try device(of: reading))
      try append(reading.place, to: &others)
      values.append(others)
    }
    try connection.run(sql, joining: values)
    // AUTOINCREMENT numbers the rows of one statement without a gap.
    let first = connection.lastInsertedRow - Int64(readings.count) + 1
    try connection.run(feedInserts, [.integer(first), .integer(now)])
    try connection.run(markInsertsForDeriving, [.integer(first)])
    try insertExposures(of: readings, first: first)
    for (id, reading) in zip(first..., readings) {
      if let words = reading.metadata.words { try insert(words, of: id) }
      if !reading.sidecars.isEmpty { try insert(reading.sidecars, of: id) }
      if let identifier = reading.metadata.contentIdentifier {
        try connection.run(markCompanionDue, [.integer(root), .text(identifier)])
      }
    }
    for (id, reading) in zip(first..., readings) {
      if let failure = reading.failure {
        try store(failure, of: id, isNewState: true)
      } else if reading.hashes?.imageFailure != nil {
        try endHashRetry(of: id, reading.hashes)
      }
    }
    try inheritMarks(zip(first..., readings).filter { $1.hashes != nil }.map { $0.0 })
  }

  private func insertExposures(of readings: ArraySlice<PhotoReading>, first: Int64) throws {
    var rows: [ValueList] = []
    rows.reserveCapacity(readings.count)
    for (id, reading) in zip(first..., readings) where !reading.exposureColumns.isEmpty {
      rows.append(try exposureRow(id, reading))
    }
    try insertExposure.run(rows, on: connection)
  }

  private func update(_ id: Int64, _ reading: PhotoReading, _ change: ContentChange) throws {
    if let failure = reading.failure, change == .unknown {
      return try store(failure, of: id, isNewState: false)
    }
    if change == .unverified { try connection.run(markHashDue, [.integer(id)]) }
    if change.replacesContent { try replaceContent(of: id, reading, change) }
    try connection.run(
      updateStamps,
      row(id) {
        $0.append(reading.fingerprint)
        $0.append(reading.sidecarState)
      })
    try store(reading.sidecars, of: id)
    // What was read before is better than nothing, as long as the new bytes cannot be read.
    if let failure = reading.failure {
      return try store(failure, of: id, isNewState: change != .same)
    }
    try endRetry(of: id, isNewState: change != .same, readBy: reading.readerVersion)
    if change.replacesContent, reading.hashes?.imageFailure != nil {
      try endHashRetry(of: id, reading.hashes)
    }
    try connection.run(updateMetadata, try metadataRow(id, reading))
    try storeExposure(reading, of: id)
    try store(reading.metadata.words, of: id)
    try storeDerived(reading, of: id)
  }

  /// The hashes that the row has are those of bytes that are gone.
  private func replaceContent(
    of id: Int64, _ reading: PhotoReading, _ change: ContentChange
  ) throws {
    try noteSuspect(id, reading, change)
    try connection.run(rememberHash, [.integer(id), .integer(nowInSeconds)])
    try connection.run(
      updateHashes,
      row(id) {
        $0.append(reading.hashes)
        $0.append(reading.hashes == nil ? nil : nowInSeconds)
      })
    if reading.hashes != nil { try inheritMarks([id]) }
  }

  private func storeDerived(_ reading: PhotoReading, of id: Int64) throws {
    // What the user says of time or place wins; it is applied to the new strings afterwards.
    if try connection.first(hasUserWord, [.integer(id)]) == 1 {
      try connection.run(markPhotoForDeriving, [.integer(id)])
    } else {
      // A guess follows from the time.
      if reading.taken?.utc == nil { try connection.run(withdrawGuess, [.integer(id)]) }
      try connection.run(
        updateDerived,
        row(id) {
          $0.append(reading.taken)
          try append(reading.place, to: &$0)
        })
    }
  }

  /// Gives rows new paths, all or none.
  ///
  /// Where the rows change places among each other they are taken from their paths first
  /// (`exchanging`).
  package func move(_ moves: [PhotoMove], exchanging: Bool, to root: Int64) throws {
    try connection.transaction {
      if exchanging { try vacatePaths(of: moves) }
      for move in moves {
        try connection.run(
          movePhoto,
          row(move.id) {
            $0.append(root)
            $0.append(move.path)
            $0.append(move.fingerprint)
          })
        if move.isRedated { try connection.run(redatePhoto, [.integer(move.id)]) }
      }
    }
  }

  /// Gives the first of these present rows new paths of the same root, where no other row is.
  package func rename(_ moves: some Collection<PhotoMove> & Sendable) throws -> Stint {
    try inOneShortTransaction(moves) { moves in
      let rows = moves.map { move in
        row(move.id) {
          $0.append(move.path)
          $0.append(move.fingerprint.changed.nanoseconds)
        }
      }
      try renamePhotos.run(rows, on: connection)
      guard try connection.first(hasHeldRemovals, []) == 1 else { return }
      for move in moves { try connection.run(releaseRenamed, [.integer(move.id)]) }
    }
  }

  /// The first of these rows, whose files are gone, turn missing, and hand on what the user said of
  /// them.
  package func retire(_ ids: some Collection<Int64> & Sendable) throws -> Stint {
    try inOneShortTransaction(ids) { ids in
      let now = Value.integer(nowInSeconds)
      try missPhotos.run(ids.map { ValueList([.integer($0), now]) }, on: connection)
      for id in ids { try handOnMarks(of: id) }
    }
  }

  /// Takes rows from their paths, so that two of them can change places. The feed, written by
  /// triggers, must not see this step.
  private func vacatePaths(of moves: [PhotoMove]) throws {
    let last = try connection.integer("SELECT max(seq) FROM change") ?? 0
    for move in moves {
      try connection.run(vacatePath, [.integer(move.id)])
    }
    try connection.run(forgetChanges, [.integer(last)])
  }

  /// A failed transaction may have taken back rows whose ids were remembered.
  func withoutCachesOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      deviceIDs = [:]
      lensIDs = [:]
      places = [:]
      throw error
    }
  }

  private func storeExposure(_ reading: PhotoReading, of id: Int64) throws {
    if reading.exposureColumns.isEmpty {
      try connection.run(deleteExposure, [.integer(id)])
    } else {
      try replaceExposure.run([exposureRow(id, reading)], on: connection)
    }
  }

  private func exposureRow(_ id: Int64, _ reading: PhotoReading) throws -> ValueList {
    try row(id) {
      $0.append(try reading.metadata.exposure?.lens.map(self.id(ofLens:)) ?? 0)
      $0.append(reading.exposureColumns)
    }
  }

  private func metadataRow(_ id: Int64, _ reading: PhotoReading) throws -> ValueList {
    try row(id) {
      $0.append(reading.metadata, readBy: reading.readerVersion)
      $0.append(try device(of: reading))
    }
  }

  private func device(of reading: PhotoReading) throws -> Int64? {
    try reading.metadata.device.map(id(of:))
  }
}

/// Those of the file that a guess fills where the file says nothing.
private let guessedColumns = ["latitude", "longitude", positionSources.storedName]

/// A file without a hash needs no second one.
private let markHashDue = SQL(
  "UPDATE photo SET hash_due = 1 WHERE id = ? AND content_hash IS NOT NULL")

private let insertColumns =
  readingColumns + ["root_id", "added_at", "hashed_at", "hash_room", "device_id"] + placeColumns
private let emptyHashRoom = [UInt8](repeating: 0, count: hashRoom)

private let insertPhotos = Insertion(
  "INSERT INTO photo (\(insertColumns.joined(separator: ", ")))", columns: insertColumns.count,
  rows: [64, 8, 1])
private let insertExposure = Insertion("INSERT INTO exposure", columns: 7, rows: [64, 8, 1])
private let replaceExposure = Insertion(
  "INSERT OR REPLACE INTO exposure", columns: 7, rows: [1])

/// An UPDATE of the row whose id is the first parameter; the columns take those that follow. Where
/// the place is a guess, those of `guessed` that would turn NULL stay as they are.
func updateOfPhoto(
  _ columns: [String], keeping guessed: [String] = [], and more: String = ""
) -> SQL {
  let settings = zip(2..., columns).map { number, column in
    guessed.contains(column)
      ? "\(column) = iif(?\(number) IS NULL AND nearby_photo_id IS NOT NULL, \(column), ?\(number))"
      : "\(column) = ?\(number)"
  }.joined(separator: ", ")
  return SQL("UPDATE photo SET \(settings)\(more) WHERE id = ?1")
}

private let updateStamps = updateOfPhoto(stampColumns + ["sidecar_state"])
private let updateHashes = updateOfPhoto(
  hashColumns + ["hashed_at"], and: ", hash_due = 0, hash_room = NULL")
private let updateMetadata = updateOfPhoto(
  fileColumns + ["device_id"], keeping: guessedColumns,
  and: ", nearby_photo_id = iif(?\(2 + (fileColumns.firstIndex(of: "latitude") ?? 0)) IS NULL, "
    + "nearby_photo_id, NULL)")
private let updateDerived = updateOfPhoto(takenColumns + placeColumns, keeping: placeColumns)
private let refreshPhoto = SQL(
  """
  UPDATE photo SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5,
    hash_due = max(hash_due, ?6) WHERE id = ?1
  """)

/// Another root may have another zone.
private let movePhoto = SQL(
  """
  UPDATE photo SET root_id = ?2, path = ?3, path_bytes = ?4, search_path = ?5, size = ?6,
    mtime_ns = ?7, ctime_ns = ?8, inode = ?9, missing_since = NULL, excluded_since = NULL,
    removal_held_since = NULL, missing_scan_day = NULL,
    derive_due = max(derive_due, root_id <> ?2)
  WHERE id = ?1
  """)

/// Of all indexes only those of paths have to be changed, which is what makes it quick.
private let renamePhotos = Insertion(
  "WITH new (id, path, path_bytes, search_path, ctime_ns) AS (", columns: 5, rows: [64, 8, 1],
  """
  ) UPDATE photo SET path = new.path, path_bytes = new.path_bytes, search_path = new.search_path,
    ctime_ns = new.ctime_ns
  FROM new WHERE photo.id = new.id
  """)
let hasHeldRemovals = SQL(
  "SELECT EXISTS (SELECT 1 FROM photo WHERE removal_held_since IS NOT NULL)")
private let releaseRenamed = SQL(
  """
  UPDATE photo SET removal_held_since = NULL WHERE id = ? AND removal_held_since IS NOT NULL
  """)

/// No path holds a NUL, so this key is free.
private let vacatePath = SQL(
  "UPDATE photo SET path_bytes = CAST(char(0) || id AS BLOB) WHERE id = ?1")

private let forgetChanges = SQL("DELETE FROM change WHERE seq > ?")

let missPhoto = SQL(
  """
  UPDATE photo SET missing_since = ?2, excluded_since = NULL, removal_held_since = NULL,
    missing_scan_day = NULL, companion_of = NULL, companion_evidence = NULL
  WHERE id = ?1
  """)
/// The same for many.
private let missPhotos = Insertion(
  "WITH gone (id, since) AS (", columns: 2, rows: [64, 8, 1],
  """
  ) UPDATE photo SET missing_since = gone.since, excluded_since = NULL, removal_held_since = NULL,
    missing_scan_day = NULL, companion_of = NULL, companion_evidence = NULL
  FROM gone WHERE photo.id = gone.id
  """)
private let excludePhoto = SQL(
  """
  UPDATE photo SET excluded_since = ?2, missing_since = NULL, removal_held_since = NULL,
    missing_scan_day = NULL, companion_of = NULL, companion_evidence = NULL
  WHERE id = ?1
  """)
private let restorePhoto = SQL(
  """
  UPDATE photo SET missing_since = NULL, excluded_since = NULL, removal_held_since = NULL,
    missing_scan_day = NULL
  WHERE id = ?1
  """)

let rememberHash = SQL(
  """
  INSERT INTO hash_history (photo_id, content_hash, size, until)
  SELECT id, content_hash, size, ?2 FROM photo WHERE id = ?1 AND content_hash IS NOT NULL
  """)

private let hasUserWord = SQL(
  """
  SELECT EXISTS (SELECT 1 FROM photo_time WHERE photo_id = ?1)
    OR EXISTS (SELECT 1 FROM photo_place WHERE photo_id = ?1)
    OR EXISTS (SELECT 1 FROM device_clock
      WHERE device_id = (SELECT device_id FROM photo WHERE id = ?1))
  """)

/// Of the photos that were inserted from the id ?1 on, those whose device's clock was off. The
/// first condition is looked at once, before any row.
private let markInsertsForDeriving = SQL(
  """
  UPDATE photo SET derive_due = 1
  WHERE EXISTS (SELECT 1 FROM device_clock) AND id >= ?1
    AND device_id IN (SELECT device_id FROM device_clock)
  """)

private let deleteExposure = SQL("DELETE FROM exposure WHERE photo_id = ?")
private let redatePhoto = SQL(
  "UPDATE photo SET derive_due = 1 WHERE id = ? AND \(isDatedByNameAlone)")
private let markPhotoForDeriving = SQL("UPDATE photo SET derive_due = 1 WHERE id = ?")
