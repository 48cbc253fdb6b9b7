import Model

/// What is wrong with a GeoJSON file, and where.
package struct GeoJSONError: Error, Hashable {
  package let file: String
  package let line: Int
  /// In bytes, from 1.
  package let column: Int
  package let location: GeoJSONLocation
  package let problem: GeoJSONProblem
}

extension GeoJSONError: CustomStringConvertible {
  package var description: String {
    "\(file):\(line):\(column): " + location.description + problem.description
  }
}

/// A spot in the tree of a file; all numbers count from 1.
package struct GeoJSONLocation: Hashable, Sendable {
  package var feature: Int?
  package var polygon: Int?
  package var ring: Int?
  package var vertex: Int?

  package init(feature: Int? = nil) {
    self.feature = feature
  }

  var description: String {
    [("feature", feature), ("polygon", polygon), ("ring", ring), ("vertex", vertex)]
      .compactMap { name, number in number.map { "\(name) \($0): " } }
      .joined()
  }
}

package enum GeoJSONProblem: Hashable, Sendable {
  case unexpected(found: String, expected: String)
  case tooMany(what: String, limit: Int)
  case outOfRange(axis: String, found: String, limit: Int)
  case tooFewPositions(found: Int)
  case notClosed(first: Position, last: Position)
  case wrongType(of: String, found: String, expected: String)
  case missing(what: String, expected: String)
  case repeated(property: String, value: String)
  case unknownReference(property: String, value: String, expected: String)
}

extension GeoJSONProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .tooMany(let what, let limit): "more than \(limit) \(what)"
    case .outOfRange(let axis, let found, let limit):
      "\(axis) \(found) is out of range, expected -\(limit) to \(limit)"
    case .tooFewPositions(let found): "\(found) positions, expected at least 4"
    case .notClosed(let first, let last):
      "not closed: ends at \(text(last)), expected its first position \(text(first))"
    case .wrongType(let what, let found, let expected):
      "\(what) is \(found), expected \(expected)"
    case .missing(let what, let expected): "\(what) is missing, expected \(expected)"
    case .repeated(let property, let value): "\(property) \"\(value)\" appears twice"
    case .unknownReference(let property, let value, let expected):
      "\(property) \"\(value)\" is not known, expected \(expected)"
    }
  }
}

private func text(_ position: Position) -> String { "\(position.longitude),\(position.latitude)" }

/// A problem at a byte of the text that is being read.
struct GeoJSONFault: Error {
  let offset: Int
  let problem: GeoJSONProblem
}

extension GeoJSONError {
  init(
    _ problem: GeoJSONProblem, at offset: Int, in bytes: [UInt8], _ location: GeoJSONLocation,
    file: String
  ) {
    let before = bytes.prefix(offset)
    let newline = UInt8(ascii: "\n")
    self.init(
      file: printable(file.utf8),
      line: 1 + before.count { $0 == newline },
      column: before.count - (before.lastIndex(of: newline) ?? -1),
      location: location, problem: problem)
  }
}
