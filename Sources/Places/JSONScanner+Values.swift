import Model

extension JSONScanner {
  /// Reads any value.
  mutating func value() throws(GeoJSONFault) -> JSONValue {
    switch peek() {
    case UInt8(ascii: "\""): return .string(try string("text"))
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try array("an array") { scanner throws(GeoJSONFault) in
        try scanner.checkCount(values.count)
        values.append(try scanner.value())
      }
      return .array(values)
    case UInt8(ascii: "{"): return .object(try members("an object"))
    case UInt8(ascii: "t") where literal("true"): return .bool(true)
    case UInt8(ascii: "f") where literal("false"): return .bool(false)
    case UInt8(ascii: "n") where literal("null"): return .null
    default: return .number(try number("a value"))
    }
  }

  /// Reads an object into a dictionary.
  mutating func members(_ expected: String) throws(GeoJSONFault) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    try object(expected) { scanner, name throws(GeoJSONFault) in
      try scanner.checkCount(members.count)
      guard members[name] == nil else {
        throw scanner.fault(
          .unexpected(found: "\"\(printable(name.utf8))\" again", expected: "each name once"))
      }
      members[name] = try scanner.value()
    }
    return members
  }

  private func checkCount(_ count: Int) throws(GeoJSONFault) {
    guard count < limits.properties else {
      throw fault(.tooMany(what: "values in one property list", limit: limits.properties))
    }
  }

  /// Passes over any value without keeping it.
  mutating func skipValue() throws(GeoJSONFault) {
    switch peek() {
    case UInt8(ascii: "\""): try skipString("text")
    case UInt8(ascii: "["):
      try array("an array") { scanner throws(GeoJSONFault) in try scanner.skipValue() }
    case UInt8(ascii: "{"):
      try object("an object") { scanner, _ throws(GeoJSONFault) in try scanner.skipValue() }
    case UInt8(ascii: "t") where literal("true"): return
    case UInt8(ascii: "f") where literal("false"): return
    case UInt8(ascii: "n") where literal("null"): return
    default: _ = try decimal("a value")
    }
  }

  private mutating func number(_ expected: String) throws(GeoJSONFault) -> Double {
    let decimal = try decimal(expected)
    let text = String(decoding: bytes[decimal.range], as: UTF8.self)
    guard let value = Double(text) else { throw unexpected(expected) }
    return value
  }
}
