import SQLite
import TestSupport
import Testing

/// How far the clocks of two devices seem to disagree.
struct ClockSuspectTests {
  /// Photos of device 1 from 10:00 to 18:00 on a day, and of device 2 at the given times.
  private func suspects(_ times: [String], source: String = "original+zone") async throws
    -> [String]
  {
    let filled = try await FilledIndex()
    try filled.shell.execute(
      "INSERT INTO device (id, model, name) VALUES (1, 'phone', 'phone'), (2, 'camera', 'camera')")
    let shots =
      ["10:00:00", "14:00:00", "18:00:00"].map { (1, $0, "original+offset") }
      + times.map { (2, $0, source) }
    for (number, shot) in shots.enumerated() {
      try filled.shell.execute(
        """
        INSERT INTO photo (root_id, local_identifier, path, size, mtime_ns, ctime_ns, inode,
          reader_version, added_at, device_id, taken_local, taken_source_code, taken_precision_code)
        VALUES (\(filled.root), '\(number)', '\(number).jpg', 1, 1, 1, 1, 1, 1, \(shot.0),
          '2024-05-01T\(shot.1)', '\(shot.2)', 0)
        """)
    }
    return try filled.shell.rows(
      "SELECT device, photos, other, other_photos, shift_s FROM clock_suspects ORDER BY 1")
  }

  @Test func `a camera that is seven minutes slow all day is one, and so is the phone`()
    async throws
  {
    #expect(
      try await suspects(["09:53:00", "12:00:00", "17:53:00"])
        == ["camera|3|phone|3|420", "phone|3|camera|3|-420"])
  }

  /// From 02:00 to 09:00 it was 03:00 to 10:00 at the latest, and 10:00 to 17:00 at the earliest.
  @Test func `the least that would explain it counts`() async throws {
    #expect(
      try await suspects(["02:00:00", "03:00:00", "09:00:00"])
        == ["camera|3|phone|3|28800", "phone|3|camera|3|-28800"])
    #expect(
      try await suspects(["09:00:00", "12:00:00", "17:58:30"])
        == ["camera|3|phone|3|90", "phone|3|camera|3|-90"])
  }

  @Test(arguments: [
    ["11:00:00", "12:00:00", "13:00:00"], ["09:00:00", "12:00:00", "19:00:00"],
    ["09:59:30", "12:00:00", "17:59:30"], ["02:00:00", "09:00:00"],
  ])
  func `a day within the other, less than a minute, or two shots tell nothing`(times: [String])
    async throws
  {
    #expect(try await suspects(times) == [])
  }

  @Test(arguments: ["user", "modified+zone", "name"])
  func `a time that no clock of the camera told does not count`(source: String) async throws {
    #expect(try await suspects(["02:00:00", "03:00:00", "09:00:00"], source: source) == [])
  }
}
