import SQLite
import TestSupport

extension Connection {
  /// What the view `photos` shows, but for what an index made anew may give otherwise.
  func contents() throws -> [String] {
    let given: Set = ["id", "local_identifier", "device_id", "place_id", "is_favorite", "rating"]
    let columns = try rows("SELECT name FROM pragma_table_info('photos')")
      .filter { !given.contains($0) }
    return try rows("SELECT \(columns.joined(separator: ", ")) FROM photos ORDER BY path")
  }

  /// All tokens of all directories.
  func tokens() throws -> [String] {
    try rows("SELECT directory, hex(change_token), hex(content_token) FROM sync_state ORDER BY 1")
  }
}
