import CZlib

/// What a zlib stream (RFC 1950) holds; nil where it is broken, or holds more than `limit` bytes.
package func inflated(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
  var size = min(limit, 64 * 1024)
  while true {
    var output = [UInt8](repeating: 0, count: size)
    var (filled, taken) = (uLongf(size), uLong(bytes.count))
    switch uncompress2(&output, &filled, bytes, &taken) {
    case Z_OK: return Array(output.prefix(Int(filled)))
    // The buffer is too small, or else the stream ends too early, which a larger one shows, too.
    case Z_BUF_ERROR where size < limit: size = min(limit, size * 4)
    default: return nil
    }
  }
}
