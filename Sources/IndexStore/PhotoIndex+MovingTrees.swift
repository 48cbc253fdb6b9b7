import Folding
package import Model
import SQLite

/// A directory that went, and where it came to be with everything below it as it was.
package struct TreeMove: Hashable, Sendable {
  package let old: RelativePath
  package let new: RelativePath

  /// nil where a name of either is not valid UTF-8, so that the paths below it have to be spelled
  /// one by one.
  package init?(from old: RelativePath, to new: RelativePath) {
    let overlap = old.isWithin(new) || new.isWithin(old)
    guard !overlap, validUTF8(old.bytes[...]) != nil, validUTF8(new.bytes[...]) != nil else {
      return nil
    }
    self.old = old
    self.new = new
  }
}

extension PhotoIndex {
  /// Whether so many photos are below the old path, all of them present, and none below the new one.
  package func isWhole(_ tree: TreeMove, photos count: Int, of root: Int64) throws -> Bool {
    guard try !hasRows(below: tree.new, of: root) else { return false }
    let range = PathRange.below(tree.old)
    let values: [Value] = [.integer(root), .blob(range.low), .blob(range.high)]
    guard try connection.first(hasExcludedBelow, values) == 0 else { return false }
    return try connection.first(countBelow, values) == Int64(count)
  }

  /// Gives the next rows below a directory, at most so many, their paths below the other. Nothing
  /// else about them is different, so that no row need leave the database for that.
  ///
  /// None is left when none was moved.
  package func move(_ tree: TreeMove, of root: Int64, rows: Int) throws -> Stint {
    let range = PathRange.below(tree.old)
    let start: [Value] = [.integer(root), .blob(range.low)]
    let spellings = spellings(of: tree)
    return try inOneShortTransaction(rows: rows) { count in
      var last: [UInt8]?
      var moved = 0
      let values = start + [.blob(range.high), .integer(Int64(count))]
      try connection.run(selectLastBelow, values) { row in
        last = row.blob(0)
        moved = Int(row.integer(1))
      }
      guard let last else { return 0 }
      try connection.run(moveBelow, start + [.blob(last)] + spellings)
      if try connection.first(hasHeldRemovals, []) == 1 { try release(tree.new, of: root) }
      return moved
    }
  }

  private func release(_ directory: RelativePath, of root: Int64) throws {
    let range = PathRange.below(directory)
    try connection.run(
      releaseBelow, [.integer(root), .blob(range.low), .blob(range.high)])
  }

  /// The start of the new path, how much of the old one it replaces in characters and in bytes; and
  /// the same of what is searched for.
  private func spellings(of tree: TreeMove) -> [Value] {
    let (old, new) = (indexSpelling(of: tree.old), indexSpelling(of: tree.new))
    let (oldText, newText) = (searchText(old), searchText(new))
    let isPlain = (tree.old.bytes + tree.new.bytes).allSatisfy { $0 < 0x80 }
    return [
      .text(new), .integer(Int64(old.unicodeScalars.count + 1)),
      .integer(Int64(tree.old.bytes.count + 1)),
      .text(newText), .integer(Int64(oldText.unicodeScalars.count + 1)), Value(isPlain),
    ]
  }
}

private let isBelow = """
  root_id = ?1 AND path_key >= ?2 AND path_key < ?3
    AND missing_since IS NULL AND excluded_since IS NULL
  """

private let hasExcludedBelow = SQL(
  """
  SELECT EXISTS (SELECT 1 FROM photo
    WHERE root_id = ?1 AND path_key >= ?2 AND path_key < ?3 AND excluded_since IS NOT NULL)
  """)

private let countBelow = SQL("SELECT count(*) FROM photo WHERE \(isBelow)")

private let selectLastBelow = SQL(
  """
  SELECT max(path_key), count(*) FROM (
    SELECT path_key FROM photo WHERE \(isBelow) ORDER BY path_key LIMIT ?4)
  """)

/// `search_path` is NULL where all of the path is ASCII. Only those indexes have to be changed that
/// hold paths.
private let moveBelow = SQL(
  """
  UPDATE photo SET path = ?4 || substr(path, ?5),
    path_bytes = CAST(?4 || substr(path_bytes, ?6) AS BLOB),
    search_path = iif(?9 AND search_path IS NULL OR path_bytes IS NULL
        AND length(CAST(?4 || substr(path, ?5) AS BLOB)) = length(?4 || substr(path, ?5)),
      NULL, ?7 || substr(coalesce(search_path, lower(path)), ?8))
  WHERE root_id = ?1 AND path_key >= ?2 AND path_key <= ?3
    AND missing_since IS NULL AND excluded_since IS NULL
  """)

private let releaseBelow = SQL(
  """
  UPDATE photo SET removal_held_since = NULL
  WHERE root_id = ?1 AND path_key >= ?2 AND path_key < ?3 AND removal_held_since IS NOT NULL
  """)
