import CLinux
import Glibc
import Model

/// What is mounted where, and the news that it has changed.
package struct MountTable: ~Copyable, Sendable {
  package struct Mount: Hashable, Sendable {
    /// The absolute path at which it is seen.
    package let path: [UInt8]
    /// The directory of its file system that is seen there.
    package let root: [UInt8]
    /// A number that no other mount has at the same time.
    package let identifier: Int
  }

  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let raw = try system("open", on: "/proc/self/mountinfo") {
      open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    }
    descriptor = FileDescriptor(owning: raw)
  }

  /// Ready whenever something was mounted or unmounted since the last wait (proc(5)).
  package var readiness: Readiness { Readiness(exceptional: descriptor.raw) }

  package borrowing func mounts() throws(SystemError) -> Set<Mount> {
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    lseek(descriptor.raw, 0, SEEK_SET)
    while true {
      let count = try system("read", on: "/proc/self/mountinfo") {
        block.withUnsafeMutableBytes { read(descriptor.raw, $0.baseAddress, $0.count) }
      }
      guard count > 0 else { break }
      text += block[..<count]
    }
    return Set(text.split(separator: UInt8(ascii: "\n")).compactMap { Mount(line: $0) })
  }
}

extension MountTable.Mount {
  /// `36 35 98:0 /mnt1 /mnt2 rw,noatime …`: the first, fourth and fifth field.
  package init?(line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count > 5, let number = Int(String(decoding: fields[0], as: UTF8.self)) else {
      return nil
    }
    identifier = number
    root = unescaped(fields[3])
    path = unescaped(fields[4])
  }
}

/// Blanks, tabs, newlines and backslashes stand there as `\040`.
private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = text
  while let byte = rest.popFirst() {
    let digits = rest.prefix(3)
    guard byte == UInt8(ascii: "\\"), digits.count == 3,
      let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
    else {
      bytes.append(byte)
      continue
    }
    bytes.append(value)
    rest = rest.dropFirst(3)
  }
  return bytes
}
