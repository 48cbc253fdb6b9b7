import Model
import Places

/// All that is wrong with a configuration file.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  struct Fault: Equatable {
    let line: Int?
    /// As `roots[1].time_zone`; empty for the file as a whole.
    let key: String
    let found: String
    let expected: String

    init(line: Int? = nil, key: String, found: String, expected: String) {
      self.line = line
      self.key = key
      self.found = found
      self.expected = expected
    }
  }

  let file: String
  let faults: [Fault]

  var description: String {
    faults.map { fault in
      let place = file + (fault.line.map { ":\($0)" } ?? "")
      let key = fault.key.isEmpty ? "" : " \(fault.key):"
      return "\(place):\(key) found \(fault.found), expected \(fault.expected)"
    }.joined(separator: "\n")
  }
}

extension JSONValue {
  /// How an error message shows the value.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let value): "\"\(printable(value.utf8))\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
