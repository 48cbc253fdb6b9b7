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
    #expect(try whole([0xff, 0x0a] + packed(bits) + [0, 0], named: "jxl") == expected)
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

let jpegXL: [UInt8] =
  box("JXL ", [0x0d, 0x0a, 0x87, 0x0a]) + box("ftyp", latin("jxl "), big(0, 4), latin("jxl "))

let jpeg2000: [UInt8] =
  box("jP  ", [0x0d, 0x0a, 0x87, 0x0a]) + box("ftyp", latin("jp2 "), big(0, 4), latin("jp2 "))
  + box("jp2h", box("ihdr", big(600, 4), big(1000, 4), [0, 3, 7, 7, 0, 0]))

/// The start of a codestream of up to 2^18 pixels on a side, all else as by default.
func codestream(width: Int, height: Int) -> [UInt8] {
  func length(_ value: Int) -> String {
    "01 " + (0..<18).map { String((value - 1) >> $0 & 1) }.joined()
  }
  return [0xff, 0x0a] + packed("0 \(length(height)) 000 \(length(width)) 1") + [1, 2, 3]
}

/// Bits, the lowest first, as bytes.
private func packed(_ bits: String) -> [UInt8] {
  let digits = bits.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
  return stride(from: 0, to: digits.count, by: 8).map { start in
    digits[start...].prefix(8).reversed().reduce(0) { $0 << 1 | $1 }
  }
}

/// A raw of three tracks: a JPEG, a small picture and the raw itself.
func canonRaw(_ photo: TIFFFixture) -> [UInt8] {
  func track(_ description: [UInt8]) -> [UInt8] {
    let entry = box("CRAW", Array(repeating: 0, count: 82), description)
    let table = box("stbl", fullBox("stsd", big(1, 4), entry))
    return box("trak", box("mdia", box("minf", table)))
  }
  func coding(_ width: Int, _ height: Int) -> [UInt8] {
    box("CMP1", big(0xff00_0030, 4), big(0x0100_0000, 4), big(width, 4), big(height, 4))
  }
  return box("ftyp", latin("crx "), big(1, 4), latin("crx "), latin("isom"))
    + box(
      "moov", canonBox(photo), fullBox("mvhd", big(0, 96)), track(box("JPEG", big(0, 4))),
      track(coding(1624, 1080)), track(coding(6888, 4546)))
    + box("mdat", Array(repeating: 0xda, count: 300))
}

/// Canon's box, with each directory in a TIFF of its own.
func canonBox(_ photo: TIFFFixture) -> [UInt8] {
  func part(_ directory: TIFFFixture.Directory) -> [UInt8] {
    var tiff = TIFFFixture(isBigEndian: photo.isBigEndian)
    for field in photo.fields where field.directory == directory {
      tiff.add(.image, field.tag, field.value)
    }
    return tiff.bytes
  }
  let identifier: [UInt8] = [
    0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
  ]
  return box(
    "uuid", identifier, box("CNCV", latin("CanonCR3_001/00.09.00/00.00.00")),
    box("CMT1", part(.image)), box("CMT2", part(.exif)), box("CMT3", [1, 2, 3]),
    box("CMT4", part(.gps)))
}
