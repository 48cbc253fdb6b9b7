/// A JPEG made segment by segment: a grey picture that decoders accept, and any metadata.
package struct JPEGFixture {
  package var width: UInt16
  package var height: UInt16
  /// Segments before and behind the EXIF, as `segment` makes them; anything else is junk.
  package var before: [[UInt8]] = []
  package var exif: TIFFFixture?
  package var after: [[UInt8]] = []
  /// Goes into the quantisation table: another number is another picture.
  package var shade: UInt8 = 16
  /// Segments between the two scans of the picture; with none it has one scan.
  package var betweenScans: [[UInt8]]?
  /// Bytes behind the end of the image.
  package var trailer: [UInt8] = []

  package init(width: UInt16 = 64, height: UInt16 = 48, exif: TIFFFixture? = nil) {
    self.width = width
    self.height = height
    self.exif = exif
  }

  /// A photo such as a phone makes. `taken` and `offset` are written as EXIF has them.
  package static func photo(
    make: String? = "Canon", model: String? = "Canon EOS R5",
    taken: String? = "2024:05:01 13:45:10", offset: String? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) -> JPEGFixture {
    var exif = TIFFFixture()
    if let make { exif.add(.image, 0x010f, make) }
    if let model { exif.add(.image, 0x0110, model) }
    if let taken { exif.add(.exif, 0x9003, taken) }
    if let offset { exif.add(.exif, 0x9011, offset) }
    if let latitude {
      exif.add(.gps, 1, latitude < 0 ? "S" : "N")
      exif.add(.gps, 2, .degrees(latitude))
    }
    if let longitude {
      exif.add(.gps, 3, longitude < 0 ? "W" : "E")
      exif.add(.gps, 4, .degrees(longitude))
    }
    return JPEGFixture(exif: exif)
  }

  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + payload
  }

  package static func exifSegment(_ tiff: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("Exif".utf8) + [0, 0] + tiff)
  }

  /// All up to the coded picture.
  package var head: [UInt8] {
    var bytes: [UInt8] = [0xff, 0xd8]
    for segment in before { bytes += segment }
    if let exif { bytes += JPEGFixture.exifSegment(exif.bytes) }
    for segment in after { bytes += segment }
    return bytes
  }

  package var bytes: [UInt8] { head + picture + trailer }

  /// From the quantisation table to the end of the image. Both Huffman tables have the one code
  /// `0`: no difference to the block before, end of block.
  private var picture: [UInt8] {
    let table = JPEGFixture.segment(0xdb, [0] + Array(repeating: shade, count: 64))
    let size = [UInt8(height >> 8), UInt8(height & 0xff), UInt8(width >> 8), UInt8(width & 0xff)]
    let frame = JPEGFixture.segment(0xc0, [8] + size + [1, 1, 0x11, 0])
    let codes = [UInt8(1)] + Array(repeating: 0, count: 15) + [0]
    let huffman = JPEGFixture.segment(0xc4, [0] + codes) + JPEGFixture.segment(0xc4, [0x10] + codes)
    let scan = JPEGFixture.segment(0xda, [1, 1, 0, 0, 63, 0]) + coded
    var bytes = table + frame + huffman + scan
    if let betweenScans {
      for segment in betweenScans { bytes += segment }
      bytes += scan
    }
    return bytes + [0xff, 0xd9]
  }

  /// Two bits a block, filled up with ones.
  private var coded: [UInt8] {
    let blocks = (Int(width) + 7) / 8 * ((Int(height) + 7) / 8)
    var bytes = Array(repeating: UInt8(0), count: blocks / 4)
    if blocks % 4 > 0 { bytes.append(0xff >> UInt8(blocks % 4 * 2)) }
    return bytes
  }
}

extension TIFFFixture.Value {
  /// Degrees, minutes, and ten-thousandths of seconds, as phones write them.
  package static func degrees(_ value: Double) -> TIFFFixture.Value {
    let parts = UInt64((abs(value) * 36_000_000).rounded())
    return .rational([
      (UInt32(parts / 36_000_000), 1), (UInt32(parts / 600_000 % 60), 1),
      (UInt32(parts % 600_000), 10_000),
    ])
  }
}
