import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// What people write with the shell, whose foreign keys are off.
struct UserEditTests {
  @Test(arguments: [
    ("INSERT INTO album_photo (album_id, photo_id) VALUES (9, 1)", "album_photo.album_id"),
    ("INSERT INTO album_photo (album_id, photo_id) VALUES (1, 9)", "album_photo.photo_id"),
    ("INSERT INTO photo_rating VALUES (9, 1)", "photo_rating.photo_id"),
    ("INSERT INTO photo_time (photo_id, local) VALUES (9, '2024')", "photo_time.photo_id"),
    ("INSERT INTO photo_place VALUES (1, 9)", "photo_place.place_id"),
    ("INSERT INTO photo_place VALUES (9, 1)", "photo_place.photo_id"),
    ("INSERT INTO device_clock (device_id) VALUES (9)", "device_clock.device_id"),
    ("UPDATE album_photo SET photo_id = 9", "album_photo.photo_id"),
  ])
  func `a reference that leads nowhere is refused`(sql: String, column: String) async throws {
    let filled = try await FilledIndex("a.jpg", catalog: TwoTowns())
    try await filled.index.apply([.insert(reading("b.jpg", place: 0))], to: filled.root)
    try filled.shell.execute(
      """
      INSERT INTO album (name) VALUES ('Trip');
      INSERT INTO album_photo (album_id, photo_id) VALUES (1, 1);
      """)
    let error = #expect(throws: SQLiteError.self) { try filled.shell.execute(sql) }
    #expect(error?.message.hasPrefix(column) == true, "\(error?.message ?? "")")
    #expect(try filled.shell.rows("PRAGMA foreign_key_check") == [])
  }

  @Test(arguments: [
    "UPDATE photo SET is_favorite = 2", "INSERT INTO photo_rating VALUES (1, 6)",
    "INSERT INTO album (name) VALUES ('')",
    "INSERT INTO photo_time (photo_id, local, precision) VALUES (1, '2024', 'century')",
  ])
  func `a value out of range is refused`(sql: String) async throws {
    let filled = try await FilledIndex("a.jpg")
    #expect(throws: SQLiteError.self) { try filled.shell.execute(sql) }
  }

  @Test func `a deleted album leaves no members behind`() async throws {
    let filled = try await FilledIndex("a.jpg")
    try filled.shell.execute(
      """
      INSERT INTO album (name) VALUES ('Trip');
      INSERT INTO album_photo (album_id, photo_id) VALUES (1, 1);
      DELETE FROM album WHERE name = 'Trip';
      """)
    #expect(try filled.shell.rows("SELECT * FROM album_photo") == [])
  }

  @Test func `a place that the user chose shows at once and cannot be deleted`() async throws {
    let filled = try await FilledIndex("a.jpg", catalog: TwoTowns())
    try await filled.index.apply([.insert(reading("b.jpg", place: 1))], to: filled.root)
    let town = try #require(try filled.shell.integer("SELECT id FROM place WHERE name = 'Town 1'"))
    let end = try filled.end()
    try filled.shell.execute("INSERT INTO photo_place VALUES (1, \(town))")
    #expect(
      try filled.shell.rows("SELECT place, place_source FROM photos WHERE id = 1")
        == ["Land, Town 1|user"])
    #expect(try filled.feed(after: end) == ["photo update 1 place_id,place_source"])
    #expect(throws: SQLiteError.self) {
      try filled.shell.execute("DELETE FROM place WHERE id = \(town)")
    }
  }

  @Test func `what the user says outlives a new reading`() async throws {
    let filled = try await FilledIndex("a.jpg")
    try filled.shell.execute(
      "UPDATE photo SET is_favorite = 1; INSERT INTO photo_rating VALUES (1, 4)")
    try await filled.index.apply(
      [.update(id: 1, reading("a.jpg", size: 11), .other)], to: filled.root)
    #expect(try filled.shell.rows("SELECT is_favorite, rating FROM photos") == ["1|4"])
  }
}

/// Devices and places are shared by the rows that name them.
struct SharedRowTests {
  @Test func `one device is one row, whoever writes it`() async throws {
    let filled = try await FilledIndex()
    let devices = [
      DeviceIdentity(make: "Canon", model: "Canon EOS R5", serial: nil),
      DeviceIdentity(make: "Canon", model: "Canon EOS R5", serial: "1"),
      DeviceIdentity(make: "Apple", model: "iPhone 15", serial: nil),
      DeviceIdentity(make: nil, model: "Scanner", serial: nil),
    ]
    for round in 0..<2 {
      try await filled.index.apply(
        devices.indices.map { .insert(reading("\(round)-\($0)", device: devices[$0])) },
        to: filled.root)
    }
    #expect(
      try filled.shell.rows("SELECT name, serial, photos FROM devices ORDER BY id") == [
        "Canon EOS R5||2", "Canon EOS R5|1|2", "Apple iPhone 15||2", "Scanner||2",
      ])
  }

  @Test func `one place is one row below one country`() async throws {
    let filled = try await FilledIndex(catalog: TwoTowns())
    try await filled.index.apply(
      [0, 1, 0].enumerated().map { .insert(reading("\($0).jpg", place: $1)) }, to: filled.root)
    #expect(
      try filled.shell.rows("SELECT level, name, label, photos FROM places ORDER BY level, name")
        == [
          "admin1|Town 0|Land, Town 0|2", "admin1|Town 1|Land, Town 1|1", "country|Land|Land|3",
        ])
    #expect(
      try filled.shell.rows("SELECT count(*) FROM photo_in_place WHERE name = 'Land'") == ["3"])
    #expect(
      try filled.shell.rows("SELECT country, admin1 FROM photos ORDER BY path")
        == ["Land|Town 0", "Land|Town 1", "Land|Town 0"])
  }
}

/// When a failed reading is tried again.
struct RetryPlanTests {
  @Test func `the wait doubles up to the longest, until it is time to give up`() {
    let plan = RetryPlan(first: 30, most: 3600, giveUpAfter: 86_400)
    let waits = (1...9).map {
      (plan.nextAttempt(after: Int64($0), firstFailedAt: 1000, now: 2000) ?? 0) - 2000
    }
    #expect(waits == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    #expect(plan.nextAttempt(after: .max, firstFailedAt: 1000, now: 2000) == 5600)
    #expect(plan.nextAttempt(after: 1, firstFailedAt: 1000, now: 1000 + 86_399) != nil)
    #expect(plan.nextAttempt(after: 1, firstFailedAt: 1000, now: 1000 + 86_400) == nil)
  }

  @Test func `a retry row and the pending flag keep step`() async throws {
    let filled = try await FilledIndex()
    let failure = ReadFailure(.io, errorNumber: 5, message: "Input/output error")
    try await filled.index.apply([.insert(reading("a.jpg", failure: failure))], to: filled.root)
    #expect(
      try filled.shell.rows("SELECT reason, errno, message, attempts FROM pending")
        == ["io|5|Input/output error|1"])
    #expect(try filled.shell.rows("SELECT device_pending FROM photos") == ["1"])
    try await filled.index.apply(
      [.update(id: 1, reading("a.jpg", failure: failure), .same)], to: filled.root)
    #expect(try filled.shell.rows("SELECT attempts FROM retry") == ["2"])
    let end = try filled.end()
    try await filled.index.apply([.update(id: 1, reading("a.jpg"), .same)], to: filled.root)
    #expect(try filled.shell.rows("SELECT device_pending FROM photos") == ["0"])
    #expect(try filled.shell.rows("SELECT * FROM retry") == [])
    #expect(try filled.feed(after: end) == ["photo update 1 device_pending"])
  }
}

/// An atlas of two towns, units 0 and 1, in one country.
struct TwoTowns: PlaceCatalog {
  private let country = 2

  func parent(of unit: Int) -> Int? { unit == country ? nil : country }

  func unitsByKey() -> [PlaceKey: Int] { [:] }

  func place(of unit: Int) -> PlaceDescription {
    let name = unit == country ? "Land" : "Town \(unit)"
    return PlaceDescription(
      source: "test", level: unit == country ? "country" : "admin1", code: name, name: name,
      position: nil, names: [.init(language: "en", kind: .official, name: name)])
  }
}
