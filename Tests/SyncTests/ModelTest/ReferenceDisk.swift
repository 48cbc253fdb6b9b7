/// The disk as the model sees it, below the root.
struct ReferenceDisk {
  private(set) var files: [String: ReferenceFile] = [:]
  /// All that there are, be they empty; the root has no name.
  private(set) var directories: Set<String> = [""]
  private var written = 0
  private var unseenInode = UInt64.max

  var paths: [String] { files.keys.sorted() }

  /// No time is that of two writes.
  private mutating func stamp() -> Int {
    written += 1
    return firstStamp + written
  }

  /// Takes over what the file system gives: inode numbers, which it uses again, and change times.
  mutating func see(_ status: (String) throws -> (inode: UInt64, changed: Int64)) rethrows {
    for path in paths {
      let seen = try status(path)
      files[path]?.inode = seen.inode
      files[path]?.changed = seen.changed
    }
  }

  /// Whether the file has other names, too.
  func isLinked(_ path: String) -> Bool {
    guard let inode = files[path]?.inode else { return false }
    return files.values.count { $0.inode == inode } > 1
  }

  mutating func makeDirectories(above path: String) {
    var directory = folder(of: path)
    while directories.insert(directory).inserted { directory = folder(of: directory) }
  }

  /// Writes in place, under all names of the file; returns the new modification time.
  mutating func write(_ path: String, _ content: PhotoContent) -> Int {
    makeDirectories(above: path)
    let modified = stamp()
    guard let old = files[path] else {
      // Until it is seen.
      unseenInode -= 1
      files[path] = ReferenceFile(inode: unseenInode, modified: modified, content: content)
      return modified
    }
    for (name, file) in files where file.inode == old.inode {
      files[name] = ReferenceFile(inode: old.inode, modified: modified, content: content)
    }
    return modified
  }

  /// Another file takes the name.
  mutating func replace(_ path: String, _ content: PhotoContent) -> Int {
    files[path] = nil
    return write(path, content)
  }

  mutating func touch(_ path: String) -> Int? {
    files[path].map { write(path, $0.content) }
  }

  /// A file of its own with the same bytes; and the same time, if `modified` says so.
  mutating func copy(_ path: String, to new: String, keepsTime: Bool) -> Int? {
    guard let file = files[path] else { return nil }
    let modified = write(new, file.content)
    guard keepsTime else { return modified }
    files[new]?.modified = file.modified
    return file.modified
  }

  mutating func link(_ new: String, to path: String) {
    makeDirectories(above: new)
    files[new] = files[path]
  }

  mutating func rename(_ path: String, _ new: String) {
    makeDirectories(above: new)
    files[new] = files.removeValue(forKey: path)
  }

  mutating func swap(_ path: String, _ other: String) {
    (files[path], files[other]) = (files[other], files[path])
  }

  mutating func remove(_ path: String) { files[path] = nil }

  mutating func removeTree(_ directory: String) {
    files = files.filter { !lies($0.key, in: directory) }
    directories = directories.filter { $0 != directory && !lies($0, in: directory) }
  }

  mutating func renameTree(_ old: String, _ new: String) {
    makeDirectories(above: new)
    func moved(_ path: String) -> String {
      path == old || lies(path, in: old) ? new + path.dropFirst(old.count) : path
    }
    files = Dictionary(uniqueKeysWithValues: files.map { (moved($0.key), $0.value) })
    directories = Set(directories.map(moved))
  }
}

private let firstStamp = 1_720_000_000
