import CLinux
import Glibc
import Model
import Synchronization

/// Finds the names of file systems, and remembers them, for as long as none of them is unmounted.
package final class FileSystemNames: Sendable {
  private struct Mounted: Hashable {
    let type: Int
    let identifier: UInt64
    let device: UInt64
  }

  private let udev: String
  private let known = Mutex<[Mounted: FileSystem]>([:])

  /// `udev` is the directory in which udev keeps what it knows of block devices. Unlike the links
  /// in /dev/disk, it can be read where devices are hidden.
  package init(udev: String = "/run/udev/data") {
    self.udev = udev
  }

  func fileSystem(of descriptor: CInt) throws(SystemError) -> FileSystem {
    var buffer = statfs()
    _ = try system("fstatfs", on: "directory") { photoindexd_fstatfs(descriptor, &buffer) }
    let type = Int(buffer.f_type)
    let identifier = withUnsafeBytes(of: buffer.f_fsid) { $0.loadUnaligned(as: UInt64.self) }
    // There it comes from the UUID in the superblock, on btrfs with the number of the subvolume. On
    // all others it is made of the device number, drawn at the mount, or 0.
    if type == ext4 || type == btrfs {
      let identity = identifier == 0 ? nil : "\(typeName(type))-" + String(identifier, radix: 16)
      return FileSystem(type: type, stableIdentity: identity)
    }
    let device = try statusOf(descriptor, "directory").device
    let mounted = Mounted(type: type, identifier: identifier, device: device)
    if let found = known.withLock({ $0[mounted] }) { return found }
    let found = FileSystem(type: type, stableIdentity: identity(of: descriptor, type, device))
    known.withLock { $0[mounted] = found }
    return found
  }

  private func identity(of descriptor: CInt, _ type: Int, _ device: UInt64) -> String? {
    let name: String?
    switch type {
    case xfs: name = xfsUUID(descriptor)
    case fat: name = fatVolume(descriptor)
    default: name = udevUUID(device)
    }
    return name.map { "\(typeName(type))-\($0)" }
  }

  /// The line `E:ID_FS_UUID=…` of the device; nil for what is on none, which has the major number 0.
  private func udevUUID(_ device: UInt64) -> String? {
    let (major, minor) = (device >> 32, device & 0xffff_ffff)
    guard major != 0 else { return nil }
    let path = Array("\(udev)/b\(major):\(minor)".utf8)
    guard let file = try? OpenFile(absolutePath: path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    guard let count = try? file.read(at: 0, into: &bytes) else { return nil }
    let key = Array("E:ID_FS_UUID=".utf8)
    let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
    guard let value = line?.dropFirst(key.count), !value.isEmpty, value.count <= 64 else {
      return nil
    }
    return printable(value)
  }
}

private let (ext4, btrfs, xfs, fat) = (0xef53, 0x9123_683e, 0x5846_5342, 0x4d44)

private func xfsUUID(_ descriptor: CInt) -> String? {
  var bytes = [UInt8](repeating: 0, count: 16)
  guard photoindexd_xfs_uuid(descriptor, &bytes) == 0, bytes.contains(where: { $0 != 0 }) else {
    return nil
  }
  return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func fatVolume(_ descriptor: CInt) -> String? {
  var volume: UInt32 = 0
  guard photoindexd_fat_volume(descriptor, &volume) == 0, volume != 0 else { return nil }
  return String(volume, radix: 16)
}
