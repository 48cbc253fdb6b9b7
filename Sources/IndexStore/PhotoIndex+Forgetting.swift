package import Model
import SQLite

extension PhotoIndex {
  /// After a good scan of the whole root: deletes the rows that have been missing on so many
  /// other days with such a scan. Those that a person has marked stay, and so do those below
  /// `directories`, where a file may be that cannot be seen.
  package func forgetMissing(
    of root: Int64, afterScanDays grace: Int, but directories: [RelativePath]
  ) throws -> Int {
    let day = try countScanDay(of: root)
    try stampMissing(of: root, day)
    let limit = try connection.integer(selectScanDay, [.integer(root), .integer(Int64(grace))])
    guard let limit else { return 0 }
    var ids: [Int64] = []
    try connection.run(selectForgotten, [.integer(root), .integer(limit)]) { row in
      let path = RelativePath(bytes: row.blob(1) ?? [])
      if !directories.contains(where: { path.isWithin($0) }) { ids.append(row.integer(0)) }
    }
    try inShortTransactions(ids) { try connection.run(deletePhoto, [.integer($0)]) }
    return ids.count
  }

  /// Counts today as a day with a good scan; returns the number of the newest such day.
  ///
  /// Days are counted, not seconds, and each date once: no clock that was put forward, back, or
  /// never set makes a row go early.
  private func countScanDay(of root: Int64) throws -> Int64 {
    let now = nowInSeconds
    let today = (now - (now % 86_400 + 86_400) % 86_400) / 86_400
    return try connection.transaction {
      try connection.run(insertScanDay, [.integer(root), .integer(today)])
      try connection.run(updateLastScanDay, [.integer(root), .integer(today)])
      return try connection.integer(selectScanDay, [.integer(root), .integer(0)]) ?? 0
    }
  }

  /// The days count from the first such scan on that sees the row missing.
  private func stampMissing(of root: Int64, _ day: Int64) throws {
    var ids: [Int64] = []
    try connection.run(selectUnstamped, [.integer(root)]) { ids.append($0.integer(0)) }
    try inShortTransactions(ids) {
      try connection.run(stampPhoto, [.integer($0), .integer(day)])
    }
  }
}

/// Whether the user said anything of the row of `photo`.
let isMarkedByUser = """
  (photo.is_favorite = 1
    OR EXISTS (SELECT 1 FROM album_photo WHERE photo_id = photo.id)
    OR EXISTS (SELECT 1 FROM photo_rating WHERE photo_id = photo.id)
    OR EXISTS (SELECT 1 FROM photo_place WHERE photo_id = photo.id)
    OR EXISTS (SELECT 1 FROM photo_time WHERE photo_id = photo.id))
  """

/// A date that is behind that of the last scan is the word of a clock that was put back.
private let insertScanDay = SQL(
  """
  INSERT INTO scan_day (root_id, day)
  SELECT id, ?2 FROM root WHERE id = ?1 AND (last_scan_day IS NULL OR last_scan_day < ?2)
  ON CONFLICT DO NOTHING
  """)

private let updateLastScanDay = SQL(
  "UPDATE root SET last_scan_day = ?2 WHERE id = ?1 AND last_scan_day IS NOT ?2")

private let selectScanDay =
  "SELECT number FROM scan_day WHERE root_id = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2"

private let selectUnstamped = SQL(
  """
  SELECT id FROM photo
  WHERE root_id = ? AND missing_since IS NOT NULL AND missing_scan_day IS NULL
  """)

private let stampPhoto = SQL("UPDATE photo SET missing_scan_day = ?2 WHERE id = ?1")

private let selectForgotten = SQL(
  """
  SELECT id, path_key FROM photo
  WHERE root_id = ?1 AND missing_since IS NOT NULL AND missing_scan_day <= ?2
    AND NOT \(isMarkedByUser)
  """)

let deletePhoto = SQL("DELETE FROM photo WHERE id = ? AND missing_since IS NOT NULL")
