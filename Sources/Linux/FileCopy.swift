import Glibc
import Model

/// Copies a file to where nothing may be yet; only its owner can read the copy. It is on the disk
/// when this returns.
package func copyFile(at path: [UInt8], to copy: [UInt8]) throws(SystemError) {
  let file = try OpenFile(absolutePath: path)
  let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
  let raw = try system("open", on: printable(copy)) { copy.withCString { open($0, flags, 0o600) } }
  let descriptor = FileDescriptor(owning: raw)
  do throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    while true {
      let count = try file.read(at: offset, into: &buffer)
      try writeAll(Array(buffer[..<count]), to: descriptor.raw, printable(copy))
      offset += Int64(count)
      if count < buffer.count { break }
    }
    _ = try system("fsync", on: printable(copy)) { fsync(descriptor.raw) }
  } catch {
    removeFile(at: copy)
    throw error
  }
}

/// Writes a file that is not there yet, and that only its owner can read. It and its name are on the
/// disk when this returns.
package func writeNewFile(at path: [UInt8], _ bytes: [UInt8]) throws(SystemError) {
  let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
  let raw = try system("open", on: printable(path)) { path.withCString { open($0, flags, 0o600) } }
  let descriptor = FileDescriptor(owning: raw)
  do throws(SystemError) {
    try writeAll(bytes, to: descriptor.raw, printable(path))
    _ = try system("fsync", on: printable(path)) { fsync(descriptor.raw) }
    try syncDirectory(of: path)
  } catch {
    removeFile(at: path)
    throw error
  }
}

/// Gives a file the name of another, whose place it takes; the name is on the disk when this
/// returns.
package func renameFile(at path: [UInt8], to name: [UInt8]) throws(SystemError) {
  _ = try system("rename", on: printable(name)) {
    path.withCString { from in name.withCString { rename(from, $0) } }
  }
  try syncDirectory(of: name)
}

/// What names came and went beside the file at that path is on the disk when this returns.
package func syncDirectory(of path: [UInt8]) throws(SystemError) {
  let slash = path.lastIndex(of: UInt8(ascii: "/"))
  let parent = slash.map { Array(path[...$0]) } ?? Array(".".utf8)
  let raw = try system("open", on: printable(path)) {
    parent.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  }
  let directory = FileDescriptor(owning: raw)
  _ = try system("fsync", on: printable(path)) { fsync(directory.raw) }
}
