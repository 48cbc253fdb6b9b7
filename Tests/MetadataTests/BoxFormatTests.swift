import Metadata
import Model
import TestSupport
import Testing

/// CR3, JPEG XL and JPEG 2000.
struct BoxFormatTests {
  private let photo = fullPhoto().exif ?? TIFFFixture()

  @Test func `a CR3's directories are read, and the size is that of the raw`() throws {
    var expected = try metadata(fullPhoto())
    expected.mediaType = "image/x-canon-cr3"
    (expected.width, expected.height) = (6888, 4546)
    #expect(try whole(canonRaw(photo), named: "cr3") == expected)
  }

  @Test func `EXIF before or behind the picture of a JPEG XL is read`() throws {
    var expected = try metadata(fullPhoto())
    expected.mediaType = "image/jxl"
    (expected.width, expected.height) = (1000, 600)
    let exif = box("Exif", big(0, 4), photo.bytes)
    let picture = box("jxlc", codestream(width: 1000, height: 600))
    let parts =
      box("jxlp", big(0, 4), codestream(width: 1000, height: 600))
      + box("jxlp", big(0x8000_0001, 4), [7, 7])
    for boxes in [exif + picture, picture + exif, exif + parts, parts + exif] {
      #expect(try whole(jpegXL + boxes, named: "jxl") == expected)
    }
    expected = PhotoMetadata(mediaType: "image/jxl")
    (expected.width, expected.height) = (1000, 600)
    #expect(try whole(jpegXL + picture, named: "jxl") == expected)
  }

  /// As `cjxl` writes it.
  @Test func `compressed EXIF of a JPEG XL is read, and broken streams are not`() throws {
    let picture = box("jxlc", codestream(width: 1000, height: 600))
    let stream = stored(big(0, 4) + photo.bytes)
    let found = try whole(jpegXL + box("brob", latin("Exif"), stream) + picture, named: "jxl")
    #expect(found.device?.make == "Canon")
    for broken in [Array(stream.dropLast(2)), [0xff, 0xff, 0xff], []] {
      let bytes = jpegXL + box("brob", latin("Exif"), broken) + picture
      #expect(try whole(bytes, named: "jxl").device == nil)
    }
    let other = try whole(jpegXL + box("brob", latin("xml "), stream) + picture, named: "jxl")
    #expect(other.device == nil && other.width == 1000)
  }

  /// ISO/IEC 18181-1, D.2 and D.3, as bits by hand, the lowest first.
  @Test(arguments: [
    // Small: 1; height 8 × (1 + 3): 11000; the same width: 100; all default: 1.
    ("1 11000 100 1", 32, 32, nil),
    // Height 600 in 13 bits, ratio 4:3, no default, extra fields, orientation 5 + 1.
    ("0 10 1110101001000 110 0 1 101", 800, 600, 6),
    ("0 10 1110101001000 110 0 0", 800, 600, nil),
    // Height 8 × 1, ratio 0, width 8 × 2.
    ("1 00000 000 10000 1", 16, 8, nil),
  ])
  func `a bare codestream tells size and orientation`(
    bits: String, width: Int, height: Int, orientation: Int?
  ) throws {
    var expected = PhotoMetadata(mediaType: "image/jxl")
    (expected.width, expected.height, expected.orientation) = (width, height, orientation)
    #expect(try whole([0xff, 0x0a] + packedBits(bits) + [0, 0], named: "jxl") == expected)
  }

  @Test func `a JPEG 2000's header and EXIF are read`() throws {
    var expected = try metadata(fullPhoto())
    expected.mediaType = "image/jp2"
    (expected.width, expected.height) = (1000, 600)
    let adobe: [UInt8] = [
      0x05, 0x37, 0xcd, 0xab, 0x9d, 0x0c, 0x44, 0x31, 0xa7, 0x2a, 0xfa, 0x56, 0x1f, 0x2a, 0x11,
      0x3e,
    ]
    for exif in [
      box("uuid", latin("JpgTiffExif->JP2"), photo.bytes),
      box("uuid", latin("JpgTiffExif->JP2Exif\0\0"), photo.bytes), box("uuid", adobe, photo.bytes),
    ] {
      let picture = box("jp2c", [0xff, 0x4f, 0xff, 0x51])
      #expect(try whole(jpeg2000 + exif + picture, named: "jp2") == expected)
      #expect(try whole(jpeg2000 + picture + exif, named: "jp2") == expected)
    }
  }

  @Test func `a bare codestream of JPEG 2000 tells its size`() throws {
    // The picture reaches from 10, 20 to 1010, 620 on the grid.
    let size = big(41, 2) + big(0, 2) + [1010, 620, 10, 20].flatMap { big($0, 4) }
    var expected = PhotoMetadata(mediaType: "image/x-j2c")
    (expected.width, expected.height) = (1000, 600)
    #expect(try whole([0xff, 0x4f, 0xff, 0x51] + size, named: "jp2") == expected)
  }
}

/// A Brotli stream that holds the bytes as they are (RFC 7932, 9.1 and 9.2): a window of 16 bits, a
/// block that is not the last, four nibbles of its length less 1, not compressed; an empty last block.
private func stored(_ bytes: [UInt8]) -> [UInt8] {
  big((bytes.count - 1) << 4 | 1 << 20, 3).reversed() + bytes + [3]
}
