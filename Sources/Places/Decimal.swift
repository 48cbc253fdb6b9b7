/// A JSON number as it stands in the text: `mantissa` · 10^`exponent`.
///
/// Digits beyond the sixteenth are dropped; they are far below the centimetre that we keep.
struct Decimal {
  let range: Range<Int>
  let mantissa: Int64
  let exponent: Int

  /// The number in units of 10⁻⁷, rounded half away from zero; nil when it is beyond ±10⁹⋅10⁷.
  var fixedPoint: Int64? {
    guard mantissa != 0 else { return 0 }
    let shift = exponent + 7
    guard shift < 0 else {
      guard shift < powers.count else { return nil }
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: powers[shift])
      return overflow || product.magnitude > 10_000_000_000_000_000 ? nil : product
    }
    guard -shift < powers.count else { return 0 }
    let divisor = powers[-shift]
    let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
    return remainder.magnitude >= divisor.magnitude / 2 ? quotient + mantissa.signum() : quotient
  }
}

private let powers: [Int64] = (0...18).map { power in
  (0..<power).reduce(1) { product, _ in product * 10 }
}

extension JSONScanner {
  /// Reads a number.
  mutating func decimal(_ expected: @autoclosure () -> String) throws(GeoJSONFault) -> Decimal {
    _ = peek()
    let start = offset
    let isNegative = takeHere(UInt8(ascii: "-"))
    var mantissa: Int64 = 0
    let first = offset
    var exponent = digits(into: &mantissa).dropped
    // RFC 8259, section 6: no leading zeros.
    guard offset > first, offset == first + 1 || bytes[first] != UInt8(ascii: "0") else {
      offset = first == offset ? start : first
      throw unexpected(expected())
    }
    if takeHere(UInt8(ascii: ".")) {
      let fraction = digits(into: &mantissa)
      guard fraction.count > 0 else { throw unexpected("a digit") }
      exponent -= fraction.count - fraction.dropped
    }
    exponent += try exponentPart()
    return Decimal(
      range: start..<offset, mantissa: isNegative ? -mantissa : mantissa, exponent: exponent)
  }

  private mutating func takeHere(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func digits(into mantissa: inout Int64) -> (count: Int, dropped: Int) {
    let start = offset
    var dropped = 0
    while offset < bytes.count {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if mantissa < 1_000_000_000_000_000 {
        mantissa = mantissa &* 10 &+ Int64(digit)
      } else {
        dropped += 1
      }
      offset += 1
    }
    return (offset - start, dropped)
  }

  private mutating func exponentPart() throws(GeoJSONFault) -> Int {
    guard takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) else { return 0 }
    let isNegative = takeHere(UInt8(ascii: "-"))
    if !isNegative { _ = takeHere(UInt8(ascii: "+")) }
    var value: Int64 = 0
    guard digits(into: &value).count > 0 else { throw unexpected("a digit") }
    let exponent = Int(min(value, 1_000_000))
    return isNegative ? -exponent : exponent
  }
}
