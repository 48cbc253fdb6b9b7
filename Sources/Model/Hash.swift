/// A SHA-256 digest.
package struct Hash: Hashable, Sendable {
  /// The 32 bytes of the digest.
  package let bytes: [UInt8]

  /// Returns nil unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }
}

extension Hash: CustomStringConvertible {
  /// Lower-case hexadecimal digits, as `sha256sum` prints them.
  package var description: String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

private let digits = Array("0123456789abcdef".utf8)
