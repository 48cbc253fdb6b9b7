import Model

/// One feature of a GeoJSON file.
package struct Feature: Sendable {
  /// Its place in the file, from 1.
  package let number: Int
  /// Where it starts in the bytes of the file.
  let offset: Int
  package let properties: [String: JSONValue]
  /// nil where the file says null.
  package let geometry: Geometry?
}

/// The features of a GeoJSON file (RFC 7946), with all that an error about one of them must name.
package struct FeatureCollection: Sendable {
  package let file: String
  package let features: [Feature]
  private let bytes: [UInt8]

  package init(
    _ bytes: [UInt8], file: String, limits: GeoJSONLimits = GeoJSONLimits()
  ) throws(GeoJSONError) {
    self.file = file
    self.bytes = bytes
    var reader = GeoJSONReader()
    var scanner = JSONScanner(bytes, limits: limits)
    do throws(GeoJSONFault) {
      try reader.readCollection(&scanner)
    } catch {
      throw GeoJSONError(
        error.problem, at: error.offset, in: bytes, reader.location, file: file)
    }
    features = reader.features
  }

  /// The error that this feature has the problem.
  func error(_ problem: GeoJSONProblem, in feature: Feature) -> GeoJSONError {
    GeoJSONError(
      problem, at: feature.offset, in: bytes, GeoJSONLocation(feature: feature.number), file: file)
  }
}

/// Reads the features of a file and remembers where it is, so that an error can say it.
struct GeoJSONReader {
  private(set) var features: [Feature] = []
  var location = GeoJSONLocation()
  var positionCount = 0

  mutating func readCollection(_ scanner: inout JSONScanner) throws(GeoJSONFault) {
    guard scanner.bytes.count <= scanner.limits.bytes else {
      throw scanner.fault(.tooMany(what: "bytes", limit: scanner.limits.bytes))
    }
    var type: String?
    var hasFeatures = false
    try scanner.object("a GeoJSON object") { scanner, name throws(GeoJSONFault) in
      switch name {
      case "type": type = try scanner.string("a type in quotes")
      case "features":
        hasFeatures = true
        try readFeatures(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard scanner.peek() == nil else { throw scanner.unexpected("the end") }
    try scanner.check(type, ["FeatureCollection"])
    guard hasFeatures else {
      throw scanner.fault(.missing(what: "features", expected: "an array of features"))
    }
  }

  private mutating func readFeatures(_ scanner: inout JSONScanner) throws(GeoJSONFault) {
    try scanner.array("an array of features") { scanner throws(GeoJSONFault) in
      guard features.count < scanner.limits.features else {
        throw scanner.fault(.tooMany(what: "features", limit: scanner.limits.features))
      }
      location = GeoJSONLocation(feature: features.count + 1)
      features.append(try readFeature(&scanner))
      location = GeoJSONLocation()
    }
  }

  private mutating func readFeature(_ scanner: inout JSONScanner) throws(GeoJSONFault) -> Feature {
    _ = scanner.peek()
    let start = scanner.offset
    var type: String?
    var properties: [String: JSONValue] = [:]
    var geometry: Geometry??
    try scanner.object("a feature") { scanner, name throws(GeoJSONFault) in
      switch name {
      case "type": type = try scanner.string("a type in quotes")
      case "properties" where !scanner.takeNull():
        properties = try scanner.members("properties or null")
      case "properties": properties = [:]
      case "geometry": geometry = .some(try readGeometry(&scanner))
      default: try scanner.skipValue()
      }
    }
    try scanner.check(type, ["Feature"])
    guard let geometry else {
      throw scanner.fault(.missing(what: "geometry", expected: "a geometry or null"))
    }
    return Feature(
      number: features.count + 1, offset: start, properties: properties, geometry: geometry)
  }
}

extension JSONScanner {
  /// Throws unless `type` is one of those expected.
  func check(_ type: String?, _ expected: [String]) throws(GeoJSONFault) {
    let wanted = expected.map { "\"\($0)\"" }.joined(separator: " or ")
    guard let type else { throw fault(.missing(what: "type", expected: wanted)) }
    guard expected.contains(type) else {
      throw fault(
        .wrongType(of: "type", found: "\"\(printable(type.utf8))\"", expected: wanted))
    }
  }

  mutating func takeNull() -> Bool {
    peek() == UInt8(ascii: "n") && literal("null")
  }
}
