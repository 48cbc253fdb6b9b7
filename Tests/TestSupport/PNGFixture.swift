/// A PNG of one pixel that claims another size, made chunk by chunk.
package struct PNGFixture {
  package var width: UInt32
  package var height: UInt32
  /// Chunks before and behind the picture, as `chunk` makes them.
  package var before: [[UInt8]] = []
  package var after: [[UInt8]] = []
  /// Each part is an `IDAT` of its own.
  package var picture: [[UInt8]] = [PNGFixture.deflated([0, 0x80])]

  package init(width: UInt32 = 64, height: UInt32 = 48) {
    self.width = width
    self.height = height
  }

  package var bytes: [UInt8] {
    var header = ByteWriter(isBigEndian: true)
    header.long(width)
    header.long(height)
    // Eight bits of grey.
    header.bytes += [8, 0, 0, 0, 0]
    var bytes = [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a]
    bytes += PNGFixture.chunk("IHDR", header.bytes)
    for chunk in before { bytes += chunk }
    for part in picture { bytes += PNGFixture.chunk("IDAT", part) }
    for chunk in after { bytes += chunk }
    return bytes + PNGFixture.chunk("IEND", [])
  }

  package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(isBigEndian: true)
    writer.long(UInt32(data.count))
    writer.bytes += Array(name.utf8) + data
    writer.long(checksum(Array(name.utf8) + data))
    return writer.bytes
  }

  /// A profile as ImageMagick writes it into text.
  package static func profile(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
    var text = Array("\n\(kind)\n\(bytes.count)".utf8)
    for (index, byte) in bytes.enumerated() {
      if index % 36 == 0 { text.append(0x0a) }
      text += [digit(byte >> 4), digit(byte & 15)]
    }
    return text + [0x0a]
  }

  /// A zlib stream of blocks that are not compressed (RFC 1950 and 1951).
  package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(number & 0xff), UInt8(number >> 8)] }
      stream += block
    } while !rest.isEmpty
    var sums: (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      sums.0 = (sums.0 + UInt32(byte)) % 65_521
      sums.1 = (sums.1 + sums.0) % 65_521
    }
    var writer = ByteWriter(isBigEndian: true)
    writer.long(sums.1 << 16 | sums.0)
    return stream + writer.bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// CRC-32 (PNG, 3rd edition, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return ~sum
  }
}
