import CLinux
package import Model

package enum EntryKind: Hashable, Sendable {
  case file
  case directory
  case symbolicLink
  case other
  /// The file system does not say before it is asked.
  case unknown

  init(direntType: UInt8) {
    // readdir(3): DT_REG, DT_DIR, DT_LNK, DT_UNKNOWN.
    switch direntType {
    case 8: self = .file
    case 4: self = .directory
    case 10: self = .symbolicLink
    case 0: self = .unknown
    default: self = .other
    }
  }

  init(mode: UInt32) {
    // inode(7): the file type stands in the upper four of sixteen bits.
    switch mode & 0o170000 {
    case 0o100000: self = .file
    case 0o040000: self = .directory
    case 0o120000: self = .symbolicLink
    default: self = .other
    }
  }
}

/// What statx(2) says of a file.
package struct Status: Hashable, Sendable {
  package let kind: EntryKind
  package let fingerprint: Fingerprint
  /// The device number, which names a file system only until it is unmounted.
  package let device: UInt64

  init(kind: EntryKind, fingerprint: Fingerprint, device: UInt64) {
    self.kind = kind
    self.fingerprint = fingerprint
    self.device = device
  }

  init(_ status: statx) {
    kind = EntryKind(mode: UInt32(status.stx_mode))
    fingerprint = Fingerprint(
      size: Int64(clamping: status.stx_size),
      modified: Timestamp(status.stx_mtime),
      changed: Timestamp(status.stx_ctime),
      inode: status.stx_ino
    )
    device = UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor)
  }
}

extension Timestamp {
  init(_ stamp: statx_timestamp) {
    self.init(seconds: stamp.tv_sec, nanoseconds: Int64(stamp.tv_nsec))
  }
}
