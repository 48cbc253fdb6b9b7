import Model
import SQLite

extension PhotoIndex {
  /// Writes what a user wrote into another index, or into this one before it was made anew, some
  /// hundred photos a transaction. What the user has written here stays. Returns, as lines, what
  /// found no place; to import the same again changes nothing.
  package func importUserData(_ data: UserData) throws -> [String] {
    var lines: [String] = []
    try withoutCachesOnFailure {
      try connection.transaction {
        for album in data.albums { try add(album) }
        for device in data.devices {
          lines += try refusals(of: device.name ?? device.model ?? "a device") { try add(device) }
        }
      }
      try inShortTransactions(data.photos) { photo in
        lines += try refusals(of: "\(photo.root): \(photo.path)") { try add(photo) }
      }
    }
    for object in data.objects { lines += try add(object) }
    return lines
  }

  /// A value that the tables refuse is a line, too, and keeps nothing else from being written.
  private func refusals(of name: String, _ body: () throws -> [String]) throws -> [String] {
    do {
      return try body()
    } catch let error as SQLiteError where error.isConstraint {
      return ["\(printable(name.utf8)): \(error.message)"]
    }
  }

  private func add(_ album: UserData.Album) throws {
    if album.isFavorites {
      // Only if nobody has given it a name here.
      try connection.run(
        renameFavourites, [.text(album.name), .text(nameOfFavourites)])
    } else {
      try connection.run(insertAlbum, [.text(album.name), .integer(album.createdAt)])
    }
  }

  private func add(_ device: UserData.Device) throws -> [String] {
    let identity = DeviceIdentity(make: device.make, model: device.model, serial: device.serial)
    guard let identity else { return ["a device without make, model and serial number"] }
    let id = try self.id(of: identity)
    if let name = device.name {
      try connection.run(renameDevice, [.integer(id), .text(name), .text(identity.defaultName)])
    }
    if device.isRegistered { try connection.run(registerDevice, [.integer(id)]) }
    for clock in device.clocks {
      try connection.run(
        insertClock,
        [
          .integer(id), .text(clock.fromLocal), .text(clock.toLocal), .integer(clock.shiftS),
          Value(clock.zone),
        ])
    }
    return []
  }

  private func add(_ photo: UserData.Photo) throws -> [String] {
    let name = printable((photo.root + ": " + photo.path).utf8)
    guard let id = try find(photo) else { return ["\(name): no photo with its bytes is here"] }
    if let rating = photo.rating {
      try connection.run(insertRating, [.integer(id), .integer(rating)])
    }
    if let time = photo.time {
      try connection.run(
        insertTime, [.integer(id), .text(time.local), Value(time.precision), Value(time.zone)])
    }
    for member in photo.albums {
      try connection.run(
        insertMember, [.integer(id), .text(member.album), .real(member.position)])
    }
    if photo.isFavorite { try connection.run(favourPhoto, [.integer(id)]) }
    guard let place = photo.place else { return [] }
    let key = PlaceKey(source: place.source, level: place.level, code: place.code)
    guard let placeID = try self.id(of: key) else {
      return ["\(name): its place \(printable(place.label.utf8)) is in no place file that is here"]
    }
    try connection.run(insertPlace, [.integer(id), .integer(placeID)])
    return []
  }

  /// The photo at the same place with the same picture, else one with the same bytes anywhere.
  private func find(_ photo: UserData.Photo) throws -> Int64? {
    let path = photo.pathBytes.flatMap { bytes(ofHexadecimal: $0) } ?? Array(photo.path.utf8)
    let values: [Value] = [
      .text(photo.root), .blob(path), .integer(photo.size),
      Value(photo.contentHash.flatMap { bytes(ofHexadecimal: $0) }),
      Value(photo.imageHash.flatMap { bytes(ofHexadecimal: $0) }),
    ]
    for (sql, count) in findSame {
      var id: Int64?
      try connection.run(sql, Array(values.prefix(count))) { row in
        if id == nil { id = row.integer(0) }
      }
      if let id { return id }
    }
    return nil
  }

  /// A table, view, index or trigger of the user's: made if there is none of its name, its rows
  /// written if there are none.
  private func add(_ object: UserData.Object) throws -> [String] {
    let name = printable(object.name.utf8)
    guard object.name.hasPrefix("my_"), object.sql.uppercased().hasPrefix("CREATE ") else {
      return ["\(name): the name of an object of yours begins with my_"]
    }
    do {
      return try connection.transaction {
        if try connection.integer(countObject, [.text(object.name)]) == 0 {
          // One statement alone is run, and it must make what it says it does.
          let before = try connection.integer(countForeign)
          try connection.query(object.sql) { _ in }
          guard try connection.integer(countForeign) == before,
            try connection.integer(countObject, [.text(object.name)]) == 1
          else { throw ForeignObject() }
        }
        return try fill(object)
      }
    } catch is ForeignObject {
      return ["\(name): its statement makes something else"]
    } catch let error as SQLiteError where !error.isBusy && !error.isFull && !error.isCorrupt {
      return ["\(name): \(error.message)"]
    }
  }

  private func fill(_ table: UserData.Object) throws -> [String] {
    guard let rows = table.rows, !rows.isEmpty else { return [] }
    let present = try connection.integer("SELECT count(*) FROM \(quoted(table.name))") ?? 0
    guard present == 0 else {
      return present == rows.count ? [] : ["\(table.name): has rows here, which stay as they are"]
    }
    let places = rows[0].map { _ in "?" }.joined(separator: ", ")
    let insert = SQL("INSERT INTO \(quoted(table.name)) VALUES (\(places))")
    for row in rows { try connection.run(insert, row.map { $0.value ?? .null }) }
    return []
  }
}

private struct ForeignObject: Error {}

private let renameFavourites = SQL(
  """
  UPDATE album SET name = ?1
  WHERE id = 0 AND name = ?2 AND NOT EXISTS (SELECT 1 FROM album WHERE name = ?1)
  """)

private let insertAlbum = SQL(
  "INSERT INTO album (name, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING")

private let renameDevice = SQL("UPDATE device SET name = ?2 WHERE id = ?1 AND name = ?3")

private let registerDevice = SQL(
  "UPDATE device SET is_registered = 1 WHERE id = ? AND is_registered = 0")

private let insertClock = SQL(
  """
  INSERT INTO device_clock (device_id, from_local, to_local, shift_s, zone)
  SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (
    SELECT 1 FROM device_clock
    WHERE (device_id, from_local, to_local, shift_s, zone) IS (?1, ?2, ?3, ?4, ?5))
  """)

private let favourPhoto = SQL("UPDATE photo SET is_favorite = 1 WHERE id = ? AND is_favorite = 0")

private let insertRating = SQL(
  "INSERT INTO photo_rating (photo_id, rating) VALUES (?, ?) ON CONFLICT DO NOTHING")

private let insertTime = SQL(
  """
  INSERT INTO photo_time (photo_id, local, precision, zone) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING
  """)

private let insertPlace = SQL(
  "INSERT INTO photo_place (photo_id, place_id) VALUES (?, ?) ON CONFLICT DO NOTHING")

/// A favourite is in its album by now.
private let insertMember = SQL(
  """
  INSERT INTO album_photo (album_id, photo_id, position)
  SELECT album.id, ?1, ?3 FROM album WHERE album.name = ?2 ON CONFLICT DO NOTHING
  """)

/// With the number of their parameters: root, path, size, content hash, image hash.
private let findSame: [(sql: SQL, parameters: Int)] =
  [
    "missing_since IS NULL AND excluded_since IS NULL", "missing_since IS NOT NULL",
    "excluded_since IS NOT NULL",
  ].map { (SQL(selectSamePath($0)), 5) } + [(SQL(selectSameBytes), 4)]

private func selectSamePath(_ state: String) -> String {
  """
  SELECT id FROM photo
  WHERE root_id = (SELECT id FROM root WHERE name = ?1) AND path_key = ?2 AND \(state)
    AND (content_hash = ?4 OR image_hash = ?5
      OR (content_hash IS NULL OR ?4 IS NULL) AND size = ?3)
  ORDER BY id DESC LIMIT 1
  """
}

private let selectSameBytes = """
  SELECT id FROM photo
  WHERE content_start = substr(?4, 1, 8) AND content_hash = ?4 AND size = ?3 AND size > 0
  ORDER BY missing_since IS NOT NULL OR excluded_since IS NOT NULL,
    root_id IS NOT (SELECT id FROM root WHERE name = ?1), path_key IS NOT ?2, id
  LIMIT 1
  """

private let countObject = "SELECT count(*) FROM sqlite_schema WHERE name = ?"

/// What is there but the user's own, and what SQLite makes for that.
private let countForeign = """
  SELECT count(*) FROM sqlite_schema
  WHERE name NOT LIKE 'my\\_%' ESCAPE '\\' AND tbl_name NOT LIKE 'my\\_%' ESCAPE '\\'
  """
