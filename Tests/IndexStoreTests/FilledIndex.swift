import IndexStore
import Linux
import Model
import SQLite
import TestSupport

/// An index of a root with photos that no file stands behind, and a person with the shell.
final class FilledIndex {
  let index: PhotoIndex
  /// Foreign keys are off, as in the `sqlite3` shell.
  let shell: Connection
  let root: Int64
  private let directory: TemporaryDirectory

  init(_ names: String..., catalog: (any PlaceCatalog)? = nil) async throws {
    directory = try TemporaryDirectory(in: "/dev/shm")
    index = try PhotoIndex(
      path: directory.path + "/index", catalog: catalog,
      now: { Timestamp(seconds: 1_720_000_000, nanoseconds: 0) })
    shell = try Connection(path: directory.path + "/index", .readWrite)
    let declaration = RootDeclaration(name: "r", path: Array("/r".utf8), owner: nil)
    root = try await index.attach(declaration)?.id ?? 0
    try await index.apply(names.map { .insert(reading($0)) }, to: root)
  }

  func id(_ path: String) throws -> Int64 {
    try shell.integer("SELECT id FROM photo WHERE path = ?", [.text(path)]) ?? 0
  }

  func end() throws -> Int64 { try shell.integer("SELECT max(seq) FROM change") ?? 0 }

  /// What the feed tells from there on: `photo update 3 size,width`.
  func feed(after end: Int64 = 0) throws -> [String] {
    try shell.rows(
      """
      SELECT subject || ' ' || kind || ' ' || row_id || coalesce(' ' || fields, '') FROM change
      WHERE seq > ? ORDER BY seq
      """, [.integer(end)])
  }
}

/// What a reading of a file of that name found.
func reading(
  _ name: String, size: Int64 = 10, device: DeviceIdentity? = nil, place: Int? = nil,
  exposure: Exposure? = nil, hashes: FileHashes? = nil, failure: ReadFailure? = nil
) -> PhotoReading {
  var metadata = PhotoMetadata(mediaType: "image/jpeg")
  metadata.device = device
  metadata.exposure = exposure
  return PhotoReading(
    path: RelativePath(name), fingerprint: stamps(size), readerVersion: 1, metadata: metadata,
    taken: nil, place: place.map { PlacedAt(unit: $0, source: .polygon, distance: nil) },
    hashes: hashes, failure: failure)
}

func stamps(_ size: Int64) -> Fingerprint {
  let stamp = Timestamp(nanoseconds: 1)
  return Fingerprint(size: size, modified: stamp, changed: stamp, inode: UInt64(size))
}
