/// Reads numbers, most significant byte first, from the front of bytes in memory.
struct ByteCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// An unsigned number of up to eight bytes; nil where fewer are left. One of no bytes is 0.
  mutating func integer(_ count: Int) -> UInt64? {
    guard let bytes = take(count) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A whole and a fraction of sixteen bits each, with sign.
  mutating func fixedPoint() -> Double? {
    guard let bits = integer(4) else { return nil }
    return Double(Int32(truncatingIfNeeded: bits)) / 65_536
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The kind and the content of the box that comes next, in bytes that are all there.
  mutating func box() -> (type: FourCharacters, content: ArraySlice<UInt8>)? {
    var cursor = self
    guard let size = cursor.integer(4), let type = cursor.integer(4), size >= 8,
      let content = cursor.take(Int(size) - 8)
    else { return nil }
    self = cursor
    return (FourCharacters(code: UInt32(truncatingIfNeeded: type)), content)
  }
}
