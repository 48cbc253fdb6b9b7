import Metadata
import Model
import TestSupport
import Testing

/// Pictures in items: HEIC, HEIF, AVIF.
struct HEIFTests {
  private let photo = fullPhoto().exif ?? TIFFFixture()

  @Test(arguments: ["heic", "avif"])
  func `every tag is read, and the size is that of the picture`(brand: String) throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.brand = brand
    var expected = try metadata(fullPhoto())
    expected.mediaType = "image/\(brand)"
    (expected.width, expected.height) = (4032, 3024)
    #expect(try metadata(fixture) == expected)
  }

  @Test func `EXIF may stand in the file, among the item's own data, or in another item`() throws {
    let expected = try metadata(HEIFFixture(exif: photo))
    for construction in 0...2 {
      var fixture = HEIFFixture(exif: photo)
      fixture.construction = construction
      #expect(try metadata(fixture) == expected, "construction \(construction)")
    }
  }

  /// ISO/IEC 23008-12, A.2.1, and what writers make of it.
  @Test func `EXIF is found with and without distance and header`() throws {
    let tiff = photo.bytes
    let header = latin("Exif\0\0")
    let expected = try metadata(HEIFFixture(exif: photo))
    for item in [
      big(6, 4) + header + tiff, big(0, 4) + tiff, big(0, 4) + header + tiff, header + tiff, tiff,
      big(3, 4) + [1, 2, 3] + tiff, big(0xffff_ffff, 4) + tiff,
    ] {
      var fixture = HEIFFixture()
      fixture.exif = item
      #expect(try metadata(fixture) == expected)
    }
  }

  @Test func `of several EXIF items that of the primary picture counts`() throws {
    var other = TIFFFixture()
    other.add(.image, 0x010f, "Nikon")
    var fixture = HEIFFixture(exif: photo)
    fixture.otherExif = [HEIFFixture.item(other)]
    #expect(try metadata(fixture).device?.make == "Canon")
  }

  @Test func `a grid has the size of the whole, with or without a property that says so`() throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.isGrid = true
    for hasSize in [true, false] {
      fixture.hasSize = hasSize
      #expect(try metadata(fixture).width == 4032)
      #expect(try metadata(fixture).height == 3024)
    }
  }

  /// EXIF says 6. An angle counts in quarters against the clock; a mirror of mode 0 exchanges top and
  /// bottom, of mode 1 left and right (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
  @Test(arguments: [
    ([], 6), ([("irot", 0)], 6), ([("irot", 1)], 8), ([("irot", 2)], 3), ([("irot", 3)], 6),
    ([("imir", 0)], 4), ([("imir", 1)], 2),
    // A quarter with the clock, then top and bottom exchanged: row 0 is right, column 0 at the bottom.
    ([("irot", 3), ("imir", 0)], 7), ([("irot", 3), ("imir", 1)], 5),
    ([("imir", 1), ("irot", 3)], 7), ([("irot", 1), ("irot", 1)], 3),
    ([("irot", 1), ("irot", 3)], 6),
  ])
  func `one of EXIF's orientation and the picture's own counts`(
    turns: [(String, Int)], orientation: Int
  ) throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.turns = turns.map { box($0.0, [UInt8($0.1)]) }
    #expect(try metadata(fixture).orientation == orientation)
    #expect(try metadata(fixture).width == 4032)
  }

  /// Width, height and offsets from the middle, each a fraction (ISO/IEC 14496-12, 12.1.4). The index
  /// has the size as stored, as exiftool does.
  @Test func `a clean aperture changes neither the stored size nor the orientation`() throws {
    var fixture = HEIFFixture(exif: photo)
    let numbers = [3000, 1, 2000, 1, 0, 1, 0, 1]
    fixture.turns = [box("clap", numbers.flatMap { big($0, 4) })]
    #expect(try metadata(fixture) == metadata(HEIFFixture(exif: photo)))
  }

  @Test func `a picture without EXIF has been read and says nothing`() throws {
    var expected = PhotoMetadata(mediaType: "image/heic")
    (expected.width, expected.height) = (4032, 3024)
    #expect(try metadata(HEIFFixture()) == expected)
  }

  @Test func `what is cut off behind the tags does not matter`() throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.isExifFirst = true
    let thumbnail = Array(repeating: UInt8(7), count: 50)
    fixture.exif? += thumbnail
    let whole = try metadata(fixture)
    let bytes = fixture.bytes
    let tail = fixture.picture.count + thumbnail.count
    guard case .metadata(let cut) = try read(Array(bytes.dropLast(tail)), named: "heic") else {
      Issue.record("called truncated")
      return
    }
    #expect(cut == whole)
    guard case .truncated = try read(Array(bytes.dropLast(tail + 30)), named: "heic") else {
      Issue.record("a tag is missing")
      return
    }
  }

  @Test func `extents that take no bytes end`() throws {
    // Four billion items of 65,535 extents each, in fields of no width.
    let extents = (1...20).flatMap { big($0, 2) + big(0, 2) + big(0, 2) + big(0xffff, 2) }
    let locations = fullBox("iloc", version: 1, [0, 0] + big(0xffff, 2), extents)
    let entry = fullBox("infe", version: 2, big(1, 2), big(0, 2), latin("Exif"), [0])
    let bytes =
      box("ftyp", latin("heic"), big(0, 4))
      + fullBox("meta", locations, fullBox("iinf", big(1, 2), entry))
    #expect(try read(bytes) == .metadata(PhotoMetadata(mediaType: "image/heic")))
  }
}

func metadata(_ fixture: HEIFFixture) throws -> PhotoMetadata {
  try whole(fixture.bytes, named: "heic")
}

/// The metadata of bytes that are whole.
func whole(_ bytes: [UInt8], named suffix: String) throws -> PhotoMetadata {
  guard case .metadata(let metadata) = try read(bytes, named: suffix) else {
    Issue.record("the fixture is called truncated")
    return PhotoMetadata()
  }
  return metadata
}
