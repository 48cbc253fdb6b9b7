import Places

/// Takes the keys of one object of a configuration file, and collects what is wrong with them, so
/// that one run names all faults.
struct ConfigurationReader {
  private let object: [String: JSONValue]
  /// The path of the object, with a dot at its end; empty for the outermost.
  private let prefix: String
  private let text: String
  private var known: [String] = []
  private(set) var faults: [ConfigurationError.Fault] = []

  init(_ object: [String: JSONValue], prefix: String, text: String) {
    self.object = object
    self.prefix = prefix
    self.text = text
  }

  /// Reads one key with `convert`; nil when it is absent, null, or wrong (which is noted).
  mutating func value<Result>(
    _ key: String, _ expected: String, _ convert: (JSONValue) -> Result?
  ) -> Result? {
    known.append(key)
    guard let value = object[key], value != .null else { return nil }
    guard let result = convert(value) else {
      note(key, found: value.shown, expected: expected)
      return nil
    }
    return result
  }

  /// Reads an object within this one.
  mutating func object<Result>(
    _ key: String, _ read: (inout ConfigurationReader) -> Result
  ) -> Result? {
    guard let inner = value(key, "an object", { $0.object }) else { return nil }
    return nested(inner, prefix: "\(prefix)\(key).", read)
  }

  /// Reads a list of objects within this one.
  mutating func objects<Result>(
    _ key: String, _ read: (inout ConfigurationReader) -> Result?
  ) -> [Result] {
    let list = value(key, "a list of objects", { $0.array }) ?? []
    var results: [Result] = []
    for (index, element) in list.enumerated() {
      guard let inner = element.object else {
        note("\(key)[\(index)]", found: element.shown, expected: "an object")
        continue
      }
      if let result = nested(inner, prefix: "\(prefix)\(key)[\(index)].", read) {
        results.append(result)
      }
    }
    return results
  }

  private mutating func nested<Result>(
    _ object: [String: JSONValue], prefix: String,
    _ read: (inout ConfigurationReader) -> Result
  ) -> Result {
    var reader = ConfigurationReader(object, prefix: prefix, text: text)
    let result = read(&reader)
    reader.refuseUnknownKeys()
    faults += reader.faults
    return result
  }

  /// Whether an object stands at the key.
  func isObject(_ key: String) -> Bool { object[key]?.object != nil }

  /// Notes what is missing and must be there.
  mutating func require(_ key: String, _ expected: String) {
    if object[key] == nil || object[key] == .null {
      note(key, found: "nothing", expected: expected)
    }
  }

  mutating func note(_ key: String, found: String, expected: String) {
    faults.append(
      ConfigurationError.Fault(
        line: line(of: key), key: prefix + key, found: found, expected: expected))
  }

  mutating func refuseUnknownKeys() {
    for key in object.keys.sorted() where !known.contains(key) {
      let nearest = known.min { editDistance(key, $0) < editDistance(key, $1) } ?? ""
      note(key, found: "an unknown key", expected: "a known one; the nearest is `\(nearest)`")
    }
  }

  /// The line of a key that occurs only once in the file; of others it is not known which.
  private func line(of key: String) -> Int? {
    let name = key.prefix { $0 != "[" }
    let pieces = text.split(separator: "\"\(name)\"", omittingEmptySubsequences: false)
    guard pieces.count == 2 else { return nil }
    return pieces[0].utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }
}

extension JSONValue {
  var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    guard case .number(let value) = self, let integer = Int(exactly: value),
      range.contains(integer)
    else { return nil }
    return integer
  }

  func number(in range: ClosedRange<Double>) -> Double? {
    guard case .number(let value) = self, range.contains(value) else { return nil }
    return value
  }

  /// "50ms", "10s", "5m", "2h", "7d".
  var duration: Duration? {
    guard let string else { return nil }
    let digits = string.prefix { $0.isASCIIDigit }
    guard let count = Int64(digits), count <= 1_000_000 else { return nil }
    switch string.dropFirst(digits.count) {
    case "ms": return .milliseconds(count)
    case "s": return .seconds(count)
    case "m": return .seconds(count * 60)
    case "h": return .seconds(count * 3600)
    case "d": return .seconds(count * 86_400)
    default: return nil
    }
  }
}

/// How many letters must be changed, added or left out to make one word of the other
/// (Levenshtein).
private func editDistance(_ first: String, _ second: String) -> Int {
  var row = Array(0...second.count)
  for (i, a) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, b) in second.enumerated() {
      let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
      diagonal = row[j + 1]
      row[j + 1] = next
    }
  }
  return row[second.count]
}
