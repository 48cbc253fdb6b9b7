import Metadata
import Model
import TestSupport
import Testing

/// Where real JPEGs have their EXIF, and where it must not be looked for.
struct JPEGContainerTests {
  private let quantisation = JPEGFixture.segment(0xdb, [0] + Array(repeating: 1, count: 64))
  private let xmp = JPEGFixture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))

  @Test func `EXIF is found behind any other segment`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    fixture.before = (0xe0...0xef).filter { $0 != 0xe1 }.map { JPEGFixture.segment($0, [1, 2, 3]) }
    fixture.before += [quantisation, xmp, JPEGFixture.segment(0xfe, Array("comment".utf8))]
    fixture.before += [JPEGFixture.segment(0xdd, [0, 8]), JPEGFixture.segment(0xe0, [])]
    #expect(try metadata(fixture) == expected)
  }

  @Test func `fill bytes and junk between segments are passed over`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    fixture.before = [[0xff, 0xff, 0xff], xmp, Array(repeating: 0, count: 5000), [0xff, 0, 1, 2]]
    #expect(try metadata(fixture) == expected)
  }

  @Test(.timeLimit(.minutes(1)))
  func `endless junk and endless segments end`() throws {
    let junk = [0xff, 0xd8, 0xff, 0xe0, 0, 2] + [UInt8](repeating: 0, count: 2 << 20)
    #expect(try read(junk) == .metadata(PhotoMetadata(mediaType: "image/jpeg")))
    var tiny: [UInt8] = [0xff, 0xd8]
    for _ in 0..<20_000 { tiny += [0xff, 0xe2, 0, 2, 0, 0] }
    #expect(try read(tiny) == .metadata(PhotoMetadata(mediaType: "image/jpeg")))
  }

  @Test func `EXIF is found beyond the part of the file that is read at once`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    fixture.before = Array(
      repeating: JPEGFixture.segment(0xe2, Array(repeating: 7, count: 65_533)), count: 3)
    #expect(try metadata(fixture) == expected)
    // One that begins in it and ends behind.
    fixture.before = [JPEGFixture.segment(0xe2, Array(repeating: 7, count: 65_300))]
    #expect(try metadata(fixture) == expected)
  }

  @Test func `the largest EXIF segment is read whole`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    let size = try #require(fixture.exif).bytes.count
    fixture.exif?.gap = 65_533 - 6 - size
    #expect(fixture.head.count == 2 + 65_537)
    #expect(try metadata(fixture) == expected)
  }

  @Test func `of two EXIF segments the first usable one counts`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    var other = TIFFFixture()
    other.add(.image, 0x010f, "Nikon")
    fixture.after = [JPEGFixture.exifSegment(other.bytes)]
    #expect(try metadata(fixture) == expected)
    fixture.before = [JPEGFixture.exifSegment(Array("XX".utf8)), JPEGFixture.exifSegment([])]
    #expect(try metadata(fixture) == expected)
  }

  /// The standard knows no EXIF of more than 64 KiB, some programs do.
  @Test func `EXIF that goes on in the next segments is read whole`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    var rest = try #require(fixture.exif).bytes[...]
    fixture.exif?.gap = 150_000 - rest.count
    rest = try #require(fixture.exif).bytes[...]
    fixture.exif = nil
    while !rest.isEmpty {
      fixture.before.append(JPEGFixture.exifSegment(Array(rest.prefix(65_527))))
      rest = rest.dropFirst(65_527)
    }
    #expect(fixture.before.count == 3)
    #expect(try metadata(fixture) == expected)
    guard case .truncated = try read(Array(fixture.head.dropLast(10))) else {
      Issue.record("not called truncated")
      return
    }
    // Another EXIF is not the rest of the one before.
    var other = TIFFFixture()
    other.add(.image, 0x010f, "Nikon")
    fixture.before.insert(JPEGFixture.exifSegment(other.bytes), at: 1)
    #expect(try metadata(fixture).device?.make == "Nikon")
  }

  @Test func `a few bytes may stand before the mark of the EXIF`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    let tiff = try #require(fixture.exif).bytes
    fixture.exif = nil
    for junk in [[0xff], [0xff, 0xe1, 1, 2]] as [[UInt8]] {
      fixture.before = [JPEGFixture.segment(0xe1, junk + Array("Exif\0\0".utf8) + tiff)]
      #expect(try metadata(fixture) == expected)
    }
  }

  @Test func `EXIF among Photoshop's resources counts where there is no other`() throws {
    let expected = try metadata(fullPhoto())
    let tiff = try #require(fullPhoto().exif).bytes
    let size = [UInt8(tiff.count >> 8), UInt8(tiff.count & 0xff)]
    var resources = Array("Photoshop 3.0\0".utf8)
    resources += Array("8BIM".utf8) + [4, 4, 3] + Array("abc".utf8) + [0, 0, 0, 3, 1, 2, 3, 0]
    resources += Array("8BIM".utf8) + [4, 0x22, 0, 0, 0, 0] + size + tiff
    var fixture = JPEGFixture(width: 640, height: 480)
    fixture.before = [JPEGFixture.segment(0xed, resources)]
    #expect(try metadata(fixture) == expected)
    var exif = TIFFFixture()
    exif.add(.image, 0x010f, "Nikon")
    fixture.exif = exif
    #expect(try metadata(fixture).device?.make == "Nikon")
    #expect(try metadata(fixture).device?.model == nil)
  }

  /// A motion photo has a film behind the picture, an MPO a second picture.
  @Test func `what stands behind the picture does not matter`() throws {
    var fixture = JPEGFixture(width: 300, height: 200)
    let expected = try metadata(fixture)
    fixture.trailer = fullPhoto().bytes
    #expect(try metadata(fixture) == expected)
  }

  @Test func `a photo whose copy stopped behind the EXIF has been read`() throws {
    let fixture = fullPhoto()
    guard case .metadata(let metadata) = try read(fixture.head) else {
      Issue.record("called truncated")
      return
    }
    #expect(metadata.device?.make == "Canon")
    #expect(metadata.width == nil)
  }

  @Test func `EXIF that is damaged inside is not truncated`() throws {
    var fixture = JPEGFixture()
    fixture.before = [JPEGFixture.exifSegment(Array("II*\0".utf8) + [0xff, 0xff, 0xff, 0xff])]
    #expect(try metadata(fixture).device == nil)
  }

  @Test func `a file that may become a JPEG is truncated, other content is of no known type`()
    throws
  {
    for bytes in [[], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff]] as [[UInt8]] {
      guard case .truncated = try read(bytes) else {
        Issue.record("\(bytes)")
        continue
      }
    }
    #expect(try read([0xff, 0xd9]) == .metadata(PhotoMetadata()))
    #expect(try read(Array("x".utf8)) == .metadata(PhotoMetadata()))
    #expect(try read(Array("not a photo at all".utf8)) == .metadata(PhotoMetadata()))
  }

  @Test func `the size is that of the frame, of whatever coding`() throws {
    for marker in [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf] as [UInt8] {
      var bytes: [UInt8] = [0xff, 0xd8] + JPEGFixture.segment(0xc4, [0, 1, 2, 3, 4, 5, 6])
      bytes += JPEGFixture.segment(marker, [8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0])
      bytes += JPEGFixture.segment(0xda, [1, 1, 0, 0, 63, 0])
      var expected = PhotoMetadata(mediaType: "image/jpeg")
      (expected.height, expected.width) = (0x102, 0x304)
      #expect(try read(bytes) == .metadata(expected))
    }
  }
}
