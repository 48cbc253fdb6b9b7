import Linux
import Model
import SQLite

/// What came of making a new index of a damaged one.
package struct Rescue: Sendable {
  /// Where the damaged file is now.
  package let kept: String
  /// How many photos the new index has of it.
  package let photos: Int
  /// What the user wrote and could not be carried over.
  package let losses: [String]
}

/// Opens the index; makes a new one first if the pages of this one contradict each other.
///
/// No page is looked at that is not needed, so damage shows when somebody meets it. The file of
/// `noteDamage` then makes the next opening look at all of them.
func openOrRescue(at path: String) throws -> (connection: Connection, rescue: Rescue?) {
  let note = Array((path + noteOfDamage).utf8)
  try finishRescue(at: path)
  do {
    let connection = try openIndex(at: path)
    if try fileSize(at: note) != nil { try checkPages(connection) }
    removeFile(at: note)
    return (connection, nil)
  } catch let error as SQLiteError where error.isCorrupt || error.isRefusedByTables {
    guard try isOurs(path) else { throw error }
    let rescue = try rescueIndex(at: path)
    removeFile(at: note)
    return (try openIndex(at: path), rescue)
  }
}

/// Remembers for the next opening that this process met damage, if it did.
package func noteDamage(at path: String) {
  guard hasMetCorruption() else { return }
  try? makePrivateFile(at: Array((path + noteOfDamage).utf8))
}

private let noteOfDamage = ".damaged"

private func checkPages(_ connection: Connection) throws {
  let verdict = try connection.text("PRAGMA integrity_check(1)") ?? ""
  guard verdict != "ok" else { return }
  throw SQLiteError.corrupt(verdict)
}

/// By the header, which needs no page that could be read.
private func isOurs(_ path: String) throws -> Bool {
  var header = [UInt8](repeating: 0, count: 100)
  guard try OpenFile(absolutePath: Array(path.utf8)).read(at: 0, into: &header) == 100 else {
    return false
  }
  let mark = header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
  return header.starts(with: Array("SQLite format 3\0".utf8)) && mark == applicationIdentifier
}

/// Copies the file, makes a new index of what can be read in it, and gives that its name.
private func rescueIndex(at path: String) throws -> Rescue {
  let kept = "\(path).damaged-\(wallClock().nanoseconds)"
  for suffix in ["", "-wal"] where try fileSize(at: Array((path + suffix).utf8)) ?? 0 > 0 {
    try copyFile(at: Array((path + suffix).utf8), to: Array((kept + suffix).utf8))
  }
  let new = path + ".new"
  for suffix in ["", "-wal", "-shm"] { removeFile(at: Array((new + suffix).utf8)) }
  let result = try salvage(path, into: new)
  for suffix in ["-wal", "-shm"] { removeFile(at: Array((new + suffix).utf8)) }
  try renameFile(at: Array(new.utf8), to: Array((path + rescuedName).utf8))
  try finishRescue(at: path)
  forgetCorruption()
  return Rescue(kept: kept, photos: result.photos, losses: result.losses)
}

/// Puts a new index that is whole in the place of the damaged one, be it that who made it was
/// killed before that.
///
/// The log of the old file must never be taken for one of the new; nor may the old file be left
/// without its log, with what the user wrote last, as long as the new one has another name.
private func finishRescue(at path: String) throws {
  let rescued = Array((path + rescuedName).utf8)
  guard try fileSize(at: rescued) != nil else { return }
  for suffix in ["-wal", "-shm"] { removeFile(at: Array((path + suffix).utf8)) }
  try syncDirectory(of: rescued)
  try renameFile(at: rescued, to: Array(path.utf8))
}

/// What a new index is called from when it is whole until the damaged one gives way.
private let rescuedName = ".rescued"

private func salvage(_ path: String, into new: String) throws -> (photos: Int, losses: [String]) {
  let target = try openIndex(at: new)
  var salvage = Salvage(source: try Connection(path: path, .readOnly), target: target)
  try target.execute("PRAGMA foreign_keys = OFF")
  try target.transaction { try salvage.run() }
  try target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  let photos = try target.integer("SELECT count(*) FROM photo") ?? 0
  return (Int(photos), salvage.losses)
}

extension SQLiteError {
  /// A constraint, but for what a trigger of the user's refuses (SQLITE_CONSTRAINT_TRIGGER).
  fileprivate var isRefusedByTables: Bool { isConstraint && code != 19 | 7 << 8 }
}
