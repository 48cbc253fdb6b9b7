import Linux

/// A random UUID (RFC 9562, section 5.4: version 4) in lower case.
///
/// FoundationEssentials' UUID opens /dev/urandom for each, which shows in a first index.
func randomIdentifier() -> String {
  let version: UInt128 = 0xf000 << 64
  let variant: UInt128 = 0xc << 60
  var bits = randomBits()
  bits = bits & ~version | 0x4000 << 64
  bits = bits & ~variant | 0x8 << 60
  var text: [UInt8] = []
  text.reserveCapacity(36)
  for digit in 0..<32 {
    if [8, 12, 16, 20].contains(digit) { text.append(UInt8(ascii: "-")) }
    text.append(digits[Int(truncatingIfNeeded: bits >> UInt128(124 - 4 * digit)) & 15])
  }
  return String(decoding: text, as: UTF8.self)
}

private let digits = Array("0123456789abcdef".utf8)
