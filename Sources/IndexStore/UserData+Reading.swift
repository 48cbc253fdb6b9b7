import Model
import SQLite

extension IndexReader {
  /// What the user wrote into the index, all of one moment.
  package func userData() throws -> UserData {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    var data = UserData()
    try connection.query(selectMarked) { data.photos.append(try photo($0)) }
    try connection.query("SELECT name, created_at, id = 0 FROM album ORDER BY id") { row in
      data.albums.append(
        UserData.Album(
          name: row.text(0) ?? "", createdAt: row.integer(1), isFavorites: row.integer(2) == 1))
    }
    try connection.query("SELECT id, make, model, serial, name, is_registered FROM device") { row in
      if let device = try device(row) { data.devices.append(device) }
    }
    data.objects = try objects()
    return data
  }

  private func photo(_ row: borrowing Row) throws -> UserData.Photo {
    var albums: [UserData.Membership] = []
    try connection.run(selectMemberships, [.integer(row.integer(0))]) { member in
      albums.append(
        UserData.Membership(album: member.text(0) ?? "", position: member.real(1) ?? 0))
    }
    let local = row.text(9)
    let source = row.text(12)
    return UserData.Photo(
      root: row.text(1) ?? "", path: row.text(2) ?? "", pathBytes: row.text(3),
      size: row.integer(4), contentHash: row.text(5), imageHash: row.text(6),
      isFavorite: row.integer(7) == 1, rating: row.integerOrNull(8),
      time: local.map {
        UserData.Time(local: $0, precision: row.text(10), zone: row.text(11))
      },
      place: source.map {
        UserData.Place(
          source: $0, level: row.text(13) ?? "", code: row.text(14) ?? "", label: row.text(15) ?? ""
        )
      },
      albums: albums)
  }

  /// nil: the user has said nothing of it.
  private func device(_ row: borrowing Row) throws -> UserData.Device? {
    let (make, model, serial) = (row.text(1), row.text(2), row.text(3))
    var clocks: [UserData.Clock] = []
    try connection.run(selectClocks, [.integer(row.integer(0))]) { clock in
      clocks.append(
        UserData.Clock(
          fromLocal: clock.text(0) ?? "", toLocal: clock.text(1) ?? "", shiftS: clock.integer(2),
          zone: clock.text(3)))
    }
    let identity = DeviceIdentity(make: make, model: model, serial: serial)
    let name = row.text(4) == identity?.defaultName ? nil : row.text(4)
    let isRegistered = row.integer(5) == 1
    guard name != nil || isRegistered || !clocks.isEmpty else { return nil }
    return UserData.Device(
      make: make, model: model, serial: serial, name: name, isRegistered: isRegistered,
      clocks: clocks)
  }

  private func objects() throws -> [UserData.Object] {
    var found: [(type: String, name: String, sql: String)] = []
    try connection.query(selectObjects) {
      found.append(($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? ""))
    }
    return try found.map { object in
      UserData.Object(
        type: object.type, name: object.name, sql: object.sql,
        rows: object.type == "table" ? try rows(of: object.name) : nil)
    }
  }

  private func rows(of table: String) throws -> [[UserData.Cell]] {
    var rows: [[UserData.Cell]] = []
    try connection.query("SELECT * FROM \(quoted(table))") { row in
      rows.append(row.values.map { UserData.Cell($0) })
    }
    return rows
  }
}

/// As SQL writes a name that may hold anything.
func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

extension UserData.Cell {
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(hexadecimal(bytes))
    }
  }

  /// nil: the digits of a blob are none.
  var value: Value? {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .text(text)
    case .blob(let digits): bytes(ofHexadecimal: digits).map { .blob($0) }
    }
  }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// nil for what is no hexadecimal number of whole bytes.
func bytes(ofHexadecimal text: String) -> [UInt8]? {
  let values = text.utf8.compactMap { digit in
    digits.firstIndex(of: digit | 0x20).map { UInt8($0) }
  }
  guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
  return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

private let digits = Array("0123456789abcdef".utf8)

private let selectMarked = """
  SELECT photo.id, root.name, photo.path, \(hex("path_bytes")), photo.size,
    \(hex("content_hash")), \(hex("image_hash")), photo.is_favorite,
    photo_rating.rating, photo_time.local, photo_time.precision, photo_time.zone,
    place.source, place.level, place.code, place.label
  FROM (SELECT photo_id AS id FROM album_photo UNION SELECT photo_id FROM photo_rating
    UNION SELECT photo_id FROM photo_time UNION SELECT photo_id FROM photo_place) AS marked
  CROSS JOIN photo ON photo.id = marked.id -- in this order
  JOIN root ON root.id = +photo.root_id
  LEFT JOIN photo_rating ON photo_rating.photo_id = photo.id
  LEFT JOIN photo_time ON photo_time.photo_id = photo.id
  LEFT JOIN photo_place ON photo_place.photo_id = photo.id
  LEFT JOIN place ON place.id = photo_place.place_id
  ORDER BY photo.id
  """

/// hex(NULL) is ''.
private func hex(_ column: String) -> String { "nullif(lower(hex(photo.\(column))), '')" }

/// The favourites are told by `is_favorite`, but their order is not.
private let selectMemberships = SQL(
  """
  SELECT album.name, position FROM album_photo JOIN album ON album.id = album_id
  WHERE photo_id = ? ORDER BY album.id
  """)

private let selectClocks = SQL(
  """
  SELECT from_local, to_local, shift_s, zone FROM device_clock WHERE device_id = ? ORDER BY id
  """)

/// Tables before what is made of them.
private let selectObjects = """
  SELECT type, name, sql FROM sqlite_schema
  WHERE name LIKE 'my\\_%' ESCAPE '\\' AND sql IS NOT NULL
  ORDER BY type <> 'table', type <> 'view', rowid
  """
