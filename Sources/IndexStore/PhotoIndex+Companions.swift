package import Model
import SQLite

/// A photo, as far as it may be a part of a shot.
package struct ShotFile: Sendable {
  package let id: Int64
  package let path: RelativePath
  package let mediaType: String?
  package let time: RawTime
  package let hasMotion: Bool
  package let contentIdentifier: String?
  /// What the index has now.
  package let link: CompanionLink?
}

/// Of which picture a raw or a film is a companion, and how that is known.
package struct CompanionLink: Hashable, Sendable {
  /// As the index spells it.
  package enum Evidence: String, Hashable, Sendable {
    /// In one directory under one name, and taken at one time.
    case nameAndTime = "name+time"
    /// Both have it from Apple's device.
    case contentIdentifier = "content-identifier"
    /// In one directory under one name, that of a picture with a film.
    case nameAndMotion = "name+motion"
  }

  package let photo: Int64
  package let evidence: Evidence

  package init(photo: Int64, evidence: Evidence) {
    self.photo = photo
    self.evidence = evidence
  }
}

extension PhotoIndex {
  /// The present photos in `directory` itself, in the order of their paths.
  package func shotFiles(in directory: RelativePath, of root: Int64) throws -> [ShotFile] {
    var files: [ShotFile] = []
    try scanChildren(of: directory, root, selectShotFiles) { row, path in
      files.append(ShotFile(row, path))
      return true
    }
    photoRowsRead += files.count
    return files
  }

  /// Identifiers whose files have to be linked anew, some hundred at most.
  package func dueIdentifiers(of root: Int64) throws -> [String] {
    var identifiers: [String] = []
    try connection.run(selectDue, [.integer(root)]) { identifiers.append($0.text(0) ?? "") }
    return identifiers
  }

  /// The present photos with this identifier, in the order of their paths.
  package func shotFiles(withIdentifier identifier: String, of root: Int64) throws -> [ShotFile] {
    var files: [ShotFile] = []
    try connection.run(selectByIdentifier, [.integer(root), .text(identifier)]) { row in
      files.append(ShotFile(row, RelativePath(bytes: row.blob(1) ?? [])))
    }
    photoRowsRead += files.count
    return files.sorted { $0.path < $1.path }
  }

  /// Stores links, nil where there is none any more, and forgets that those identifiers were due.
  package func store(
    _ links: [(id: Int64, link: CompanionLink?)], doneWith identifiers: [String] = [],
    of root: Int64
  ) throws {
    try inShortTransactions(links) { id, link in
      try connection.run(
        updateLink, [.integer(id), Value(link?.photo), Value(link?.evidence.rawValue)])
    }
    // Last: killed before, the next pass does all once more.
    try inShortTransactions(identifiers) {
      try connection.run(deleteDue, [.integer(root), .text($0)])
    }
  }
}

extension ShotFile {
  fileprivate init(_ row: borrowing Row, _ path: RelativePath) {
    id = row.integer(0)
    self.path = path
    mediaType = row.text(2)
    time = row.text(3).flatMap { RawTime(text: $0) } ?? RawTime()
    hasMotion = row.integer(4) == 1
    contentIdentifier = row.text(5)
    let evidence = row.text(7).flatMap { CompanionLink.Evidence(rawValue: $0) }
    link = row.integerOrNull(6).flatMap { photo in
      evidence.map { CompanionLink(photo: photo, evidence: $0) }
    }
  }
}

private let shotFileColumns = """
  id, path_key, media_type, taken_raw, has_motion, content_identifier, companion_of,
    companion_evidence
  """

private let selectShotFiles = SQL(
  """
  SELECT \(shotFileColumns) FROM photo
  WHERE root_id = ?1 AND path_key >= ?2 AND path_key < ?3
    AND missing_since IS NULL AND excluded_since IS NULL
  ORDER BY path_key
  """)

private let selectByIdentifier = SQL(
  """
  SELECT \(shotFileColumns) FROM photo
  WHERE root_id = ?1 AND content_identifier = ?2
    AND missing_since IS NULL AND excluded_since IS NULL
  """)

private let selectDue = SQL(
  "SELECT content_identifier FROM companion_due WHERE root_id = ? LIMIT 500")

private let deleteDue = SQL(
  "DELETE FROM companion_due WHERE root_id = ?1 AND content_identifier = ?2")

private let updateLink = SQL(
  "UPDATE photo SET companion_of = ?2, companion_evidence = ?3 WHERE id = ?1")

let markCompanionDue = SQL(
  "INSERT OR IGNORE INTO companion_due (root_id, content_identifier) VALUES (?, ?)")
