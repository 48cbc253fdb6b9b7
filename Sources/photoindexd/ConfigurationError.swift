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

/// A JSON value (with comments, as JSON5 has them) of a configuration file.
enum ConfigurationValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([ConfigurationValue])
  case object([String: ConfigurationValue])

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if let value = try? single.decode([ConfigurationValue].self) {
      self = .array(value)
    } else {
      self = .object(try single.decode([String: ConfigurationValue].self))
    }
  }
}

extension ConfigurationValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let value): "\"\(value)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
