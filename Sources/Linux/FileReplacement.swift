import Glibc
import Model

/// Puts a file of these words at an absolute path: written beside it, then renamed, so that a
/// reader finds the old file or the new one and never a part.
///
/// It is not synchronised: use it for what a checksum guards and what can be made again.
package func replaceFile(at path: [UInt8], with words: [UInt32]) throws(SystemError) {
  let new = path + Array(".\(getpid()).new".utf8)
  do throws(SystemError) {
    try write(words, to: new)
    _ = try system("rename", on: printable(path)) {
      new.withCString { from in path.withCString { rename(from, $0) } }
    }
  } catch {
    _ = new.withCString { unlink($0) }
    throw error
  }
}

private func write(_ words: [UInt32], to path: [UInt8]) throws(SystemError) {
  let raw = try system("open", on: printable(path)) {
    path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644) }
  }
  let descriptor = FileDescriptor(owning: raw)
  var written = 0
  while written < words.count * 4 {
    written += try system("write", on: printable(path)) {
      words.withUnsafeBytes { bytes in
        Glibc.write(descriptor.raw, bytes.baseAddress! + written, bytes.count - written)
      }
    }
  }
}
