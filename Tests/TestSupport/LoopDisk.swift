import Glibc

/// A disk of our own, in a file: only root, on a kernel with loop devices, can have one.
package final class LoopDisk {
  private let images: TemporaryDirectory
  private let type: String
  private let image: String
  private var mountPoint: String?
  private var undertaker: Undertaker?

  /// Whether this process can mount one of that type.
  package static func isAvailable(_ type: String) -> Bool {
    guard geteuid() == 0, access("/usr/sbin/mkfs.\(type)", X_OK) == 0 else { return false }
    guard let disk = try? LoopDisk(type), let directory = try? TemporaryDirectory() else {
      return false
    }
    return (try? disk.mount(at: directory.path)) != nil
  }

  package init(_ type: String) throws {
    images = try TemporaryDirectory()
    self.type = type
    image = images.path + "/image"
    let size = type == "xfs" ? "320M" : "24M"
    try run(["/usr/bin/truncate", "-s", size, image])
    try run(["/bin/sh", "-c", "exec /usr/sbin/mkfs.\(type) '\(image)' >/dev/null 2>&1"])
  }

  deinit {
    unmount()
  }

  /// FAT keeps the times of a zone: with `hoursEast`, of one so far east of UTC.
  package func mount(at path: String, readOnly: Bool = false, hoursEast: Int = 0) throws {
    let zone = type == "vfat" ? ",time_offset=\(hoursEast * 60)" : ""
    let options = (readOnly ? "loop,ro" : "loop") + zone
    // Where the kernel does not know the type, a process may.
    undertaker = try Undertaker(of: path)
    let words = "mount -o \(options) '\(image)' '\(path)' 2>/dev/null || "
    let others = [
      "exfat": """
      device=$(losetup -f --show '\(image)') && mount.exfat-fuse "$device" '\(path)' >/dev/null
      losetup -d "$device" && mountpoint -q '\(path)'
      """,
      "vfat": "TZ=Etc/GMT-\(hoursEast) fusefat -o rw+ '\(image)' '\(path)' >/dev/null 2>&1",
    ]
    try run(["/bin/sh", "-c", words + "{ \(others[type] ?? "false"); }"])
    mountPoint = path
  }

  /// From now on every access that needs the device fails with EIO, as when its cable is pulled,
  /// until it is mounted anew. What was synchronised is there then.
  package func breakDown() throws {
    guard let mountPoint else { return }
    try run(["/usr/bin/sync", "-f", mountPoint])
    let descriptor = open(mountPoint, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    // XFS_IOC_GOINGDOWN, which ext4 knows, too; 2: without another write.
    var how: UInt32 = 2
    guard ioctl(descriptor, 0x8004_587d, &how) == 0 else { throw TestSupportError("ioctl") }
  }

  /// Leaves about so many bytes free to users; `freeSpace` undoes it.
  package func fill(leaving bytes: Int) throws {
    guard let mountPoint else { return }
    var status = statvfs()
    guard statvfs(mountPoint, &status) == 0 else { throw TestSupportError("statvfs") }
    let size = Int(status.f_bavail) * Int(status.f_frsize) - bytes
    try run(["/usr/bin/fallocate", "-l", "\(size)", mountPoint + "/ballast"])
  }

  package func freeSpace() throws {
    guard let mountPoint else { return }
    try run(["/bin/rm", mountPoint + "/ballast"])
  }

  package func unmount() {
    guard let mountPoint else { return }
    try? run(["/usr/bin/umount", mountPoint])
    self.mountPoint = nil
    undertaker = nil
  }
}

/// Takes away what is mounted at a path when this process is done with it, be it killed: then nobody
/// else would, and the disk of an image that is deleted would stay for ever.
private final class Undertaker {
  private let child: Child
  private let lifeline: CInt

  init(of path: String) throws {
    var ends: [CInt] = [-1, -1]
    // No other child must have an end, or that would keep it open; a pipe cannot be made so at once here.
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestSupportError("socketpair") }
    lifeline = ends[1]
    defer { close(ends[0]) }
    // In a session of its own, for a signal to the tests' terminal or group is none to it.
    child = try Child(["/usr/bin/setsid", "/bin/sh", "-c", script, "sh", path], input: ends[0])
  }

  deinit {
    // A line says that nobody was killed.
    _ = write(lifeline, "\n", 1)
    close(lifeline)
    _ = try? child.wait()
  }
}

/// What is being mounted while this process is killed, is there a little later only.
private let script = #"""
  read line && exec umount -l "$1" 2>/dev/null
  for i in 0 1 2 3 4 5 6 7 8 9; do umount -l "$1" 2>/dev/null; sleep 1; done
  """#

/// The number of the device that a path lies on.
package func deviceNumber(of path: String) throws -> UInt64 {
  var status = stat()
  guard stat(path, &status) == 0 else { throw TestSupportError("stat") }
  return UInt64(status.st_dev)
}
