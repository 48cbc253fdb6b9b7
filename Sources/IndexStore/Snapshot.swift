import Linux
import SQLite

/// Writes a copy of the whole index, of one moment, as one file without a log beside it.
///
/// Positions are private, so only its owner can read the copy, until he says otherwise.
package func copyIndex(at path: String, to copy: [UInt8]) throws {
  // A connection that may not write cannot do it: SQLite 3.40 then copies generated columns as if
  // they were stored.
  let connection = try Connection(path: path, .readWrite)
  connection.keepLogFiles()
  connection.wait(forLocks: 5_000)
  try ensurePrivateFile(at: copy)
  do {
    try connection.query("VACUUM INTO ?", [.text(String(decoding: copy, as: UTF8.self))]) { _ in }
  } catch {
    removeFile(at: copy)
    throw error
  }
}
