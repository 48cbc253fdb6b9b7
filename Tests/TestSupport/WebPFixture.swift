/// A WebP made chunk by chunk.
package struct WebPFixture {
  package var chunks: [[UInt8]] = []

  package init(_ chunks: [[UInt8]] = []) {
    self.chunks = chunks
  }

  package var bytes: [UInt8] {
    let payload = Array("WEBP".utf8) + chunks.flatMap(\.self)
    return WebPFixture.chunk("RIFF", payload)
  }

  package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: false)
    writer.bytes += Array(name.utf8)
    writer.long(UInt32(data.count))
    return writer.bytes + data + (data.count % 2 == 0 ? [] : [0])
  }

  /// A canvas with flags that announce `EXIF`.
  package static func canvas(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: false)
    writer.long(8)
    for side in [width - 1, height - 1] {
      writer.short(UInt16(side & 0xffff))
      writer.bytes.append(UInt8(side >> 16))
    }
    return chunk("VP8X", writer.bytes)
  }

  /// The head of a lossy picture, with something behind it.
  package static func lossy(_ width: UInt16, _ height: UInt16) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: false)
    writer.bytes += [0x50, 1, 0, 0x9d, 0x01, 0x2a]
    // The two upper bits are a scale.
    writer.short(width | 0x4000)
    writer.short(height | 0x8000)
    return chunk("VP8 ", writer.bytes + [1, 2, 3])
  }

  package static func lossless(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: false)
    writer.bytes += [0x2f]
    writer.long((width - 1) | (height - 1) << 14 | 1 << 28)
    return chunk("VP8L", writer.bytes + [1, 2, 3, 4])
  }
}
