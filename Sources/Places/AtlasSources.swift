import Digests
import Linux
import Model

/// The GeoJSON files that a compiled file follows from, as they lie on disk.
struct AtlasSources {
  /// The bundled ones.
  static let names = ["zones.geojson", "admin1.geojson", "korea.geojson", "units.geojson"]

  private let paths: [[UInt8]]
  /// What else the answers follow from.
  private let context: String
  /// What the files were, before they are read: one changed meanwhile then looks stale, not fresh.
  let stamp: Hash

  init(_ files: [String], context: String) throws(SystemError) {
    paths = files.map { Array($0.utf8) }
    self.context = context
    var hasher = SHA256()
    hasher.update(Array(context.utf8))
    for path in paths {
      let fingerprint = try OpenFile(absolutePath: path).status().fingerprint
      let numbers = [
        fingerprint.size, fingerprint.modified.nanoseconds, fingerprint.changed.nanoseconds,
        Int64(bitPattern: fingerprint.inode),
      ]
      hasher.update(Array("\(numbers)\n".utf8))
    }
    stamp = hasher.finalize()
  }

  /// The bytes of each file.
  func read() throws(SystemError) -> [[UInt8]] {
    try paths.map { path throws(SystemError) in try readFile(at: path) }
  }

  /// A digest of all that the answers of an atlas depend on.
  func digest(of contents: [[UInt8]]) -> Hash {
    var hasher = SHA256()
    let digests = contents.map { bytes in
      hasher.update(bytes)
      return hasher.finalize()
    }
    hasher.update(Array("photoindexd atlas \(AtlasFormat.version)\(context)".utf8))
    for digest in digests { hasher.update(digest.bytes) }
    return hasher.finalize()
  }
}

/// What stands behind the last slash of a path.
func lastName(of path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
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

/// The four bundled files, parsed; nil when one is needed no more.
struct AtlasFiles {
  var zones: FeatureCollection?
  var admin1: FeatureCollection?
  var korea: FeatureCollection?
  var units: FeatureCollection?

  init(_ contents: consuming [[UInt8]]) throws(GeoJSONError) {
    let collections = try zip(contents, AtlasSources.names).map {
      bytes, name throws(GeoJSONError) in
      try FeatureCollection(bytes, file: name)
    }
    (zones, admin1, korea, units) = (collections[0], collections[1], collections[2], collections[3])
  }
}
