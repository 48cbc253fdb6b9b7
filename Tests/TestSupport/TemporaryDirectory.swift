import Glibc
import Linux
package import Model

/// A directory that is removed together with its owner. Names are bytes.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// `parent` chooses the file system: /dev/shm is one without an identity.
  package init(in parent: String = "/tmp") throws {
    var template = Array((parent + "/photoindexd-test.XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw TestSupportError("mkdtemp") }
    path = String(cString: made)
  }

  deinit {
    remove("")
  }

  /// The absolute path of `name`.
  package func path(_ name: String) -> [UInt8] { path(Array(name.utf8)) }

  package func path(_ name: [UInt8]) -> [UInt8] { Array((path + "/").utf8) + name }

  package func makeDirectory(_ name: String) throws {
    var partial = path
    for component in name.split(separator: "/") {
      partial += "/" + component
      guard mkdir(partial, 0o755) == 0 || errno == EEXIST else { throw TestSupportError("mkdir") }
    }
  }

  package func write(_ name: String, _ contents: [UInt8]) throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try write(Array(name.utf8), contents)
  }

  package func write(_ name: String, _ contents: String) throws {
    try write(name, Array(contents.utf8))
  }

  package func write(_ name: [UInt8], _ contents: [UInt8]) throws {
    let descriptor = open(cString(path(name)), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TestSupportError("open") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, contents, contents.count) == contents.count else {
      throw TestSupportError("write")
    }
  }

  package func read(_ name: String) throws -> [UInt8] {
    let file = try OpenFile(absolutePath: path(name))
    var bytes = [UInt8](repeating: 0, count: Int(try file.status().fingerprint.size))
    return Array(bytes[..<(try file.read(at: 0, into: &bytes))])
  }

  package func link(_ name: String, to target: String) throws {
    guard symlink(target, path + "/" + name) == 0 else { throw TestSupportError("symlink") }
  }

  package func hardLink(_ name: String, to existing: String) throws {
    guard Glibc.link(path + "/" + existing, path + "/" + name) == 0 else {
      throw TestSupportError("link")
    }
  }

  package func makeFIFO(_ name: String) throws {
    guard mkfifo(path + "/" + name, 0o644) == 0 else { throw TestSupportError("mkfifo") }
  }

  /// Whether anything has the name, be it a link that leads nowhere.
  /// The names of what is in it.
  package func names() throws -> [String] {
    let listing = try Directory(absolutePath: Array(path.utf8)).list { _, _ in true }
    return listing.entries.map { String(decoding: listing.name(of: $0), as: UTF8.self) }
  }

  package func holds(_ name: String) -> Bool {
    var status = stat()
    return lstat(path + "/" + name, &status) == 0
  }

  /// Makes two names change places.
  package func exchange(_ name: String, _ other: String) throws {
    try move(name, to: "exchanged")
    try move(other, to: name)
    try move("exchanged", to: other)
  }

  package func move(_ name: String, to newName: String) throws {
    guard rename(path + "/" + name, path + "/" + newName) == 0 else {
      throw TestSupportError("rename")
    }
  }

  /// Sets the modification time, in seconds since 1970.
  package func touch(_ name: String, modified seconds: Int) throws {
    try touch(Array(name.utf8), modified: seconds)
  }

  package func touch(_ name: [UInt8], modified seconds: Int) throws {
    let stamp = timespec(tv_sec: seconds, tv_nsec: 0)
    guard utimensat(AT_FDCWD, cString(path(name)), [stamp, stamp], 0) == 0 else {
      throw TestSupportError("utimensat")
    }
  }

  /// By what a listing knows the file.
  package func stamp(of name: String) throws -> Fingerprint {
    try Directory(absolutePath: Array(path.utf8)).status(at: Array(name.utf8), .refused).fingerprint
  }

  /// Sets the permission bits.
  package func setMode(_ name: String, _ mode: UInt32) throws {
    guard chmod(path + "/" + name, mode) == 0 else { throw TestSupportError("chmod") }
  }

  /// The permission bits.
  package func mode(of name: String) throws -> UInt32 {
    var status = stat()
    guard stat(path + "/" + name, &status) == 0 else { throw TestSupportError("stat") }
    return status.st_mode & 0o7777
  }

  package func inode(of name: String) throws -> UInt64 {
    var status = stat()
    guard lstat(path + "/" + name, &status) == 0 else { throw TestSupportError("lstat") }
    return UInt64(status.st_ino)
  }

  /// How many names the file has.
  package func linkCount(of name: String) throws -> Int {
    var status = stat()
    guard stat(path + "/" + name, &status) == 0 else { throw TestSupportError("stat") }
    return Int(status.st_nlink)
  }

  /// Removes a file or a whole tree; what is not there needs no removal.
  package func remove(_ name: String) {
    removeTree(name.isEmpty ? path : path + "/" + name)
  }
}

package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String

  init(_ call: String) {
    description = "\(call): \(String(cString: strerror(errno)))"
  }
}

private func cString(_ bytes: [UInt8]) -> [CChar] { (bytes + [0]).map { CChar(bitPattern: $0) } }

private func removeTree(_ path: String) {
  removeTree(cString(Array(path.utf8)))
}

private func removeTree(_ path: [CChar]) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    unlink(path)
    return
  }
  chmod(path, 0o700)
  if let stream = opendir(path) {
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      removeTree(
        path.dropLast() + [CChar(UInt8(ascii: "/"))] + name.map { CChar(bitPattern: $0) } + [0])
    }
    closedir(stream)
  }
  rmdir(path)
}

/// A file that stays open for writing.
package final class FileAppender: Sendable {
  private let descriptor: CInt

  package init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TestSupportError("open") }
  }

  deinit {
    close(descriptor)
  }

  package func append(_ bytes: [UInt8] = [0]) {
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
