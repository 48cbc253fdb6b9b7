import IndexStore
import Library
import Model

/// Rows whose files were not where they had been. That may be a million of them, so no more is held
/// of each than it takes to find it in the index.
struct GoneRows: Sendable {
  /// The file is gone, on good evidence.
  var vanished: Set<Int64> = []
  /// The path is there, but holds another file; this one may have another path now.
  var displaced: Set<Int64> = []
  /// Those that vanished after a rule had left them out.
  var excluded: Set<Int64> = []
  /// Rows that were gone before, but held, and whose files no listing has shown since.
  var held: Set<Int64> = []
  /// The sizes of those that can be found again by their hash.
  var sizes: Set<Int64> = []
  /// All of these, and the rows that are missing, by what stays with a file that is renamed.
  var stamps = StampTable()
  /// Where inodes do not count: those that went with rows in them.
  var directories: Set<RelativePath> = []
  /// The last that was found out.
  var evidence: Evidence?

  /// Whether the listing of one directory proves that the files of another are gone.
  struct Evidence: Sendable {
    let directory: RelativePath
    let listed: RelativePath
    let isGiven: Bool
  }
}

/// What a rename leaves as it is.
struct InodeStamp: Hashable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let modified: Timestamp

  init(_ fingerprint: Fingerprint) {
    inode = fingerprint.inode
    size = fingerprint.size
    modified = fingerprint.modified
  }
}

/// Rows by a digest of their stamps, in 16 bytes each.
struct StampTable: Sendable {
  private struct Entry: Sendable {
    let digest: Int
    let row: Int64
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ photo: KnownPhoto) {
    entries.append(Entry(digest: digest(photo.fingerprint), row: photo.id))
  }

  /// To be done before anything is looked for.
  mutating func sort() {
    entries.sort { ($0.digest, $0.row) < ($1.digest, $1.row) }
  }

  /// The rows that may have this stamp, and perhaps one of another; oldest first.
  func rows(like file: Fingerprint) -> [Int64] {
    let digest = digest(file)
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].digest < digest { low = middle + 1 } else { high = middle }
    }
    return entries[low...].prefix { $0.digest == digest }.map(\.row)
  }

  private func digest(_ file: Fingerprint) -> Int { InodeStamp(file).hashValue }
}
