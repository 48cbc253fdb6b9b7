import Model

/// Reads JSON (RFC 8259) from bytes, token by token, and stops at the first fault.
struct JSONScanner {
  let bytes: [UInt8]
  let limits: GeoJSONLimits
  var offset = 0
  private var depth = 0

  init(_ bytes: [UInt8], limits: GeoJSONLimits) {
    self.bytes = bytes
    self.limits = limits
    // Some editors begin a file with U+FEFF; RFC 8259, section 8.1, lets a reader pass over it.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// The next byte that is not white space, not taken yet; nil at the end.
  mutating func peek() -> UInt8? {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      offset += 1
    }
    return nil
  }

  /// Takes `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ byte: UInt8, _ expected: @autoclosure () -> String)
    throws(GeoJSONFault)
  {
    guard take(byte) else { throw unexpected(expected()) }
  }

  func fault(_ problem: GeoJSONProblem) -> GeoJSONFault {
    GeoJSONFault(offset: min(offset, bytes.count), problem: problem)
  }

  func unexpected(_ expected: String) -> GeoJSONFault {
    let found =
      offset < bytes.count
      ? "\"" + printable(bytes[offset..<min(characterEnd, bytes.count)]) + "\"" : "the end"
    return fault(.unexpected(found: found, expected: expected))
  }

  private var characterEnd: Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xc0 == 0x80, end < offset + 4 { end += 1 }
    return end
  }

  mutating func enter() throws(GeoJSONFault) {
    depth += 1
    guard depth <= limits.depth else {
      throw fault(.tooMany(what: "arrays and objects within each other", limit: limits.depth))
    }
  }

  mutating func leave() { depth -= 1 }

  /// Reads an array; `element` reads each of its values.
  mutating func array(
    _ expected: String, _ element: (inout JSONScanner) throws(GeoJSONFault) -> Void
  ) throws(GeoJSONFault) {
    try expect(UInt8(ascii: "["), expected)
    try enter()
    defer { leave() }
    if take(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "\",\" or \"]\"")
  }

  /// Reads an object; `member` gets each name and reads its value.
  mutating func object(
    _ expected: String, _ member: (inout JSONScanner, String) throws(GeoJSONFault) -> Void
  ) throws(GeoJSONFault) {
    try expect(UInt8(ascii: "{"), expected)
    try enter()
    defer { leave() }
    if take(UInt8(ascii: "}")) { return }
    repeat {
      let name = try string("a name in quotes")
      try expect(UInt8(ascii: ":"), "\":\"")
      try member(&self, name)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "\",\" or \"}\"")
  }

  mutating func literal(_ word: StaticString) -> Bool {
    let text = Array(word.description.utf8)
    guard offset + text.count <= bytes.count,
      bytes[offset..<(offset + text.count)].elementsEqual(text)
    else { return false }
    offset += text.count
    return true
  }
}
