import IndexStore
import Model
import SQLite
import TestSupport
import Testing

/// The README's queries, run on an index with something of everything.
struct ReadmeQueriesTests {
  private let directory: TemporaryDirectory
  private let connection: Connection
  private let readme: Readme

  init() async throws {
    directory = try TemporaryDirectory()
    let path = directory.path + "/index.sqlite"
    let index = try PhotoIndex(path: path, catalog: nil, now: { Timestamp(nanoseconds: 0) })
    try await index.endFirstLoad()
    connection = try Connection(path: path, .readWrite)
    try connection.execute(filling)
    readme = try Readme()
  }

  @Test func `every query runs and answers with rows`() throws {
    #expect(readme.statements.count >= 20)
    for statement in readme.statements {
      var rows = 0
      try connection.query(statement, []) { _ in rows += 1 }
      #expect(rows > 0 || !isQuery(statement), "no rows: \(statement)")
    }
  }

  @Test func `what they write shows in the views`() throws {
    for statement in readme.statements { try connection.query(statement, []) { _ in } }
    #expect(try connection.integer("SELECT rating FROM photos WHERE id = 12") == 5)
    #expect(try connection.integer("SELECT is_favorite FROM photos WHERE id = 12") == 1)
    #expect(try connection.text("SELECT name FROM devices WHERE id = 1") == "Mina's phone")
    #expect(try connection.integer("SELECT photos FROM albums WHERE name = 'Jeju 2024'") == 36)
    #expect(
      try connection.rows("SELECT id, name, photos FROM albums ORDER BY id")
        == ["0|즐겨찾기|2", "1|Jeju 2024|36"])
    #expect(
      try connection.rows("SELECT root, folder, name, photos, photos_below FROM folder_albums")
        == ["family||family|0|39", "family|2024|2024|39|39"])
    #expect(try connection.integer("SELECT is_favorite FROM photos WHERE id = 15") == 1)
    #expect(try connection.text("SELECT place_source FROM photos WHERE id = 13") == "user")
  }

  @Test(arguments: [
    "INSERT INTO album_photo (album_id, photo_id) VALUES (99, 12)",
    "INSERT INTO photo_rating (photo_id, rating) VALUES (99, 5)",
    "INSERT INTO photo_rating (photo_id, rating) VALUES (12, 6)",
    "INSERT INTO photo_place (photo_id, place_id) VALUES (12, 99)",
    "INSERT INTO photo_time (photo_id, local) VALUES (12, 'last summer')",
    "INSERT INTO photo_time (photo_id, local) VALUES (12, '1974-8')",
    "INSERT INTO device_clock (device_id, shift_s) VALUES (99, 60)",
    "UPDATE photo SET is_favorite = 2 WHERE id = 12",
  ])
  func `what cannot be is refused, foreign keys off as in the shell`(statement: String) throws {
    #expect(throws: SQLiteError.self) { try connection.query(statement, []) { _ in } }
  }

  @Test(arguments: ["1974", "1974-08", "1974-08-03", "1974-08-03T12:05", "1974-08-03 12:05:09"])
  func `a time is written as far as it is known`(local: String) throws {
    let insert = "INSERT INTO photo_time (photo_id, local) VALUES (12, '\(local)')"
    try connection.query(insert, []) { _ in }
    #expect(try connection.text("SELECT local FROM photo_time WHERE photo_id = 12") == local)
  }

  @Test func `two places of one name are told apart`() throws {
    let both = "SELECT count(DISTINCT photo_id) FROM photo_in_place WHERE name = '삼성동'"
    let one = """
      SELECT count(*) FROM photos
      WHERE id IN (SELECT photo_id FROM photo_in_place WHERE name = '삼성동')
        AND id IN (SELECT photo_id FROM photo_in_place WHERE name = '강남구')
      """
    #expect(try connection.integer(both) == 38)
    #expect(try connection.integer(one) == 19)
  }

  /// The index has fixed statistics of a large library, so these are the plans for one, too.
  @Test func `no query walks through all photos`() throws {
    for statement in readme.statements where isQuery(statement) {
      for step in try plan(of: statement) where isWalk(step, statement) {
        Issue.record("\(step): \(statement)")
      }
    }
  }

  @Test func `the views have the columns that the README and the contract list`() throws {
    #expect(readme.views.map(\.name).sorted() == contractViews.sorted())
    #expect(readme.views.first?.columns == contractColumns)
    for view in readme.views {
      var columns: [String] = []
      try connection.query("SELECT name FROM pragma_table_info(?)", [.text(view.name)]) { row in
        columns.append(row.text(0) ?? "")
      }
      #expect(columns == view.columns, "\(view.name)")
    }
  }

  private func isQuery(_ statement: String) -> Bool { statement.hasPrefix("SELECT") }

  private func plan(of statement: String) throws -> [String] {
    var steps: [String] = []
    try connection.query("EXPLAIN QUERY PLAN " + statement, []) { row in
      steps.append(row.text(3) ?? "")
    }
    return steps
  }

  /// Whether a step of a plan reads all rows of `photo` (or one of its aliases) or of `exposure`.
  private func isWalk(_ step: String, _ statement: String) -> Bool {
    let words = step.split(separator: " ")
    guard words.count > 1, ["photo", "twin", "part", "exposure"].contains(words[1]) else {
      return false
    }
    // Nearly all photos may be in one root. Counting them all by root is what `coverage` is for.
    if step.contains("(root_id=?)") { return !statement.contains("FROM coverage") }
    guard words[0] == "SCAN" else { return false }
    let few = ["photo_favorite", "photo_missing", "photo_removal_held", "photo_nearby"]
    return !step.contains("USING COVERING INDEX") && !few.contains { step.hasSuffix($0) }
      && !(step.hasSuffix("photo_sort") && statement.contains("LIMIT"))
  }
}

private let contractViews = [
  "photos", "photos_all", "shots", "photo_in_place", "pending", "missing", "duplicates", "devices",
  "places", "days", "albums", "roots", "changes", "exposures", "coverage", "held_removals",
  "doubtful_places", "guesses", "suspects", "folder_albums", "photo_in_folder",
  "clock_suspects", "place_in_place",
]

private let contractColumns = [
  "id", "local_identifier", "root", "owner", "path", "folder", "file", "media_type", "size",
  "width",
  "height", "orientation", "duration_ms", "device_id", "device", "make", "model", "taken_at",
  "taken_local", "taken_offset", "taken_zone", "taken_source", "taken_precision", "sort_time",
  "local_date", "month_day", "latitude", "longitude", "altitude", "position_source", "place_id",
  "place", "country", "admin1", "admin2", "admin3", "admin4", "admin5", "custom", "place_source",
  "rating", "is_favorite", "content_hash", "companion_of", "device_pending", "search",
]

/// 40 photos of five days: half in one 삼성동, half in another; 39 is missing, 40 pending without
/// anything known; 1 and 39 have the same bytes, 2 and 3 as well.
private let filling = """
  INSERT INTO root (id, name, path, last_scan_at) VALUES (1, 'family', '/srv/photos', 1714600000);
  INSERT INTO device (id, make, model, name) VALUES
    (1, 'Apple', 'iPhone 15 Pro', 'Apple iPhone 15 Pro'), (2, 'Canon', 'EOS R5', 'Canon EOS R5');
  INSERT INTO place (id, parent_id, source, level, code, name, label, search) VALUES
    (1, NULL, 'zones', 'country', 'KR', 'South Korea', 'South Korea', ''),
    (2, 1, 'korea', 'admin1', '11', 'Seoul', 'South Korea, Seoul', ''),
    (3, 2, 'korea', 'admin2', '11680', 'Gangnam-gu', 'South Korea, Seoul, Gangnam-gu', ''),
    (4, 3, 'korea', 'admin4', '1168010500', 'Samseong-dong', 'South Korea, Seoul, Gangnam-gu, Samseong-dong', ''),
    (5, 1, 'korea', 'admin1', '30', 'Daejeon', 'South Korea, Daejeon', ''),
    (6, 5, 'korea', 'admin2', '30110', 'Dong-gu', 'South Korea, Daejeon, Dong-gu', ''),
    (7, 6, 'korea', 'admin4', '3011011000', 'Samseong-dong', 'South Korea, Daejeon, Dong-gu, Samseong-dong', '');
  INSERT INTO place_ancestor
    WITH RECURSIVE around (ancestor, place) AS (
      SELECT id, id FROM place
      UNION SELECT place.parent_id, around.place FROM around JOIN place ON place.id = ancestor
        WHERE parent_id IS NOT NULL)
    SELECT ancestor, place FROM around;
  INSERT INTO place_name (place_id, language, kind, name)
    SELECT id, 'en', 'official', name FROM place
    UNION ALL VALUES (1, 'ko', 'official', '대한민국'), (2, 'ko', 'official', '서울특별시'),
      (3, 'ko', 'official', '강남구'), (4, 'ko', 'official', '삼성동'),
      (5, 'ko', 'official', '대전광역시'), (6, 'ko', 'official', '동구'), (7, 'ko', 'official', '삼성동');
  INSERT INTO photo (id, root_id, local_identifier, path, size, mtime_ns, ctime_ns, inode,
      reader_version, media_type_code, content_hash, added_at, taken_local, taken_offset, taken_at,
      taken_source_code, taken_precision_code, device_id, place_id, place_source_code, missing_since)
    WITH RECURSIVE number (n, local) AS (
      SELECT 1, '2024-05-01T10:00:00'
      UNION ALL SELECT n + 1, printf('2024-05-%02dT10:00:%02d', 1 + n % 5, n) FROM number WHERE n < 39)
    SELECT n, 1, 'photo-' || n, printf('2024/IMG_%04d.JPG', n), 1000, 1, 1, n, 1, 'image/jpeg',
      CAST(printf('%032d', CASE n WHEN 39 THEN 1 WHEN 3 THEN 2 ELSE n END) AS BLOB), 1714600000,
      local, 540, CAST(strftime('%s', local) AS INTEGER) - 32400, 'original+place', 0,
      1 + n % 2, CASE n % 2 WHEN 0 THEN 4 ELSE 7 END, 0,
      CASE n WHEN 39 THEN 1714600000 END
    FROM number;
  INSERT INTO photo (id, root_id, local_identifier, path, size, mtime_ns, ctime_ns, inode,
      reader_version, added_at)
    VALUES (40, 1, 'photo-40', '2024/cut.JPG', 10, 1, 1, 40, 1, 1714600000);
  INSERT INTO sync_state (root_id, directory_bytes, directory, filesystem, mtime_ns, entries,
      scanned_at)
    VALUES (1, x'', '', '', 1, 1, 1), (1, CAST('2024' AS BLOB), '2024', '', 1, 40, 1);
  UPDATE photo SET taken_local = replace(taken_local, 'T10:00', 'T10:07'), taken_at = taken_at + 420
    WHERE device_id = 2 AND taken_local LIKE '2024-05-02%';
  UPDATE photo SET place_margin_m = 12.5, place_neighbour_id = 7 WHERE id = 2;
  UPDATE photo SET nearby_photo_id = 2, position_source_code = 5,
      place_source_code = 2
    WHERE id = 4;
  INSERT INTO lens (id, name) VALUES (1, 'RF85mm F2 MACRO IS STM');
  INSERT INTO exposure (photo_id, lens_id, focal_mm, focal35_mm, f_number)
    SELECT id, 1, 85, 85, 2 FROM photo WHERE id < 39;
  INSERT INTO retry (photo_id, reason, message, attempts, first_failed_at, next_attempt_at)
    VALUES (40, 'truncated', 'the file ends before or inside its metadata', 1, 1714600000, 1714600030);
  """
