import Metadata
import Model
import TestSupport
import Testing

/// MIME types as exiftool names them.
struct MediaTypeTests {
  @Test(arguments: [
    ("heic", "image/heic"), ("mif1", "image/heif"), ("heix", "image/heif"),
    ("msf1", "image/heif-sequence"), ("hevc", "image/heic-sequence"), ("avif", "image/avif"),
    ("crx ", "image/x-canon-cr3"), ("qt  ", "video/quicktime"), ("isom", "video/mp4"),
    ("mp42", "video/mp4"), ("M4V ", "video/x-m4v"), ("M4A ", "audio/mp4"), ("3gp5", "video/3gpp"),
    ("3g2a", "video/3gpp2"), ("????", "video/mp4"),
  ])
  func `the major brand tells the type`(brand: String, type: String) throws {
    let box = [0, 0, 0, 16] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
    #expect(try mediaType(box) == type)
  }

  @Test func `an unknown major brand leaves it to the others`() throws {
    let box = [0, 0, 0, 24] + Array("ftypABCD\0\0\0\0isomqt  ".utf8)
    #expect(try mediaType(box) == "video/quicktime")
  }

  @Test func `fixed bytes tell the type`() throws {
    for (bytes, type) in [
      ([0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a], "image/png"),
      (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "image/webp"),
      (Array("GIF89a".utf8), "image/gif"),
      (Array("BM".utf8) + Array(repeating: 0, count: 12) + [40, 0, 0, 0], "image/bmp"),
      ([0xff, 0x0a, 1, 2], "image/jxl"),
      ([0, 0, 0, 0x0c] + Array("JXL \r\n".utf8) + [0x87, 0x0a], "image/jxl"),
      (
        [0, 0, 0, 0x0c] + Array("jP  \r\n".utf8) + [0x87, 0x0a, 0, 0, 0, 20]
          + Array("ftypjp2 \0\0\0\0jp2 ".utf8), "image/jp2"
      ),
      (Array("FUJIFILMCCD-RAW 0201".utf8), "image/x-fujifilm-raf"),
      (Array("II*\0".utf8) + [16, 0, 0, 0] + Array("CR".utf8) + [2, 0], "image/x-canon-cr2"),
      (Array("IIRO".utf8) + [8, 0, 0, 0], "image/x-olympus-orf"),
      (Array("IIU\0".utf8) + [8, 0, 0, 0], "image/x-panasonic-rw2"),
      ([0] + Array("MRM".utf8), "image/x-minolta-mrw"),
      (Array("II+\0".utf8) + [8, 0, 0, 0], "image/x-tiff-big"),
      ([0, 0, 0, 8] + Array("wide".utf8), "video/quicktime"),
    ] as [([UInt8], String)] {
      #expect(try mediaType(bytes) == type)
    }
  }

  @Test func `an animation is told from a picture`() throws {
    let signature = [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a]
    let header = [0, 0, 0, 1] + Array("IHDR".utf8) + [0, 1, 2, 3, 4]
    let control = [0, 0, 0, 0] + Array("acTL".utf8) + [1, 2, 3, 4]
    let data = [0, 0, 0, 0] + Array("IDAT".utf8) + [1, 2, 3, 4]
    #expect(try mediaType(signature + header + control + data) == "image/apng")
    #expect(try mediaType(signature + header + data + control) == "image/png")
  }

  @Test func `a TIFF's tags, then its name, tell a raw`() throws {
    var tiff = TIFFFixture()
    tiff.add(.image, 0x0103, .short([1]))
    for (suffix, type) in [
      ("tif", "image/tiff"), ("NEF", "image/x-nikon-nef"), ("arw", "image/x-sony-arw"),
      ("pef", "image/x-pentax-pef"), ("jpg", "image/tiff"),
    ] {
      #expect(try mediaType(tiff.bytes, named: suffix) == type)
    }
    tiff.fields[0].value = .short([6])
    #expect(try mediaType(tiff.bytes, named: "nef") == "image/x-nikon-nrw")
    tiff.add(.image, 0xc612, .byte([1, 4, 0, 0]))
    #expect(try mediaType(tiff.bytes, named: "tif") == "image/x-adobe-dng")
  }

  @Test func `a type without a reader is known, and not pending`() throws {
    let bytes = Array("II".utf8) + [26, 0, 0, 0] + Array("HEAPCCDR".utf8)
    let expected = PhotoMetadata(mediaType: "image/x-canon-crw")
    #expect(try read(bytes, named: "crw") == .metadata(expected))
    #expect(ReaderVersions.current.version(of: "image/x-canon-crw") == 1)
    #expect(ReaderVersions.current.version(of: nil) == 2)
  }
}

private func mediaType(_ bytes: [UInt8], named suffix: String = "") throws -> String? {
  switch try read(bytes, named: suffix) {
  // Of nothing but its first bytes.
  case .metadata(let metadata), .truncated(let metadata): metadata.mediaType
  }
}
