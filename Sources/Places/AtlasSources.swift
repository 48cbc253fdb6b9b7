import Digests
import Linux
import Model

/// The four files that an atlas is compiled from, as they lie on disk.
struct AtlasSources {
  static let names = ["zones.geojson", "admin1.geojson", "korea.geojson", "units.geojson"]

  private let paths: [[UInt8]]
  /// Taken before the files are read: a file changed meanwhile then looks stale, not fresh.
  let fingerprints: [Fingerprint]

  init(directory: String) throws(SystemError) {
    let directory = Array(directory.utf8)
    paths = AtlasSources.names.map { directory + [UInt8(ascii: "/")] + Array($0.utf8) }
    fingerprints = try paths.map { path throws(SystemError) in
      try OpenFile(absolutePath: path).status().fingerprint
    }
  }

  /// The bytes of each file.
  func read() throws(SystemError) -> [[UInt8]] {
    try paths.map { path throws(SystemError) in try readFile(at: path) }
  }

  /// A digest of all that the answers of an atlas depend on.
  static func digest(of contents: [[UInt8]]) -> Hash {
    var hasher = SHA256()
    let digests = contents.map { bytes in
      hasher.update(bytes)
      return hasher.finalize()
    }
    hasher.update(Array("photoindexd atlas \(AtlasFormat.version)".utf8))
    for digest in digests { hasher.update(digest.bytes) }
    return hasher.finalize()
  }
}

/// The bytes of the file at an absolute path.
func readFile(at path: [UInt8]) throws(SystemError) -> [UInt8] {
  let file = try OpenFile(absolutePath: path)
  let size = try file.status().fingerprint.size
  // A file of the sources never comes near this; a device or a mistake may.
  let most = Int64(GeoJSONLimits().bytes) + 1
  var bytes = [UInt8](repeating: 0, count: Int(min(size, most)))
  let count = try file.read(at: 0, into: &bytes)
  bytes.removeSubrange(count...)
  return bytes
}

/// The four files, parsed.
struct AtlasFiles {
  let zones: FeatureCollection
  let admin1: FeatureCollection
  let korea: FeatureCollection
  let units: FeatureCollection

  init(_ contents: [[UInt8]]) throws(GeoJSONError) {
    let collections = try zip(contents, AtlasSources.names).map {
      bytes, name throws(GeoJSONError) in
      try FeatureCollection(bytes, file: name)
    }
    (zones, admin1, korea, units) = (collections[0], collections[1], collections[2], collections[3])
  }
}
