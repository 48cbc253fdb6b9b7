import IndexStore
import Model
import SQLite
import Sync
import TestSupport
import Testing

/// Guesses for cameras without GPS.
struct NearbyTests {
  private let library: PlacedLibrary

  init() throws {
    library = try PlacedLibrary()
    library.settings.nearby = .seconds(1800)
  }

  private let west = (36.0, 127.5)
  /// Some 900 m away.
  private let near = (36.0, 127.51)
  private let far = (36.0, 128.5)

  private func camera(_ name: String = "camera.jpg", _ time: String = "12:00:00") throws {
    try library.write(name, time, by: "Camera")
  }

  /// Where and by which photo, as the row has it; empty without a guess.
  private func guess(_ name: String = "camera.jpg") throws -> String {
    try library.query(
      """
      SELECT iif(photo.nearby_photo_id IS NULL, '', other.path) || '|' || coalesce(place.admin4, '')
      FROM photo LEFT JOIN photo AS other ON other.id = photo.nearby_photo_id
      LEFT JOIN place ON place.id = photo.place_id WHERE photo.path = '\(name)'
      """
    )[0]
  }

  @Test func `a photo takes the place of the nearer of those before and after`() async throws {
    try camera()
    try library.write("before.jpg", "11:50:00", at: west)
    try library.write("after.jpg", "12:05:00", at: near)
    try await library.sync()
    #expect(
      try library.query(
        """
        SELECT latitude, longitude, position_source, place_source, place, taken_source FROM photos
        WHERE file = 'camera.jpg'
        """)
        == ["36.0|127.51|nearby|nearby|South Korea, Seoul, Jongno, West-dong|original+offset"])
    #expect(try guess() == "after.jpg|West-dong")
    #expect(
      try library.query("SELECT count(*) FROM guesses WHERE nearby_path LIKE '%/after.jpg'") == [
        "1"
      ])
    let end = try library.feedEnd()
    #expect(try await library.sync().result == .unchanged)
    #expect(try library.feed(after: end) == [])
  }

  @Test(arguments: [
    ("11:29:59", "12:05:00", 127.5, 127.5), ("11:50:00", "12:30:01", 127.5, 127.5),
    ("11:50:00", "12:05:00", 127.5, 127.53), ("11:50:00", "11:55:00", 127.5, 127.5),
    ("12:01:00", "12:05:00", 127.5, 127.5),
  ])
  func `too far in time, on one side alone, or apart from each other tell nothing`(
    first: String, second: String, west: Double, east: Double
  ) async throws {
    try camera()
    try library.write("1.jpg", first, at: (36, west))
    try library.write("2.jpg", second, at: (36, east))
    try await library.sync()
    #expect(try guess() == "|")
  }

  @Test(arguments: ["11:30:00", "12:00:00"])
  func `the very ends of the time count, and the very moment for both`(time: String) async throws {
    try camera()
    try library.write("1.jpg", time, at: west)
    if time != "12:00:00" { try library.write("2.jpg", "12:30:00", at: west) }
    try await library.sync()
    #expect(try guess() == "1.jpg|West-dong")
  }

  @Test func `it is off unless it is asked for`() async throws {
    library.settings.nearby = nil
    try camera()
    try library.write("a.jpg", at: west)
    try await library.sync()
    #expect(try guess() == "|")
  }

  @Test func `neither the same device nor a guess is evidence`() async throws {
    // Without GPS in between: first the camera's own phone-less photos, then one more camera.
    try library.write("phone.jpg", "12:00:00", at: west)
    try library.write("same.jpg", "12:00:10", by: "Phone")
    try camera("camera.jpg", "12:00:20")
    try library.write("phone2.jpg", "12:00:30", at: west)
    // In reach of the guesses alone.
    try library.write("third.jpg", "12:30:25", by: "Third")
    try camera("camera2.jpg", "12:30:25")
    try await library.sync()
    #expect(try guess("same.jpg") == "|")
    #expect(try guess("camera.jpg").hasPrefix("phone"))
    #expect(try guess("third.jpg") == "|")
    #expect(try guess("camera2.jpg") == "|")
  }

  @Test func `without a device or a time to rely on there is no guess`() async throws {
    try library.write("a.jpg", at: west)
    try library.write("screenshot.jpg", by: nil)
    try library.write("zoneless.jpg", by: "Camera", offset: nil)
    try camera("dated.jpg")
    try await library.sync()
    #expect(try guess("dated.jpg") == "a.jpg|West-dong")
    try library.shell.execute(
      """
      INSERT INTO photo_time (photo_id, local, zone)
      SELECT id, '2024-05-01', 'UTC' FROM photo WHERE path = 'dated.jpg'
      """)
    try await library.sync()
    for name in ["screenshot.jpg", "zoneless.jpg", "dated.jpg"] { #expect(try guess(name) == "|") }
  }

  @Test func `it is taken back when its evidence goes, and comes back with it`() async throws {
    try camera()
    try library.write("a.jpg", "11:59:00", at: west)
    try library.write("b.jpg", "12:02:00", at: near)
    try library.write("c.jpg", "12:03:00", at: near)
    try await library.sync()
    #expect(try guess() == "a.jpg|West-dong")
    let row = try library.query("SELECT * FROM photo WHERE path = 'camera.jpg'")
    try library.disk.move("a.jpg", to: "a.txt")
    try await library.sync()
    #expect(try guess() == "|")
    #expect(
      try library.query(
        "SELECT latitude, position_source, place_source FROM photos WHERE file = 'camera.jpg'")
        == ["||"])
    try library.disk.move("a.txt", to: "a.jpg")
    try await library.sync()
    #expect(try library.query("SELECT * FROM photo WHERE path = 'camera.jpg'") == row)
    // The next evidence takes the place of what is gone.
    library.disk.remove("b.jpg")
    try await library.sync()
    #expect(try guess() == "a.jpg|West-dong")
  }

  @Test func `evidence that disagrees and goes makes way`() async throws {
    try camera()
    try library.write("a.jpg", "11:59:00", at: west)
    try library.write("b.jpg", "12:01:00", at: far)
    try library.write("c.jpg", "12:03:00", at: near)
    try await library.sync()
    #expect(try guess() == "|")
    library.disk.remove("b.jpg")
    try await library.sync()
    #expect(try guess() == "a.jpg|West-dong")
  }

  @Test func `a clock put right takes the guess along`() async throws {
    try camera("camera.jpg", "15:00:00")
    try library.write("a.jpg", "12:00:00", at: west)
    try await library.sync()
    #expect(try guess() == "|")
    try library.shell.execute(
      "INSERT INTO device_clock (device_id, shift_s) SELECT id, -10800 FROM device WHERE model = 'Camera'"
    )
    try await library.sync()
    #expect(try guess() == "a.jpg|West-dong")
    try library.shell.execute("DELETE FROM device_clock")
    try await library.sync()
    #expect(try guess() == "|")
  }

  @Test func `the place that the user names wins, and the guess comes back after it`() async throws
  {
    try camera()
    try library.write("a.jpg", at: west)
    try library.write("japan.jpg", "18:00:00", at: (36, 130))
    try await library.sync()
    try library.shell.execute(
      """
      INSERT INTO photo_place SELECT camera.id, japan.place_id FROM photos AS camera, photos AS japan
      WHERE camera.file = 'camera.jpg' AND japan.file = 'japan.jpg'
      """)
    let row = """
      SELECT place, place_source, position_source, latitude FROM photos WHERE file = 'camera.jpg'
      """
    try await library.sync()
    #expect(try library.query(row) == ["Japan, Nagasaki|user||"])
    try library.shell.execute("DELETE FROM photo_place")
    try await library.sync()
    #expect(try library.query(row) == ["South Korea, Seoul, Jongno, West-dong|nearby|nearby|36.0"])
    try library.shell.execute(
      """
      INSERT INTO photo_place SELECT camera.id, japan.place_id FROM photos AS camera, photos AS japan
      WHERE camera.file = 'camera.jpg' AND japan.file = 'japan.jpg';
      DELETE FROM photo_place
      """)
    try await library.sync()
    #expect(try library.query(row) == ["South Korea, Seoul, Jongno, West-dong|nearby|nearby|36.0"])
    // The evidence's own place, when the user names that, is taken over as well.
    try library.shell.execute(
      """
      INSERT INTO photo_place SELECT a.id, japan.place_id FROM photos AS a, photos AS japan
      WHERE a.file = 'a.jpg' AND japan.file = 'japan.jpg'
      """)
    try await library.sync()
    #expect(try library.query(row) == ["Japan, Nagasaki|nearby|nearby|36.0"])
  }

  @Test func `a chmod is no change, and an edit keeps the guess`() async throws {
    try camera()
    try library.write("a.jpg", at: west)
    try await library.sync()
    let hash = "SELECT count(*) FROM hash_history"
    try library.disk.setMode("camera.jpg", 0o600)
    let end = try library.feedEnd()
    try await library.sync()
    #expect(try library.query(hash) == ["0"])
    #expect(try guess() == "a.jpg|West-dong")
    #expect(try library.feed(after: end) == [])
    try library.disk.touch("camera.jpg", modified: 1_721_000_000)
    try await library.sync()
    #expect(try guess() == "a.jpg|West-dong")
  }

  @Test func `another root's photos count, and to turn it off takes all back`() async throws {
    library.roots = ["camera", "phone"]
    try library.write("camera/c.jpg", by: "Camera")
    try library.write("phone/p.jpg", at: west)
    try await library.sync()
    #expect(try guess("c.jpg") == "p.jpg|West-dong")
    library.settings.nearby = nil
    try await library.sync()
    #expect(try guess("c.jpg") == "|")
    library.settings.nearby = .seconds(60)
    try await library.sync()
    #expect(try guess("c.jpg") == "p.jpg|West-dong")
    try library.shell.execute("UPDATE root SET state = 'detached' WHERE name = 'phone'")
    library.roots = ["camera"]
    try await library.sync()
    #expect(try guess("c.jpg") == "|")
  }

  @Test func `new places carry the guesses along`() async throws {
    try camera()
    try library.write("a.jpg", at: west)
    try await library.sync()
    try library.world.sources.write(
      "home.geojson", collection([feature("\"name\":\"Home\"", box(127.49, 35.99, 127.52, 36.01))]))
    library.own = ["home.geojson"]
    try await library.sync()
    #expect(
      try library.query("SELECT file, custom, place_source FROM photos ORDER BY file")
        == ["a.jpg|Home|polygon", "camera.jpg|Home|nearby"])
  }

  /// The law that all of it follows from: whatever happens in whatever order, the guesses are those
  /// that a plain search through all photos finds.
  @Test(arguments: 0..<12) func `the guesses after any history are those of a plain search`(
    seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    library.settings.nearby = .seconds(300)
    var guesses = 0
    for _ in 0..<6 {
      for _ in 0..<8 {
        let name = "\(Int.random(in: 0..<25, using: &generator)).jpg"
        if Int.random(in: 0..<4, using: &generator) == 0 {
          library.disk.remove(name)
        } else {
          let time = "12:\(twoDigits(.random(in: 0..<20, using: &generator))):00"
          let shift = Double.random(in: 0..<0.04, using: &generator)
          let place = Bool.random(using: &generator) ? (36.0, 127.5 + shift) : nil
          let model = ["A", "B", "C"].randomElement(using: &generator)
          try library.write(name, time, at: place, by: model)
        }
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        try library.shell.execute(
          "INSERT INTO device_clock (device_id, shift_s) "
            + "SELECT id, \(Int.random(in: -600...600, using: &generator)) FROM device ORDER BY random() LIMIT 1"
        )
      }
      try await library.sync()
      #expect(try library.query(plainSearch) == [], "seed \(seed)")
      guesses += try library.query("SELECT id FROM guesses").count
    }
    #expect(guesses > 0, "seed \(seed)")
  }
}

/// The photos whose guess is another than that of a search in SQL, which knows no order of events.
private let plainSearch = """
  WITH good AS (SELECT *, nearby_photo_id IS NULL AND latitude IS NOT NULL AS tells FROM photo
    WHERE missing_since IS NULL AND taken_at IS NOT NULL AND device_id IS NOT NULL),
  ranked AS (
    SELECT good.id, good.nearby_photo_id,
      (SELECT id FROM good AS other WHERE other.tells AND other.device_id <> good.device_id
        AND other.sort_time BETWEEN good.sort_time - 300000 AND good.sort_time
        ORDER BY sort_time DESC, latitude DESC, longitude DESC, id DESC LIMIT 1) AS before,
      (SELECT id FROM good AS other WHERE other.tells AND other.device_id <> good.device_id
        AND other.sort_time BETWEEN good.sort_time AND good.sort_time + 300000
        ORDER BY sort_time, latitude, longitude, id LIMIT 1) AS after
    FROM good WHERE NOT tells)
  SELECT ranked.id, ranked.nearby_photo_id, before, after FROM ranked
  LEFT JOIN photo AS b ON b.id = before LEFT JOIN photo AS a ON a.id = after
  JOIN photo ON photo.id = ranked.id
  WHERE photo.nearby_photo_id IS NOT CASE
    -- On one parallel: a degree there has 111195 m times the cosine of 36°.
    WHEN abs(a.longitude - b.longitude) * 111195 * 0.809017 > 2000 THEN NULL
    WHEN a.id IS NULL OR b.id IS NULL THEN NULL
    WHEN photo.sort_time - b.sort_time <= a.sort_time - photo.sort_time THEN b.id ELSE a.id END
  """
