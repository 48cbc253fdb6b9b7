import Model
import TestSupport

/// What happens to the files on disk, and what that must not change.
extension History {
  /// Writes one of a photo's sidecars, or removes it.
  mutating func changeSidecar() throws {
    guard let path = somePath() else { return }
    let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    let names = [path + ".xmp", stem + ".xmp", stem + "_01.jpg.xmp", path + ".json"]
    let name = names.randomElement(using: &generator) ?? ""
    deeds.append("sidecar \(name)")
    written += 1
    if library.disk.holds(name), Bool.random(using: &generator) {
      library.disk.remove(name)
    } else if name.hasSuffix(".json") {
      try library.write(
        name, takeoutFile(taken: 1_500_000_000 + written, latitude: 1, description: "\(written)"))
    } else if written % 5 == 0 {
      try library.write(name, [0x3c])
    } else {
      let time = "2023-05-01T13:\(twoDigits(written / 60 % 60)):\(twoDigits(written % 60))"
      try library.write(
        name,
        xmpSidecar(
          attributes: "xmp:Rating=\"\(written % 6)\"",
          written % 2 == 0 ? "<exif:DateTimeOriginal>\(time)</exif:DateTimeOriginal>" : "",
          xmpList("dc:subject", ["\(written % 7)"])))
    }
  }

  /// A raw of a new picture, or not quite.
  mutating func createPair() throws {
    written += 1
    let path = newPath()
    try overwrite(path)
    let time = written + Int.random(in: 0..<4, using: &generator) / 3
    let raw = TIFFFixture.raw(
      taken: "2024:05:01 13:\(twoDigits(time / 60)):\(twoDigits(time % 60))")
    try overwrite(path.dropLast(3) + "dng", raw.bytes + [UInt8(written % 250)])
  }

  /// Its picture and its film need not be in one directory, and others have the same identifier.
  mutating func createLivePhoto() throws {
    written += 1
    let identifier = "shot \(Int.random(in: 0..<4, using: &generator))"
    let path = newPath()
    try overwrite(path, livePicture(identifier, number: written).bytes)
    let other = Bool.random(using: &generator) ? path : newPath()
    var film = MovieFixture.live(identifier: identifier, taken: "2024-05-02T13:00:00+0900")
    film.created = 3_797_000_000 + written
    film.data = Array(repeating: UInt8(written % 250), count: 300)
    try overwrite(other.dropLast(3) + "mov", film.bytes)
  }

  mutating func create() throws {
    written += 1
    try overwrite(newPath())
  }

  /// All hard links of the file have the new bytes then.
  private mutating func overwrite(_ path: some StringProtocol, _ bytes: [UInt8]? = nil) throws {
    let path = String(path)
    deeds.append("write \(path)")
    if library.disk.holds(path) {
      for path in files.keys { files[path]?.isMarked = false }
    }
    try library.write(path, bytes ?? photo(written))
    touchFolder(of: path)
    files[path] = File()
  }

  mutating func rewrite() throws {
    guard let path = somePath() else { return }
    written += 1
    if Bool.random(using: &generator) { return try overwrite(path) }
    deeds.append("replace \(path)")
    try library.replace(path, photo(written))
    touchFolder(of: path)
    files[path] = File()
  }

  mutating func touch() throws {
    guard let path = somePath() else { return }
    deeds.append("touch \(path)")
    try library.touch(path)
    // What has changed places with another, and then another time, is known by nothing any more.
    if let home = files[path]?.home, home != path, files[home] != nil {
      files[path]?.isMarked = false
    }
    for path in files.keys {
      files[path]?.isChanged = true
      touched.insert(parent(of: path) ?? "")
    }
  }

  mutating func changeMode() throws {
    guard let path = somePath() else { return }
    deeds.append("chmod \(path)")
    try library.disk.setMode(path, Bool.random(using: &generator) ? 0o600 : 0o644)
  }

  /// Over another file, perhaps.
  mutating func rename() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard new != path else { return }
    deeds.append("rename \(path) \(new)")
    try library.disk.makeDirectory(parent(of: new) ?? "")
    try forgetMarkOfLink(path)
    try library.disk.move(path, to: new)
    // Of two names of one file, rename(2) leaves both.
    if library.disk.holds(path) { return }
    touched.insert(parent(of: path) ?? "")
    touchFolder(of: new)
    files[new] = moved(files.removeValue(forKey: path))
  }

  mutating func swap() throws {
    guard let first = somePath(), let second = somePath(), first != second else { return }
    deeds.append("swap \(first) \(second)")
    try forgetMarkOfLink(first)
    try forgetMarkOfLink(second)
    try library.disk.exchange(first, second)
    touchFolder(of: first)
    touchFolder(of: second)
    let (one, other) = (moved(files[first]), moved(files[second]))
    (files[first], files[second]) = (other, one)
  }

  /// Which of a file's names became which, nobody can tell.
  private mutating func forgetMarkOfLink(_ path: String) throws {
    if try library.disk.linkCount(of: path) > 1 { files[path]?.isMarked = false }
  }

  mutating func renameTree() throws {
    guard let path = somePath(), let old = parent(of: path) else { return }
    let new = "tree\(Int.random(in: 0..<3, using: &generator))"
    guard !library.disk.holds(new) else { return }
    deeds.append("rename \(old) \(new)")
    let isLinked = try files.keys.contains { try library.disk.linkCount(of: $0) > 1 }
    // What is left of a tree of that name in the index is in the way.
    let isNew = !isLinked && !homes.contains { $0.hasPrefix(new + "/") }
    try library.disk.move(old, to: new)
    for directory in touched where (directory + "/").hasPrefix(old + "/") {
      touched.insert(new + directory.dropFirst(old.count))
    }
    for path in files.keys where path.hasPrefix(old + "/") {
      let place = new + path.dropFirst(old.count)
      if homes.contains(place) { contested.insert(place) }
      files[place] = moved(files.removeValue(forKey: path), withTree: isNew)
    }
  }

  /// A file that changed and moved between two looks can only be a new photo; and without inodes,
  /// one of several with the same bytes, unless its whole directory is there again.
  func moved(_ file: File?, withTree: Bool = false) -> File {
    var file = file ?? File()
    let isTreeMoved = withTree && (file.home.map { files[$0] == nil } ?? false)
    if file.isChanged { file.isMarked = false }
    if library.countsInodes == false && !isTreeMoved { file.isMarked = false }
    file.isTreeMoved = isTreeMoved
    return file
  }

  mutating func remove() {
    guard let path = somePath() else { return }
    if Int.random(in: 0..<4, using: &generator) == 0, let tree = parent(of: path) {
      deeds.append("remove \(tree)")
      library.disk.remove(tree)
      for path in files.keys where path.hasPrefix(tree + "/") {
        touched.insert(parent(of: path) ?? "")
      }
      files = files.filter { !$0.key.hasPrefix(tree + "/") }
    } else {
      deeds.append("remove \(path)")
      library.disk.remove(path)
      touched.insert(parent(of: path) ?? "")
      files[path] = nil
    }
  }

  mutating func link() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard files[new] == nil, !library.disk.holds(new) else { return }
    try library.disk.makeDirectory(parent(of: new) ?? "")
    if Bool.random(using: &generator) {
      deeds.append("hard link \(new) \(path)")
      try library.disk.hardLink(new, to: path)
      touchFolder(of: new)
      files[new] = File(isChanged: files[path]?.isChanged ?? true)
    } else {
      links += 1
      deeds.append("link link\(links).jpg \(path)")
      try library.disk.link("link\(links).jpg", to: path)
    }
  }

  mutating func copy() throws {
    guard let path = somePath() else { return }
    let new = newPath()
    guard files[new] == nil, !library.disk.holds(new) else { return }
    deeds.append("copy \(path) \(new)")
    try library.write(new, try library.disk.read(path))
    touchFolder(of: new)
    files[new] = File()
  }

  mutating func mark() throws {
    guard let path = somePath(), let id = try library.id(path) else { return }
    deeds.append("mark \(path)")
    try library.write(
      byHand: """
        UPDATE photo SET is_favorite = 1 WHERE id = \(id);
        INSERT OR IGNORE INTO album (id, name) VALUES (1, 'best');
        INSERT OR IGNORE INTO album_photo (album_id, photo_id) VALUES (1, \(id));
        """)
    files[path]?.isMarked = true
  }
}

/// nil: it lies in the root itself.
func parent(of path: String) -> String? {
  path.lastIndex(of: "/").map { String(path[..<$0]) }
}
