import SQLite
import TestSupport

/// What happens to the files, on disk and in the model at once.
extension ModelHistory {
  mutating func change() throws {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0...4: try write(newPath(), newContent())
    case 5: try edit()
    case 6: try replace()
    case 7: try touch()
    case 8, 9: try rename()
    case 10: try swap()
    case 11: try renameTree()
    case 12, 13: remove()
    case 14: try link()
    default: try copy()
    }
  }

  private mutating func somePath() -> String? { disk.paths.randomElement(using: &generator) }

  private func real(_ path: String) -> String { "photos/" + path }

  private mutating func write(_ path: String, _ content: PhotoContent) throws {
    deeds.append("write \(path)\(content.isEmpty ? ", empty" : "")")
    try library.disk.write(real(path), content.bytes)
    try library.disk.touch(real(path), modified: disk.write(path, content))
  }

  private mutating func edit() throws {
    guard let path = somePath(), let old = disk.files[path]?.content else { return }
    let content = Bool.random(using: &generator) ? edited(old) : newContent()
    deeds.append("edit, \(old) to \(content):")
    try write(path, content)
  }

  /// Writes beside the file, then renames, as editors do.
  private mutating func replace() throws {
    guard let path = somePath(), let old = disk.files[path]?.content else { return }
    let content = Bool.random(using: &generator) ? edited(old) : newContent()
    deeds.append("replace \(path), \(old) to \(content)")
    try library.disk.write("new.tmp", content.bytes)
    try library.disk.touch("new.tmp", modified: disk.replace(path, content))
    try library.disk.move("new.tmp", to: real(path))
  }

  private mutating func touch() throws {
    guard let path = somePath() else { return }
    if Bool.random(using: &generator) {
      deeds.append("chmod \(path)")
      return try library.disk.setMode(
        real(path), Bool.random(using: &generator) ? 0o600 : 0o644)
    }
    deeds.append("touch \(path)")
    if let modified = disk.touch(path) {
      try library.disk.touch(real(path), modified: modified)
    }
  }

  /// Over another file, perhaps. Of several names of one file nobody can tell which became which.
  private mutating func rename() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard new != path, !disk.isLinked(path) else { return }
    deeds.append("rename \(path) \(new)")
    try library.disk.makeDirectory(real(folder(of: new)))
    try library.disk.move(real(path), to: real(new))
    disk.rename(path, new)
  }

  private mutating func swap() throws {
    guard let path = somePath(), let other = somePath(), path != other, !disk.isLinked(path),
      !disk.isLinked(other)
    else { return }
    deeds.append("swap \(path) \(other)")
    try library.disk.exchange(real(path), real(other))
    disk.swap(path, other)
  }

  private mutating func renameTree() throws {
    guard let path = somePath(), !folder(of: path).isEmpty else { return }
    let old = folder(of: path)
    let new = "tree\(Int.random(in: 0..<3, using: &generator))"
    let isLinked = disk.paths.contains { lies($0, in: old) && disk.isLinked($0) }
    guard !disk.directories.contains(new), !isLinked else { return }
    deeds.append("rename \(old) \(new)")
    try library.disk.move(real(old), to: real(new))
    disk.renameTree(old, new)
  }

  private mutating func remove() {
    guard let path = somePath() else { return }
    let tree = folder(of: path)
    if !tree.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 {
      deeds.append("remove \(tree)")
      library.disk.remove(real(tree))
      disk.removeTree(tree)
    } else {
      remove(path)
    }
  }

  mutating func remove(_ path: String) {
    deeds.append("remove \(path)")
    library.disk.remove(real(path))
    disk.remove(path)
  }

  /// Of a file that is where its row has it: of two new names nobody can tell which is the old one's.
  private mutating func link() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    let isAtHome = index.rows.contains {
      $0.state == .present && $0.path == path && $0.file.inode == disk.files[path]?.inode
    }
    guard isAtHome, disk.files[new] == nil else { return }
    deeds.append("hard link \(new) \(path)")
    try library.disk.makeDirectory(real(folder(of: new)))
    try library.disk.hardLink(real(new), to: real(path))
    disk.link(new, to: path)
  }

  private mutating func copy() throws {
    guard let path = somePath(), let content = disk.files[path]?.content else { return }
    let new = newPath()
    guard disk.files[new] == nil else { return }
    let keepsTime = Bool.random(using: &generator)
    deeds.append("copy \(path) \(new)\(keepsTime ? " with its time" : "")")
    try library.disk.write(real(new), content.bytes)
    if let modified = disk.copy(path, to: new, keepsTime: keepsTime) {
      try library.disk.touch(real(new), modified: modified)
    }
  }

  // MARK: - The user

  /// The user says something of a photo, or takes it back.
  mutating func say() throws {
    let present = index.rows.indices.filter { index.rows[$0].state == .present }
    guard let row = present.randomElement(using: &generator) else { return }
    let id = index.rows[row].id
    let shell = try library.shell()
    func run(_ sql: String) throws {
      shell.wait(forLocks: 5000)
      try shell.execute(sql)
    }
    let number = Int.random(in: 1...5, using: &generator)
    deeds.append("say something of \(index.rows[row].path)")
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      index.rows[row].marks.isFavourite.toggle()
      try run("UPDATE photo SET is_favorite = 1 - is_favorite WHERE id = \(id)")
    case 1:
      index.rows[row].marks.rating = number
      try run("INSERT OR REPLACE INTO photo_rating VALUES (\(id), \(number))")
    case 2:
      index.rows[row].marks.time = "19\(70 + number)"
      try run(
        "INSERT OR REPLACE INTO photo_time (photo_id, local, precision) "
          + "VALUES (\(id), '19\(70 + number)', 'year')")
    case 3:
      guard let camera = index.rows[row].reading?.camera, index.rows[row].reading?.isEmpty == false
      else { return }
      cameraNames[camera] = "camera \(number)"
      try run(
        "UPDATE device SET name = 'camera \(number)' WHERE model = '\(cameraModel(camera))'")
    case 4 where !index.rows[row].marks.albums.isEmpty:
      index.rows[row].marks.albums = []
      try run("DELETE FROM album_photo WHERE photo_id = \(id) AND album_id > 0")
    default:
      index.rows[row].marks.albums.insert(number)
      try run(
        """
        INSERT OR IGNORE INTO album (id, name) VALUES (\(number), 'album \(number)');
        INSERT OR IGNORE INTO album_photo (album_id, photo_id) VALUES (\(number), \(id));
        """)
    }
  }
}
