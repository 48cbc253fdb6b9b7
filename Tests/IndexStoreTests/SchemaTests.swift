import IndexStore
import Linux
import SQLite
import TestSupport
import Testing

/// The tables and views of the contract (DESIGN §5).
struct SchemaTests {
  private let directory: TemporaryDirectory
  private let shell: Connection

  init() throws {
    directory = try TemporaryDirectory()
    _ = try PhotoIndex(path: directory.path + "/index", catalog: nil, now: wallClock)
    shell = try Connection(path: directory.path + "/index", .readWrite)
  }

  @Test func `every table is there, and strict`() throws {
    let tables = [
      "album", "album_photo", "change", "companion_due", "device", "device_clock", "exposure",
      "hash_history", "heir", "keyword", "meta", "photo", "photo_place", "photo_rating",
      "photo_time",
      "place", "place_name", "retry", "root", "scan", "sidecar", "suspect", "sync_state", "text",
      "unreadable",
    ]
    let found = try shell.rows(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict ORDER BY name")
    #expect(Set(tables).subtracting(found) == [])
    let lax = try shell.rows(
      """
      SELECT name FROM pragma_table_list
      WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'
      """)
    #expect(lax == [])
  }

  @Test func `every view is there and answers`() throws {
    let views = [
      "albums", "changes", "clock_suspects", "coverage", "days", "devices", "doubtful_places",
      "duplicates",
      "exposures", "folder_albums", "guesses", "held_removals", "missing", "pending",
      "photo_in_folder", "photo_in_place", "photos", "photos_all", "place_in_place", "places",
      "roots", "shots",
      "suspects",
    ]
    #expect(
      try shell.rows("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name") == views)
    for view in views { _ = try shell.rows("SELECT * FROM \(view)") }
  }

  @Test func `the columns of photo are those of the contract`() throws {
    let columns = """
      id root_id local_identifier path path_bytes size mtime_ns ctime_ns inode reader_version
      content_hash image_hash hashed_at hash_due media_type width height orientation duration_ms
      taken_at taken_local taken_offset taken_zone taken_source taken_precision local_date month_day
      taken_raw added_at sidecar_state content_identifier has_motion is_favorite rating latitude longitude altitude position_source
      nearby_photo_id device_id device_pending place_id place_source place_distance_m place_margin_m
      place_neighbour_id companion_of companion_evidence missing_since excluded_since
      """
    let found = Set(try shell.rows("SELECT name FROM pragma_table_xinfo('photo')"))
    let wanted = columns.split { $0 == " " || $0 == "\n" }.map(String.init)
    #expect(Set(wanted).subtracting(found) == [])
  }

  @Test func `a path is a present photo's alone`() throws {
    try shell.execute("INSERT INTO root (name, path) VALUES ('r', '/r')")
    func insert(_ identifier: String, missing: String = "NULL", bytes: String = "NULL") throws {
      try shell.execute(
        """
        INSERT INTO photo (root_id, local_identifier, path, path_bytes, size, mtime_ns, ctime_ns,
          inode, reader_version, added_at, missing_since)
        VALUES (1, '\(identifier)', 'a.jpg', \(bytes), 0, 0, 0, 0, 1, 0, \(missing))
        """)
    }
    try insert("1")
    #expect(throws: SQLiteError.self) { try insert("2") }
    try insert("3", missing: "5")
    try insert("4", missing: "5")
    // By the bytes, not by how they are spelled.
    try insert("5", bytes: "x'ff'")
    #expect(throws: SQLiteError.self) { try insert("6", bytes: "x'ff'") }
  }
}
