extension JSONScanner {
  /// Reads a string.
  mutating func string(_ expected: String) throws(GeoJSONFault) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected(expected) }
    let start = offset + 1
    let hasEscapes = try findEnd()
    let text = hasEscapes ? try unescaped(start..<(offset - 1)) : Array(bytes[start..<(offset - 1)])
    guard let string = String(validating: text, as: UTF8.self) else {
      offset = start
      throw fault(.unexpected(found: "bytes that are not UTF-8", expected: expected))
    }
    return string
  }

  mutating func skipString(_ expected: String) throws(GeoJSONFault) {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected(expected) }
    _ = try findEnd()
  }

  /// Moves behind the closing quote; returns whether the string has escapes.
  private mutating func findEnd() throws(GeoJSONFault) -> Bool {
    offset += 1
    let start = offset
    var hasEscapes = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return hasEscapes
      }
      guard byte >= 0x20 else { throw unexpected("an escaped control character") }
      guard offset - start < limits.stringBytes else {
        throw fault(.tooMany(what: "bytes in a string", limit: limits.stringBytes))
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        offset += 1
      }
      offset += 1
    }
    offset = bytes.count
    throw unexpected("a closing quote")
  }

  private mutating func unescaped(_ range: Range<Int>) throws(GeoJSONFault) -> [UInt8] {
    let end = offset
    offset = range.lowerBound
    var text: [UInt8] = []
    while offset < range.upperBound {
      if bytes[offset] == UInt8(ascii: "\\") {
        offset += 1
        text.append(contentsOf: String(try escape(range.upperBound)).utf8)
      } else {
        text.append(bytes[offset])
        offset += 1
      }
    }
    offset = end
    return text
  }

  /// Reads what stands behind a backslash.
  private mutating func escape(_ end: Int) throws(GeoJSONFault) -> Unicode.Scalar {
    let byte = bytes[offset]
    guard byte == UInt8(ascii: "u") else {
      guard let plain = plainEscapes[byte] else { throw unexpected("an escape of JSON") }
      offset += 1
      return plain
    }
    offset += 1
    let first = try codeUnit(end)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), offset + 1 < end, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw unexpected("the second half of a surrogate pair") }
    offset += 2
    let second = try codeUnit(end)
    guard UTF16.isTrailSurrogate(second) else {
      throw unexpected("the second half of a surrogate pair")
    }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func codeUnit(_ end: Int) throws(GeoJSONFault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard offset < end, let digit = hexDigit(bytes[offset]) else {
        throw unexpected("a hexadecimal digit")
      }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }
}

private func hexDigit(_ byte: UInt8) -> UInt16? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}

private let plainEscapes: [UInt8: Unicode.Scalar] = [
  UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
  UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
  UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
]
