import Metadata
import Model
import TestSupport
import Testing

/// What only files of chunks can have, and pictures without metadata.
struct ChunkTests {
  @Test func `of several kinds of EXIF in a PNG the first usable one counts`() throws {
    let tiff = try #require(fullPhoto().exif).bytes
    var other = TIFFFixture()
    other.add(.image, 0x010f, "Nikon")
    var png = PNGFixture()
    png.before = [
      PNGFixture.chunk("eXIf", Array("XX".utf8)), PNGFixture.chunk("tEXt", Array("Title\0x".utf8)),
      PNGFixture.chunk(
        "tEXt", Array("Raw profile type exif\0".utf8) + PNGFixture.profile("exif", tiff)),
    ]
    png.after = [PNGFixture.chunk("eXIf", other.bytes)]
    #expect(try said(png.bytes)?.device?.make == "Canon")
    png.before = []
    #expect(try said(png.bytes)?.device?.make == "Nikon")
  }

  @Test func `EXIF of more than 64 KiB is read`() throws {
    var exif = try #require(fullPhoto().exif)
    exif.gap = 150_000
    var png = PNGFixture()
    png.after = [PNGFixture.chunk("eXIf", exif.bytes)]
    #expect(try said(png.bytes)?.device?.model == "Canon EOS R5")
    let webp = WebPFixture([WebPFixture.canvas(8, 8), WebPFixture.chunk("EXIF", exif.bytes)])
    #expect(try said(webp.bytes)?.device?.model == "Canon EOS R5")
    let text = PNGFixture.profile("exif", exif.bytes)
    png.after = [
      PNGFixture.chunk(
        "zTXt", Array("Raw profile type exif\0\0".utf8) + PNGFixture.deflated(text))
    ]
    #expect(try said(png.bytes)?.device?.model == "Canon EOS R5")
  }

  @Test(arguments: [
    "", "\n", "\nexif\n", "\nexif\n99999\n4949", "\nexif\n-4\n4949", "\nexif\n4\nxyzw",
    "\nexif\n8\n49492a0008000000", "\niptc\n99999999999999999999\n00",
  ])
  func `text that is no profile says nothing`(text: String) throws {
    var png = PNGFixture(width: 8, height: 6)
    let keyword = Array("Raw profile type exif\0".utf8)
    png.before = [
      PNGFixture.chunk("tEXt", keyword + Array(text.utf8)),
      PNGFixture.chunk("zTXt", keyword + [0] + Array(text.utf8)),
      PNGFixture.chunk("zTXt", keyword + [0] + PNGFixture.deflated(Array(text.utf8)).dropLast(5)),
      PNGFixture.chunk("iTXt", keyword), PNGFixture.chunk("iTXt", keyword + [1]),
    ]
    var expected = PhotoMetadata(mediaType: "image/png")
    (expected.width, expected.height) = (8, 6)
    #expect(try said(png.bytes) == expected)
  }

  /// A few kilobytes that become gigabytes: 1032 times as many is what deflate can do.
  @Test(.timeLimit(.minutes(1)))
  func `a text that grows beyond all measure ends`() throws {
    // A block with fixed codes: one NUL, then repetitions of it as long as there are, as bits.
    var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<400_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<min(start + 8, bits.count)].enumerated()
      stream.append(byte.reduce(UInt8(0)) { $0 | $1.element << UInt8($1.offset) })
    }
    var png = PNGFixture(width: 8, height: 6)
    png.before = [PNGFixture.chunk("zTXt", Array("Raw profile type exif\0\0".utf8) + stream)]
    #expect(try said(png.bytes)?.width == 8)
  }

  @Test func `pictures without metadata have their size and say nothing`() throws {
    for (bytes, type) in [
      (PNGFixture(width: 300, height: 200).bytes, "image/png"),
      (WebPFixture([WebPFixture.lossy(300, 200)]).bytes, "image/webp"),
      (WebPFixture([WebPFixture.lossless(300, 200)]).bytes, "image/webp"),
      (WebPFixture([WebPFixture.canvas(300, 200)]).bytes, "image/webp"),
      (Array("GIF89a".utf8) + [0x2c, 1, 200, 0, 0, 0, 0], "image/gif"),
      (bitmap(40, [0x2c, 1, 0, 0, 200, 0, 0, 0]), "image/bmp"),
      // Rows from top to bottom.
      (bitmap(124, [0x2c, 1, 0, 0, 0x38, 0xff, 0xff, 0xff]), "image/bmp"),
      (bitmap(12, [0x2c, 1, 200, 0, 0, 0, 0, 0]), "image/bmp"),
    ] as [([UInt8], String)] {
      var expected = PhotoMetadata(mediaType: type)
      (expected.width, expected.height) = (300, 200)
      #expect(try said(bytes) == expected)
    }
  }

  /// The largest sizes have more bits than the sizes of others.
  @Test func `the largest WebP has its size`() throws {
    let webp = WebPFixture([WebPFixture.canvas(1 << 24, 3)])
    #expect(try said(webp.bytes)?.width == 1 << 24)
    let lossless = WebPFixture([WebPFixture.lossless(16_384, 16_384)])
    #expect(try said(lossless.bytes)?.height == 16_384)
  }
}

private func bitmap(_ headerSize: UInt8, _ size: [UInt8]) -> [UInt8] {
  Array("BM".utf8) + Array(repeating: 0, count: 12) + [headerSize, 0, 0, 0] + size
}

/// What a file says that is whole; nil where it is called truncated.
private func said(_ bytes: [UInt8]) throws -> PhotoMetadata? {
  guard case .metadata(let metadata) = try read(bytes, named: "png") else { return nil }
  return metadata
}
