import Model
import SQLite

extension PhotoIndex {
  /// The sidecars with which a photo was read take the place of those before.
  func store(_ sidecars: [SidecarReading], of id: Int64) throws {
    try connection.run(deleteSidecars, [.integer(id)])
    try insert(sidecars, of: id)
  }

  func insert(_ sidecars: [SidecarReading], of id: Int64) throws {
    for reading in sidecars {
      let path = RelativePath(bytes: reading.sidecar.name)
      let spelling = indexSpelling(of: path)
      let isExact = spelling.utf8.elementsEqual(path.bytes)
      try connection.run(
        insertSidecar,
        row(id) {
          $0.append(spelling)
          $0.append(isExact ? .null : .blob(path.bytes))
          $0.append(reading.sidecar.fingerprint)
          $0.append(reading.sidecar.kind.rawValue)
          $0.append(reading.values)
          $0.append(reading.note)
        })
    }
  }
}

private let deleteSidecars = SQL("DELETE FROM sidecar WHERE photo_id = ?")
private let insertSidecar = SQL(
  """
  INSERT INTO sidecar (photo_id, file, file_bytes, size, mtime_ns, ctime_ns, inode, kind, raw, note)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
  """)
