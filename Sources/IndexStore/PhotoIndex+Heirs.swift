import SQLite

/// When a photo is gone, what the user said of it goes on to the present copies of its bytes: copied
/// today and deleted tomorrow keeps the favourite.
///
/// Each copy inherits once, as the table `heir` remembers: what the user takes back from it is not said
/// of it again. A copy whose bytes nobody knows yet inherits as soon as they are known. What comes when
/// there are heirs already is a copy of theirs, and inherits nothing.
extension PhotoIndex {
  /// Hands on what the user said of a photo that goes.
  func handOnMarks(of id: Int64) throws {
    guard try connection.first(hasMarks, [.integer(id)]) == 1 else { return }
    for heir in try ids(selectHeirs, of: id) { try handOn(from: id, to: heir) }
  }

  /// What the user said of a photo that goes is said of `heir`, too, whose file it was.
  package func handOnMarks(of id: Int64, to heir: Int64) throws {
    try connection.transaction {
      guard try connection.first(isHeir, [.integer(id), .integer(heir)]) == 0 else { return }
      try handOn(from: id, to: heir)
    }
  }

  /// The bytes of these photos are known now: they may be copies of photos that are gone.
  func inheritMarks(_ heirs: some Collection<Int64>) throws {
    guard !heirs.isEmpty, try connection.first(hasMissing, []) == 1 else { return }
    for heir in heirs {
      for id in try ids(selectBequests, of: heir) { try handOn(from: id, to: heir) }
    }
  }

  /// What comes from now on is no heir of those that have some.
  package func closeInheritances() throws {
    guard try connection.first(hasOpenInheritance, []) == 1 else { return }
    try connection.run(closeInheritance)
  }

  private func ids(_ sql: SQL, of id: Int64) throws -> [Int64] {
    var ids: [Int64] = []
    try connection.run(sql, [.integer(id)]) { ids.append($0.integer(0)) }
    return ids
  }

  private func handOn(from id: Int64, to heir: Int64) throws {
    for sql in handOns { try connection.run(sql, [.integer(id), .integer(heir)]) }
  }
}

private let hasMarks = SQL(
  """
  SELECT content_hash IS NOT NULL AND size > 0 AND \(isMarkedByUser)
  FROM photo WHERE id = ?
  """)

private let hasMissing = SQL(
  "SELECT EXISTS (SELECT 1 FROM photo WHERE missing_since IS NOT NULL)")

private let isHeir = SQL(
  "SELECT EXISTS (SELECT 1 FROM heir WHERE gone_id = ? AND photo_id = ?)")

/// `twin` has the bytes of `photo`, is there, and has not inherited from it.
private let mayInherit = """
  twin.content_start = photo.content_start AND twin.content_hash = photo.content_hash
    AND twin.id <> photo.id AND twin.missing_since IS NULL AND twin.excluded_since IS NULL
    AND NOT EXISTS (SELECT 1 FROM heir
      WHERE gone_id = photo.id AND (photo_id = twin.id OR newest_id < twin.id))
  """

private let selectHeirs = SQL(
  """
  SELECT twin.id FROM photo CROSS JOIN photo AS twin
  WHERE photo.id = ? AND \(mayInherit) ORDER BY twin.id
  """)

private let selectBequests = SQL(
  """
  SELECT photo.id FROM photo AS twin CROSS JOIN photo
  WHERE twin.id = ? AND \(mayInherit) AND photo.missing_since IS NOT NULL AND photo.size > 0
    AND \(isMarkedByUser) ORDER BY photo.id
  """)

private let hasOpenInheritance = SQL(
  "SELECT EXISTS (SELECT 1 FROM heir WHERE newest_id IS NULL)")
private let closeInheritance = SQL(
  "UPDATE heir SET newest_id = (SELECT max(id) FROM photo) WHERE newest_id IS NULL")

/// What the user said of the photo ?1 is said of ?2, too, unless something else was.
let handOns = [
  """
  UPDATE photo SET is_favorite = 1
  WHERE id = ?2 AND is_favorite = 0 AND (SELECT is_favorite FROM photo WHERE id = ?1) = 1
  """,
  """
  INSERT INTO album_photo (album_id, photo_id, position)
  SELECT album_id, ?2, position FROM album_photo WHERE photo_id = ?1
  ON CONFLICT DO NOTHING
  """,
  """
  INSERT INTO photo_rating (photo_id, rating)
  SELECT ?2, rating FROM photo_rating WHERE photo_id = ?1
  ON CONFLICT DO NOTHING
  """,
  """
  INSERT INTO photo_place (photo_id, place_id)
  SELECT ?2, place_id FROM photo_place WHERE photo_id = ?1
  ON CONFLICT DO NOTHING
  """,
  """
  INSERT INTO photo_time (photo_id, local, precision, zone)
  SELECT ?2, local, precision, zone FROM photo_time WHERE photo_id = ?1
  ON CONFLICT DO NOTHING
  """,
  "INSERT OR IGNORE INTO heir (gone_id, photo_id) VALUES (?1, ?2)",
].map(SQL.init)
