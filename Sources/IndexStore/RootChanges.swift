import SQLite

/// Tells the feed of the photos of roots that have changed, some thousand a transaction, until it
/// has told of all: a root that goes, comes, or is called otherwise takes each of its photos along.
///
/// The mark up to which they are told moves with what is told, and the views go by it, so that the
/// feed and they agree at each commit. Killed in between, the next opening goes on.
func tellOfRoots(_ connection: Connection) throws {
  var courtesy = Courtesy()
  while let root = try connection.first(selectUntold, []) {
    var last = try connection.first(selectTold, [.integer(root)]) ?? 0
    while true {
      let start = last
      let duration = try connection.timedTransaction {
        last = try tell(of: root, after: start, connection)
      }
      guard last > start else { break }
      try courtesy.leaveGap(after: duration, on: connection)
    }
    // Unless there are more by now; then the root is met again.
    try connection.run(endTelling, [.integer(root), .integer(last)])
  }
}

/// Tells of the next photos, at most 5,000, for as long as a transaction may last; returns the last of
/// them.
private func tell(of root: Int64, after start: Int64, _ connection: Connection) throws -> Int64 {
  let end = ContinuousClock.now + timeOfTransaction
  var last = start
  for _ in 0..<10 {
    guard let next = try connection.first(selectEnd, [.integer(last)]) else { break }
    try connection.run(feedOfRoot, [.integer(root), .integer(last), .integer(next)])
    last = next
    if ContinuousClock.now >= end { break }
  }
  if last > start { try connection.run(setTold, [.integer(root), .integer(last)]) }
  return last
}

private let selectUntold = SQL("SELECT id FROM root WHERE told_through IS NOT NULL ORDER BY id")
private let selectTold = SQL("SELECT told_through FROM root WHERE id = ?")

/// The last of the next photos, of whichever root: they lie side by side.
private let selectEnd = SQL(
  "SELECT max(id) FROM (SELECT id FROM photo NOT INDEXED WHERE id > ? ORDER BY id LIMIT 500)")

private let feedOfRoot = SQL(
  """
  \(insertIntoFeed)
  SELECT random(), \(feedSubject("photo")), photo.id,
    CASE WHEN root.state = 'detached' THEN \(feedKind("delete"))
      WHEN root.was_attached = 0 THEN \(feedKind("restore"))
      WHEN root.path IS NOT root.old_path THEN \(feedKind("move"))
      ELSE \(feedKind("update")) END,
    CASE WHEN root.state <> 'detached' AND root.was_attached = 1 THEN substr(
      iif(root.path IS NOT root.old_path, ',path', '') || iif(root.name IS NOT root.old_name, ',root', '')
      || iif(root.owner IS NOT root.old_owner, ',owner', ''), 2) END,
    CAST(strftime('%s', 'now') AS INTEGER)
  FROM photo NOT INDEXED CROSS JOIN root ON root.id = ?1
  WHERE photo.id > ?2 AND photo.id <= ?3 AND photo.root_id = ?1
    AND photo.missing_since IS NULL AND photo.excluded_since IS NULL
  """)

private let setTold = SQL("UPDATE root SET told_through = ?2 WHERE id = ?1")

private let endTelling = SQL(
  """
  UPDATE root SET told_through = NULL, old_name = NULL, old_path = NULL, old_owner = NULL,
    was_attached = NULL
  WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM photo WHERE id > ?2)
  """)
