/// A digest of what a directory holds: a sum, modulo 2^128, of one number for each entry.
///
/// A sum, because then the order of entries does not matter, and one entry's change costs one
/// subtraction and one addition.
package struct Token: Hashable, Sendable {
  package private(set) var value: UInt128

  /// The token of an empty directory.
  package static let empty = Token(value: 0)

  package init(value: UInt128) {
    self.value = value
  }

  /// Reads the stored form; nil unless there are 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// The stored form: 16 bytes, the most significant first.
  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * UInt128($0))) }
  }

  package static func += (lhs: inout Token, rhs: Token) {
    lhs.value &+= rhs.value
  }

  package static func -= (lhs: inout Token, rhs: Token) {
    lhs.value &-= rhs.value
  }
}

extension Token: CustomStringConvertible {
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
