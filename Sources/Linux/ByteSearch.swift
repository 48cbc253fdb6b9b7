import Glibc

/// The index of the first `byte` in `bytes` from `start` on, found by memchr(3), which looks at
/// many bytes at a time.
package func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
  guard start < bytes.count else { return nil }
  return bytes.withUnsafeBytes { buffer in
    let base = buffer.baseAddress!
    guard let found = memchr(base + start, CInt(byte), buffer.count - start) else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
