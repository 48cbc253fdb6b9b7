import CLinux

/// The file system that an object lies on.
package struct FileSystem: Hashable, Sendable {
  /// The magic number of the type, as statfs(2) tells it.
  package let type: Int
  /// A name that is the same at each mount of the same file system; nil where none is known.
  package let stableIdentity: String?

  package init(type: Int, stableIdentity: String?) {
    self.type = type
    self.stableIdentity = stableIdentity
  }

  /// The best that can be said of where a directory lies: the stable identity, else the type.
  package var description: String { stableIdentity ?? typeName(type) }

  /// Whether it can be the one that had this description: where one of the two times nothing but
  /// the type was known, the type decides.
  package func canBe(_ known: String) -> Bool {
    if known == description { return true }
    let type = typeName(type)
    return stableIdentity == nil ? known.hasPrefix(type + "-") : known == type
  }

  /// Why changes can happen there that inotify does not tell; nil when it tells all.
  package var blindness: String? { blindTypes[type] }

  /// Whether an inode number and a change time stay with a file.
  package var keepsInodes: Bool { !inodeless.contains(type) }
}

func typeName(_ type: Int) -> String { typeNames[type] ?? "type-" + String(type, radix: 16) }

private let typeNames: [Int: String] = [
  0xef53: "ext4", 0x5846_5342: "xfs", 0x9123_683e: "btrfs", 0x4d44: "vfat", 0x2011_bab0: "exfat",
  0x6573_5546: "fuse", 0x7366_746e: "ntfs", 0xf2f5_2010: "f2fs", 0x482b: "hfsplus",
  0x6969: "nfs", 0x0102_1994: "tmpfs", 0x794c_7630: "overlay",
]

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
