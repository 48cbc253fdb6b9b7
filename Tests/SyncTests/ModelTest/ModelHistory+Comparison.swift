import SQLite
import TestSupport

/// What the index says, held against the model.
extension ModelHistory {
  mutating func compare() throws {
    // One connection for all: with each, SQLite parses the whole schema.
    let shell = try library.shell()
    try learnIDs(shell)
    let rows = try rowsOfIndex(shell)
    index.takeChances { rows.contains($0.words) }
    expect(rows, index.rows.sorted { $0.id < $1.id }.map(\.words), "rows")
    expect(try shell.rows("SELECT state FROM root"), [index.state], "state")
    expect(
      try shell.rows("SELECT model, name FROM device WHERE name LIKE 'camera %' ORDER BY 1"),
      cameraNames.sorted { $0.key < $1.key }.map { "\(cameraModel($0.key))|\($0.value)" },
      "names of cameras")
    expect(try shell.faults(), [], "faults")
    if faults.isEmpty { faults += try follower.follow(library.reader()) }
  }

  /// The model does not foresee the ids of new rows, but each must be new.
  private mutating func learnIDs(_ shell: Connection) throws {
    var found: [String: Int64] = [:]
    try shell.query(
      "SELECT path, id FROM photo WHERE missing_since IS NULL AND excluded_since IS NULL"
    ) { found[$0.text(0) ?? ""] = $0.integer(1) }
    let known = Set(index.rows.map(\.id))
    for row in index.rows.indices where index.rows[row].id >= ReferenceIndex.firstUnseenID {
      guard let id = found[index.rows[row].path], !known.contains(id) else { continue }
      index.rows[row].id = id
    }
    index.rows.sort { $0.id < $1.id }
  }

  private func rowsOfIndex(_ shell: Connection) throws -> [String] {
    try shell.rows(
      """
      SELECT id || ' ' || path || ' ' || CASE WHEN missing_since IS NOT NULL THEN 'missing'
          WHEN excluded_since IS NOT NULL THEN 'excluded' ELSE 'present' END
        || iif(removal_held_since IS NULL, '', ' held')
        || iif(missing_since IS NULL AND device_pending, ' pending', '')
        || iif(missing_since IS NULL AND content_hash IS NULL, ' unhashed', '')
        || iif(is_favorite, ' favourite', '')
        || ' ' || coalesce((SELECT group_concat(album_id) FROM
            (SELECT album_id FROM album_photo WHERE photo_id = photo.id AND album_id > 0
             ORDER BY 1)), '')
        || ' ' || coalesce((SELECT rating FROM photo_rating WHERE photo_id = photo.id), '')
        || ' ' || coalesce((SELECT local FROM photo_time WHERE photo_id = photo.id), '')
      FROM photo ORDER BY id
      """)
  }

  /// Whatever a pass came to: a file that nothing happened to is in the index as before.
  mutating func expectUntouchedFiles() throws {
    let untouched = index.rows.filter {
      $0.state == .present && disk.files[$0.path] == $0.file
    }.map(\.path).sorted()
    guard !untouched.isEmpty else { return }
    let shell = try library.shell()
    let present = Set(
      try shell.rows(
        "SELECT path FROM photo WHERE missing_since IS NULL AND excluded_since IS NULL"))
    expect(untouched.filter { present.contains($0) }, untouched, "untouched files")
    expect(try shell.faults(), [], "faults")
  }
}

extension ReferenceIndex.Row {
  /// As `rowsOfIndex` has it.
  fileprivate var words: String {
    var words = "\(id) \(path) \(state.rawValue)"
    if isRemovalHeld { words += " held" }
    if state != .missing && isPending { words += " pending" }
    if state != .missing && content == nil { words += " unhashed" }
    if marks.isFavourite { words += " favourite" }
    words += " " + marks.albums.sorted().map(String.init).joined(separator: ",")
    words += " " + (marks.rating.map(String.init) ?? "")
    return words + " " + (marks.time ?? "")
  }
}
