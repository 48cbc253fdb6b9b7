/// A digest of a coded picture without its metadata: XXH3 with 128 bits.
///
/// It tells an edit of a photo from another photo, and no more, so that it need not withstand anybody
/// who makes up files, but must cost little beside the hash of the whole file.
package struct ImageHash: Hashable, Sendable {
  package let value: UInt128

  package init(value: UInt128) {
    self.value = value
  }

  /// Reads the stored form; nil unless there are 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// The stored form, as `xxhsum -H2` prints it: 16 bytes, the most significant first.
  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * UInt128($0))) }
  }
}
