import CBrotli

/// What a Brotli stream (RFC 7932) holds; nil where it is broken, or holds more than `limit` bytes.
package func decompressed(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
  var size = min(limit, 64 * 1024)
  while true {
    var output = [UInt8](repeating: 0, count: size)
    var filled = size
    if BrotliDecoderDecompress(bytes.count, bytes, &filled, &output)
      == BROTLI_DECODER_RESULT_SUCCESS
    {
      return Array(output.prefix(filled))
    }
    // It does not say whether the stream is broken or the buffer too small.
    guard size < limit else { return nil }
    size = min(limit, size * 16)
  }
}
