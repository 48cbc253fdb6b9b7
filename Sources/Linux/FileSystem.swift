import CLinux

/// The file system that an object lies on, as statfs(2) tells it.
package struct FileSystem: Hashable, Sendable {
  /// The magic number of the type.
  package let type: Int
  /// f_fsid; 0 where there is none.
  package let identifier: UInt64

  init(of descriptor: CInt) throws(SystemError) {
    var buffer = statfs()
    _ = try system("fstatfs", on: "directory") { photoindexd_fstatfs(descriptor, &buffer) }
    type = Int(buffer.f_type)
    identifier = withUnsafeBytes(of: buffer.f_fsid) { $0.loadUnaligned(as: UInt64.self) }
  }

  /// A name that is the same at each mount of the same file system; nil where none is known.
  ///
  /// On these three f_fsid comes from the UUID in the superblock; elsewhere it is derived from
  /// a device number or drawn at mount.
  package var stableIdentity: String? {
    guard let name = stableTypes[type], identifier != 0 else { return nil }
    return name + "-" + String(identifier, radix: 16)
  }

  /// The best that can be said of where a directory lies: the stable identity, else the type.
  package var description: String {
    stableIdentity ?? "type-" + String(type, radix: 16)
  }

  /// Why changes can happen there that inotify does not tell; nil when it tells all.
  package var blindness: String? { blindTypes[type] }

  /// Whether an inode number and a change time stay with a file.
  package var keepsInodes: Bool { !inodeless.contains(type) }
}

private let stableTypes: [Int: String] = [0xef53: "ext4", 0x5846_5342: "xfs", 0x9123_683e: "btrfs"]

/// vfat, exFAT, FUSE, SMB (old and new) and 9p make inode numbers up.
private let inodeless: Set<Int> = [
  0x4d44, 0x2011_bab0, 0x6573_5546, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997,
]

/// Others than this machine write there: other machines, another program's own store, or what lies
/// under an overlay.
private let blindTypes: [Int: String] = [
  0x6969: "NFS", 0x517b: "SMB", 0xff53_4d42: "SMB", 0xfe53_4d42: "SMB", 0x6573_5546: "FUSE",
  0x0102_1997: "9p", 0x794c_7630: "overlay", 0x00c3_6400: "Ceph", 0x5346_414f: "AFS",
  0x786f_4256: "a VirtualBox share", 0x7375_7245: "Coda",
]
