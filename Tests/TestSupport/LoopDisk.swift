import Glibc

/// A disk of our own, in a file: only root, on a kernel with loop devices, can have one.
package final class LoopDisk {
  private let images: TemporaryDirectory
  private let image: String
  private var mountPoint: String?

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
    image = images.path + "/image"
    let size = type == "xfs" ? "320M" : "24M"
    try run(["/usr/bin/truncate", "-s", size, image])
    try run(["/usr/sbin/mkfs.\(type)", "-q", image])
  }

  deinit {
    unmount()
  }

  package func mount(at path: String) throws {
    try run(["/usr/bin/mount", "-o", "loop", image, path])
    mountPoint = path
  }

  package func unmount() {
    guard let mountPoint else { return }
    // Whoever still looks into it, as the tests beside this one do at /proc/mounts, must not keep it.
    try? run(["/usr/bin/umount", mountPoint])
    self.mountPoint = nil
  }
}

/// The number of the device that a path lies on.
package func deviceNumber(of path: String) throws -> UInt64 {
  var status = stat()
  guard stat(path, &status) == 0 else { throw TestSupportError("stat") }
  return UInt64(status.st_dev)
}
