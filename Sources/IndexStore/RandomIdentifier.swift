import Linux

/// A random UUID (RFC 9562, section 5.4: version 4) in lower case.
///
/// FoundationEssentials' UUID opens /dev/urandom for each, which shows in a first index.
func randomIdentifier() -> String {
  var text: [UInt8] = []
  writeRandomIdentifier(to: &text)
  return String(decoding: text, as: UTF8.self)
}

/// Appends the UTF-8 of a `randomIdentifier`.
func writeRandomIdentifier(to text: inout [UInt8]) {
  let version: UInt128 = 0xf000 << 64
  let variant: UInt128 = 0xc << 60
  var bits = randomBits()
  bits = bits & ~version | 0x4000 << 64
  bits = bits & ~variant | 0x8 << 60
  text.append(addingCapacity: 36) { text in
    for count in [8, 4, 4, 4, 12] {
      if count != 8 { text.append(UInt8(ascii: "-")) }
      for _ in 0..<count {
        text.append(digit(UInt8(truncatingIfNeeded: bits >> 124)))
        bits <<= 4
      }
    }
  }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
