package import Model
import SQLite

/// What a row's time and place follow from, kept so that no file need be read for them again.
package struct DerivationInput: Sendable {
  package let id: Int64
  package let path: RelativePath
  package let raw: RawTime
  package let modified: Timestamp
  package let position: Coordinate?
  package let userTime: UserTime?
  package let userPlace: Int64?
  package let device: Int64?
  /// The file could not be read: nobody knows whether it has a date of its own.
  package let isPending: Bool
  /// The zone that the rows of its root are derived with.
  package let rootZone: String?
  /// The place is a guess from other photos, which is made elsewhere, and none of the user's.
  package let isGuessed: Bool
}

/// A row of `photo_time`: when the user says that the photo was taken.
package struct UserTime: Hashable, Sendable {
  package let local: String
  /// nil: by how much of `local` is written.
  package let precision: String?
  package let zone: String?
}

/// A row of `device_clock`: how far the device's clock was off, between two readings of it.
package struct DeviceClock: Hashable, Sendable {
  package let fromLocal: String
  package let toLocal: String
  package let shiftSeconds: Int64
  package let zone: String?
}

/// What follows.
package struct Derivation: Sendable {
  package let id: Int64
  package let taken: TakenTime?
  package let place: PlacedAt?
  /// The user's own place, which wins.
  package let userPlace: Int64?
  /// The place that the row has stays, unless the user names one.
  package let keepsPlace: Bool

  package init(_ input: DerivationInput, taken: TakenTime?, place: PlacedAt?) {
    id = input.id
    self.taken = taken
    self.place = place
    userPlace = input.userPlace
    keepsPlace = input.isGuessed
  }
}

extension PhotoIndex {
  /// Marks rows whose time or place is to be derived anew, some hundred a transaction.
  package func markForDeriving(where condition: String) throws {
    var last: Int64 = 0
    while true {
      let next = try connection.integer(
        "SELECT max(id) FROM (SELECT id FROM photo WHERE id > ? ORDER BY id LIMIT 2000)",
        [.integer(last)])
      guard let next else { return }
      try connection.execute(
        """
        UPDATE photo SET derive_due = 1
        WHERE id > \(last) AND id <= \(next) AND derive_due = 0 AND \(condition)
        """)
      last = next
    }
  }

  /// Remembers whether dates in names count. When that is new, the rows that it concerns are
  /// derived anew, without a look at the files.
  package func setNamesTellDates(_ count: Bool) throws {
    guard try (meta("names_tell_dates") == "1") != count else { return }
    // The key last: a crash in between repeats the marking, which does no harm.
    try markForDeriving(where: isDatedByNameAlone)
    try setMeta("names_tell_dates", count ? "1" : "0")
  }

  /// The next rows to derive, some hundred at most.
  package func derivationsDue(in root: Int64) throws -> [DerivationInput] {
    var inputs: [DerivationInput] = []
    try connection.run(selectDerivations, [.integer(root)]) { inputs.append(DerivationInput($0)) }
    return inputs
  }

  /// What the user says of the devices' clocks, by device.
  package func deviceClocks() throws -> [Int64: [DeviceClock]] {
    var clocks: [Int64: [DeviceClock]] = [:]
    try connection.run(selectClocks) { row in
      clocks[row.integer(0), default: []].append(
        DeviceClock(
          fromLocal: row.text(1) ?? "", toLocal: row.text(2) ?? "", shiftSeconds: row.integer(3),
          zone: row.text(4)))
    }
    return clocks
  }

  /// A number that changes when another connection, a person's shell say, has written.
  package func othersVersion() throws -> Int64 {
    try connection.integer("PRAGMA data_version") ?? 0
  }

  /// Stores what follows, and returns true; or does nothing if somebody else has written since the
  /// version was read, for then something else may follow.
  package func store(_ derivations: [Derivation], ifStill version: Int64) throws -> Bool {
    try withoutCachesOnFailure {
      try connection.transaction {
        guard try othersVersion() == version else { return false }
        for derivation in derivations { try store(derivation) }
        return true
      }
    }
  }

  func store(_ derivation: Derivation) throws {
    if derivation.keepsPlace, derivation.userPlace == nil, derivation.taken?.utc != nil {
      try connection.run(storeTime, row(derivation.id) { $0.append(derivation.taken) })
    } else {
      // A guess follows from the time, and yields to the user.
      try connection.run(withdrawGuess, [.integer(derivation.id)])
      try connection.run(
        storeDerivation, row(derivation.id) { try appendDerived(derivation, to: &$0) })
    }
  }

  /// The values of `derivedColumns`.
  func appendDerived(_ derivation: Derivation, to values: inout ValueList) throws {
    values.append(derivation.taken)
    if let place = derivation.userPlace {
      values.append(
        ValueList([.integer(place), placeSources.code(of: "user"), .null, .null, .null]))
    } else {
      try append(derivation.place, to: &values)
    }
  }
}

extension DerivationInput {
  /// From a row of `derivationColumns`.
  init(_ row: borrowing Row) {
    id = row.integer(0)
    path = RelativePath(bytes: row.blob(10) ?? [])
    raw = row.text(1).flatMap { RawTime(text: $0) } ?? RawTime()
    modified = Timestamp(nanoseconds: row.integer(2))
    position = coordinate(row.real(3), row.real(4))
    userTime = row.text(5).map { UserTime(local: $0, precision: row.text(6), zone: row.text(7)) }
    userPlace = row.integerOrNull(8)
    device = row.integerOrNull(9)
    isPending = row.integer(11) == 1
    rootZone = row.text(12)
    isGuessed = row.integer(13) == 1
  }
}

/// Whether the row has no date, or only one that its file's name tells.
let isDatedByNameAlone = "(taken_local IS NULL OR taken_source LIKE 'name%')"

private func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
  guard let latitude, let longitude else { return nil }
  return Coordinate(latitude: latitude, longitude: longitude)
}

/// What follows for a row, in the order of `appendDerived`.
let derivedColumns = takenColumns + placeColumns

private let storeDerivation = updateOfPhoto(derivedColumns, and: ", derive_due = 0")
private let storeTime = updateOfPhoto(takenColumns, and: ", derive_due = 0")

/// A guessed position is not the photo's own, and nothing follows from it.
let derivationColumns = """
  photo.id, taken_raw, mtime_ns, iif(position_source IS 'nearby', NULL, latitude), longitude,
    photo_time.local, photo_time.precision, photo_time.zone, photo_place.place_id,
    device_id, path_key, device_pending, root.time_zone,
    position_source IS 'nearby' AND place_source IS NOT 'user'
  """

let derivationTables = """
  photo
  JOIN root ON root.id = photo.root_id
  LEFT JOIN photo_time ON photo_time.photo_id = photo.id
  LEFT JOIN photo_place ON photo_place.photo_id = photo.id
  """

private let selectDerivations = SQL(
  """
  SELECT \(derivationColumns) FROM \(derivationTables)
  WHERE derive_due = 1 AND root_id = ? LIMIT 500
  """)

private let selectClocks = SQL(
  "SELECT device_id, from_local, to_local, shift_s, zone FROM device_clock ORDER BY id")
