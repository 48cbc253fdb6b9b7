import IndexStore
import Library
import Model

/// A file to read, and why.
struct ReadTask: Sendable {
  /// Indirect, since most tasks are arrivals and should be small.
  indirect enum Purpose: Sendable {
    /// No row has this path.
    case arrival
    /// The row's file has other bytes: the same photo, or another one?
    case changedContent(KnownPhoto, PhotoLikeness?)
    /// Only change time or inode differ.
    case changedStatus(KnownPhoto)
    /// A newer reader, or another attempt; the bytes are those of the row.
    case again(KnownPhoto)
    /// A missing row has this path, too: is it the same file again?
    case reappearance(KnownPhoto)
  }

  let path: RelativePath
  let fingerprint: Fingerprint
  var purpose: Purpose
  /// Whether rows that are gone could be this file under its new name, which its hash will tell.
  let wantsHash: Bool
  let sidecars: PhotoSidecars

  /// Whether it takes a look into the index to tell the same photo from another one.
  var needsLikeness: Bool {
    if case .changedContent(_, nil) = purpose { true } else { false }
  }

  init(
    path: RelativePath, fingerprint: Fingerprint, purpose: Purpose, wantsHash: Bool = false,
    sidecars: PhotoSidecars = PhotoSidecars()
  ) {
    self.path = path
    self.fingerprint = fingerprint
    self.purpose = purpose
    self.wantsHash = wantsHash
    self.sidecars = sidecars
  }
}

/// What is beside a photo.
struct PhotoSidecars: Sendable {
  private(set) var files: [Sidecar] = []
  /// The digest of their names and stamps; nil where there are none.
  private(set) var state: Int64?

  init() {}

  init(of name: ArraySlice<UInt8>, among sidecars: Sidecars, countsInodes: Bool) {
    files = sidecars.of(name)
    guard !files.isEmpty else { return }
    var hasher = TokenHasher(salt: [])
    hasher.countsInodes = countsInodes
    state = hasher.state(of: files)
  }
}

/// What reading a file came to.
enum ReadOutcome: Sendable {
  case write([PhotoWrite])
  /// An arrival with the bytes of a file that is gone, perhaps.
  case candidate(PhotoReading)
  /// The file of a row is no photo of its type any more, or not all of it.
  case broken(row: Int64, PhotoWrite)
  /// The row's file has other bytes, which could not be read: whose they are, a later look tells.
  case unread(PhotoWrite)
  /// It vanished or changed meanwhile; the directory must be looked at again.
  case unsettled
}
