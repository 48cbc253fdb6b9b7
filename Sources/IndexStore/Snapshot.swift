import Linux
import SQLite

/// Writes a copy of the whole index, of one moment, as one file without a log beside it.
///
/// Positions are private, so only its owner can read the copy, until he says otherwise.
package func copyIndex(at path: String, to copy: String) throws {
  // A connection that may not write cannot do it: SQLite 3.40 then copies generated columns as if
  // they were stored.
  let connection = try Connection(path: path, .readWrite)
  connection.keepLogFiles()
  connection.wait(forLocks: 5_000)
  try makePrivateFile(at: Array(copy.utf8))
  do {
    try connection.query("VACUUM INTO ?", [.text(copy)]) { _ in }
    // Otherwise a power cut might bring back the journal of the copy, and SQLite with that take back
    // all that was written.
    try syncDirectory(of: Array(copy.utf8))
  } catch {
    removeFile(at: Array(copy.utf8))
    throw error
  }
}
