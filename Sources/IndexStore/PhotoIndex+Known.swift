package import Model
import SQLite

extension PhotoIndex {
  /// Whether the index holds any row of the root; a first index need not ask for each directory.
  package func hasPhotos(in root: Int64) throws -> Bool {
    for state in [presentRows, missingRows, excludedRows] {
      let sql = "SELECT EXISTS (SELECT 1 FROM photo WHERE root_id = ? AND \(state))"
      if try connection.integer(sql, [.integer(root)]) == 1 { return true }
    }
    return false
  }

  /// The rows of the files in `directory` itself, in these states.
  package func photos(
    in directory: RelativePath, of root: Int64, _ states: [KnownPhoto.State]
  ) throws -> [KnownPhoto] {
    var photos: [KnownPhoto] = []
    var start: KnownPage.Start? = .first
    while let next = start {
      let page = try self.photos(in: directory, of: root, states, from: next)
      photos += page.photos
      start = page.next
    }
    return photos
  }

  /// Some rows of the files in `directory` itself, one state after the other, in the order of
  /// paths: there may be very many, as after the removal of a large directory.
  package func photos(
    in directory: RelativePath, of root: Int64, _ states: [KnownPhoto.State],
    from start: KnownPage.Start
  ) throws -> KnownPage {
    var photos: [KnownPhoto] = []
    var subdirectories: Set<[UInt8]> = []
    var next: KnownPage.Start?
    for (number, state) in states.enumerated().dropFirst(start.state) where next == nil {
      var last = number == start.state ? start.last : nil
      try scanChildren(
        of: directory, root, select(state), [.integer(nowInSeconds)], after: last,
        skipped: { subdirectories.insert($0) },
        row: { row, path in
          guard photos.count < pageSize else {
            next = KnownPage.Start(state: number, last: last)
            return false
          }
          photos.append(knownPhoto(row, path, state))
          last = path
          return true
        })
    }
    photoRowsRead += photos.count
    return KnownPage(photos: photos, subdirectories: subdirectories, next: next)
  }

  /// The names and hashes of the present photos in `directory` itself; nil if one has no hash, which
  /// the first one tells where nothing has been hashed yet.
  package func contentHashes(
    in directory: RelativePath, of root: Int64
  ) throws -> [(name: ArraySlice<UInt8>, hash: Hash)]? {
    var hashes: [(name: ArraySlice<UInt8>, hash: Hash)] = []
    var isWhole = true
    try scanChildren(of: directory, root, selectPresent, [.integer(nowInSeconds)]) { row, path in
      let hash = row.blob(8).flatMap { Hash(bytes: $0) }
      if let hash { hashes.append((path.name, hash)) } else { isWhole = false }
      return isWhole
    }
    photoRowsRead += hashes.count
    return isWhole ? hashes : nil
  }

  /// Whether there is any present or excluded row in or below `directory`.
  package func hasRows(below directory: RelativePath, of root: Int64) throws -> Bool {
    let range = PathRange.below(directory)
    return try connection.first(
      hasRowsBelow, [.integer(root), .blob(range.low), .blob(range.high)]) == 1
  }

  /// The next present or excluded rows in a range of paths, in their order; empty when there are no
  /// more.
  package func photos(
    in range: PathRange, of root: Int64, after last: RelativePath?
  ) throws -> [KnownPhoto] {
    var photos: [KnownPhoto] = []
    let low = last.map(key(behind:)) ?? range.low
    let values: [Value] = [
      .integer(root), .blob(low), .blob(range.high), .integer(nowInSeconds),
    ]
    for state in [KnownPhoto.State.present, .excluded] {
      var page: [KnownPhoto] = []
      try connection.scan(select(state), values) { row in
        page.append(knownPhoto(row, RelativePath(bytes: row.blob(1) ?? []), state))
        return page.count < pageSize
      }
      photos += page
    }
    photos.sort { $0.path < $1.path }
    photoRowsRead += photos.count
    return Array(photos.prefix(pageSize))
  }

  /// The next missing rows of all roots; empty when there are no more.
  package func missingPhotos(after last: PhotoMatch?) throws -> [PhotoMatch] {
    let values: [Value] = [
      .integer(nowInSeconds), .integer(last?.root ?? .min), .blob(last?.photo.path.bytes ?? []),
      .integer(last?.photo.id ?? 0), .integer(Int64(pageSize)),
    ]
    return try photos(selectMissing, values)
  }

  /// Rows of any root and in any state; those that are not there any more are left out.
  package func photos(withIDs ids: [Int64]) throws -> [PhotoMatch] {
    try ids.flatMap { try photos(selectByID, [.integer($0), .integer(nowInSeconds)]) }
  }

  /// The sizes of missing rows, of any root, that can be found again by their hash.
  package func sizesOfMissingPhotos() throws -> Set<Int64> {
    var sizes: Set<Int64> = []
    try connection.run(selectMissingSizes) { sizes.insert($0.integer(0)) }
    return sizes
  }

  /// The rows with these bytes, of any root and in any state.
  package func photos(withContent hash: Hash) throws -> [PhotoMatch] {
    let values: [Value] = [
      .blob(Array(hash.bytes.prefix(8))), .blob(hash.bytes), .integer(nowInSeconds),
    ]
    return try photos(selectByContent, values)
  }

  func photos(_ sql: SQL, _ values: [Value]) throws -> [PhotoMatch] {
    var photos: [PhotoMatch] = []
    try connection.run(sql, values) { row in
      let photo = knownPhoto(row, RelativePath(bytes: row.blob(1) ?? []), state(of: row))
      photos.append(PhotoMatch(root: row.integer(12), photo: photo))
    }
    photoRowsRead += photos.count
    return photos
  }

  package func likeness(of id: Int64) throws -> PhotoLikeness? {
    var likeness: PhotoLikeness?
    try connection.run(selectLikeness, [.integer(id)]) { row in
      likeness = PhotoLikeness(
        imageHash: row.blob(0).flatMap { ImageHash(bytes: $0) },
        time: row.text(1).flatMap { RawTime(text: $0) } ?? RawTime(),
        device: DeviceIdentity(make: row.text(2), model: row.text(3), serial: row.text(4)),
        width: row.integerOrNull(5).map(Int.init),
        height: row.integerOrNull(6).map(Int.init)
      )
    }
    return likeness
  }

  /// The directories of the root that hold a failed reading whose next attempt is due; those of
  /// which only the hash failed as well, or not.
  package func directoriesWithDueRetries(
    of root: Int64, hashes: Bool
  ) throws -> Set<RelativePath> {
    var directories: Set<RelativePath> = []
    let values: [Value] = [.integer(root), .integer(nowInSeconds), Value(hashes)]
    try connection.run(selectDueRetries, values) { row in
      directories.insert(RelativePath(bytes: row.blob(0) ?? []).directory)
    }
    return directories
  }

  /// Walks the rows directly in a directory, those behind `last`, as long as `body` returns true.
  /// Keys are whole paths, so the rows of a sub-directory stand between them; each such run is
  /// skipped with one seek.
  func scanChildren(
    of directory: RelativePath, _ root: Int64, _ sql: SQL, _ more: [Value] = [],
    after last: RelativePath? = nil, skipped: ([UInt8]) -> Void = { _ in },
    row body: (borrowing Row, RelativePath) -> Bool
  ) throws {
    let range = PathRange.below(directory)
    var low = range.low
    let prefix = low.count
    if let last { low = key(behind: last) }
    var goesOn = true
    while goesOn {
      goesOn = false
      try connection.scan(sql, [.integer(root), .blob(low), .blob(range.high)] + more) { row in
        let key = row.blob(1) ?? []
        guard let slash = key[prefix...].firstIndex(of: UInt8(ascii: "/")) else {
          return body(row, RelativePath(bytes: key))
        }
        skipped(Array(key[prefix..<slash]))
        low = key[..<slash] + [UInt8(ascii: "/") + 1]
        goesOn = true
        return false
      }
    }
  }
}

/// The keys of some paths: those from `low` on, before `high`.
package struct PathRange: Sendable {
  let low: [UInt8]
  let high: [UInt8]

  /// All paths below a directory: from "directory/" to before "directory0", since '0' follows '/'.
  /// No path is as high as the root's end.
  package static func below(_ directory: RelativePath) -> PathRange {
    guard !directory.isRoot else {
      return PathRange(low: [], high: Array(repeating: 0xff, count: 4097))
    }
    let (slash, next) = (UInt8(ascii: "/"), UInt8(ascii: "/") + 1)
    return PathRange(low: directory.bytes + [slash], high: directory.bytes + [next])
  }

  /// What is left of it without those below some of its directories, of which none lies in another.
  package func without(_ directories: [RelativePath]) -> [PathRange] {
    var rest: [PathRange] = []
    var start = low
    for hole in directories.map(PathRange.below).sorted(by: {
      $0.low.lexicographicallyPrecedes($1.low)
    }) {
      rest.append(PathRange(low: start, high: hole.low))
      start = hole.high
    }
    return rest + [PathRange(low: start, high: high)]
  }
}

/// No path holds a NUL.
private func key(behind path: RelativePath) -> [UInt8] { path.bytes + [0] }

/// Enough rows to make a call pay.
private let pageSize = 1000

private func state(of row: borrowing Row) -> KnownPhoto.State {
  if row.integerOrNull(11) != nil { return .excluded }
  return row.integerOrNull(10) != nil ? .missing : .present
}

func knownPhoto(
  _ row: borrowing Row, _ path: RelativePath, _ state: KnownPhoto.State
) -> KnownPhoto {
  KnownPhoto(
    id: row.integer(0),
    path: path,
    fingerprint: Fingerprint(
      size: row.integer(2),
      modified: Timestamp(nanoseconds: row.integer(3)),
      changed: Timestamp(nanoseconds: row.integer(4)),
      inode: UInt64(bitPattern: row.integer(5))
    ),
    readerVersion: Int(row.integer(6)),
    mediaType: row.text(7),
    contentHash: row.blob(8).flatMap { Hash(bytes: $0) },
    state: state,
    isRetryDue: row.integer(9) == 1,
    hashRetry: row.integerOrNull(15).flatMap { KnownPhoto.HashRetry(rawValue: $0) },
    sidecarState: row.integerOrNull(13),
    isCompanion: row.integer(14) == 1
  )
}

private let presentRows = "missing_since IS NULL AND excluded_since IS NULL"
private let missingRows = "missing_since IS NOT NULL AND excluded_since IS NULL"
private let excludedRows = "excluded_since IS NOT NULL"

/// The columns that `knownPhoto` reads; `now` is the number of the parameter that holds the time.
func knownColumns(now: Int) -> String {
  """
  id, path_key, size, mtime_ns, ctime_ns, inode, reader_version, media_type, content_hash,
    device_pending = 1 AND EXISTS (SELECT 1 FROM retry JOIN root ON root.id = photo.root_id
      WHERE photo_id = photo.id AND lacks <> 'hash' AND next_attempt_at <= ?\(now)
        AND disk_errors_since IS NULL),
    missing_since, excluded_since, root_id, sidecar_state, companion_of IS NOT NULL,
    iif(device_pending = 1, (SELECT coalesce(next_attempt_at <= ?\(now), 0) FROM retry
      WHERE photo_id = photo.id AND lacks <> 'metadata'), NULL)
  """
}

private func select(_ state: KnownPhoto.State) -> SQL {
  switch state {
  case .present: selectPresent
  case .missing: selectMissingOnes
  case .excluded: selectExcluded
  }
}

private let selectPresent = selection(presentRows)
private let selectMissingOnes = selection(missingRows)
private let selectExcluded = selection(excludedRows)

private func selection(_ condition: String) -> SQL {
  SQL(
    """
    SELECT \(knownColumns(now: 4)) FROM photo
    WHERE root_id = ?1 AND path_key >= ?2 AND path_key < ?3 AND \(condition)
    ORDER BY path_key
    """)
}

private let hasRowsBelow = SQL(
  "SELECT "
    + [presentRows, excludedRows].map {
      """
      EXISTS (SELECT 1 FROM photo
        WHERE root_id = ?1 AND path_key >= ?2 AND path_key < ?3 AND \($0))
      """
    }.joined(separator: " OR "))

private let selectByID = SQL("SELECT \(knownColumns(now: 2)) FROM photo WHERE id = ?1")

private let selectMissing = SQL(
  """
  SELECT \(knownColumns(now: 1)) FROM photo
  WHERE missing_since IS NOT NULL AND (root_id, path_key, id) > (?2, ?3, ?4)
  ORDER BY root_id, path_key, id LIMIT ?5
  """)

private let selectByContent = SQL(
  """
  SELECT \(knownColumns(now: 3)) FROM photo
  WHERE content_start = ?1 AND content_hash = ?2 ORDER BY id
  """)

private let selectMissingSizes = SQL(
  """
  SELECT DISTINCT size FROM photo
  WHERE missing_since IS NOT NULL AND content_hash IS NOT NULL AND size > 0
  """)

private let selectLikeness = SQL(
  """
  SELECT image_hash, taken_raw, make, model, serial, width, height
  FROM photo LEFT JOIN device ON device.id = device_id WHERE photo.id = ?
  """)

private let selectDueRetries = SQL(
  """
  SELECT path_key FROM retry JOIN photo ON photo.id = retry.photo_id
  WHERE root_id = ?1 AND next_attempt_at <= ?2 AND (?3 OR lacks <> 'hash')
    AND missing_since IS NULL AND excluded_since IS NULL AND \(isAwake)
  """)
