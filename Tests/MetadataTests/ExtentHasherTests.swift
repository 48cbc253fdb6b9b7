import Containers
import Glibc
import Linux
import Model
import TestSupport
import Testing

struct ExtentHasherTests {
  private let photo = fullPhoto().exif ?? TIFFFixture()

  @Test func `no change of metadata changes the hash, any change of the picture does`() throws {
    var fixture = HEIFFixture(exif: photo)
    let expected = try #require(try hash(fixture.bytes))
    fixture.exif = nil
    #expect(try hash(fixture.bytes) == expected)
    fixture.exif = HEIFFixture.item(photo) + [1, 2, 3]
    fixture.turns = [box("irot", [1])]
    #expect(try hash(fixture.bytes) == expected)
    fixture.construction = 1
    #expect(try hash(fixture.bytes) == expected)
    fixture.picture[399] ^= 1
    #expect(try hash(fixture.bytes) != expected)
    fixture.picture[399] ^= 1
    fixture.width += 1
    #expect(try hash(fixture.bytes) != expected)
  }

  @Test func `all tiles of a grid count`() throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.isGrid = true
    let expected = try #require(try hash(fixture.bytes))
    var bytes = fixture.bytes
    let end = try #require(bytes.lastIndex(of: 0xc0))
    bytes[end] ^= 1
    #expect(try hash(bytes) != expected)
    fixture.exif?[30] ^= 1
    #expect(try hash(fixture.bytes) == expected)
  }

  /// With two bytes for each further copy a small file could ask for any amount of memory.
  @Test func `a property that an item has countless times is not copied as often`() throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.configuration = Array(repeating: 1, count: 200_000)
    fixture.configurationUses = 20
    #expect(try hash(fixture.bytes) != nil)
    // More than 4 MiB.
    fixture.configurationUses = 21
    #expect(try hash(fixture.bytes) == nil)
  }

  @Test func `of a film the media data counts, wherever it is`() throws {
    var film = MovieFixture()
    let expected = try #require(try hash(film.bytes))
    film.created = 3_797_383_510
    film.addKey("com.apple.quicktime.make", "Apple")
    film.isDataFirst = true
    #expect(try hash(film.bytes) == expected)
    // Of no bytes, before the others or behind them.
    #expect(try hash(film.bytes + box("mdat")) == expected)
    film.isDataFirst = false
    film.tracks.append(MovieFixture.Track())
    #expect(try hash(box("ftyp", latin("qt  ")) + box("mdat") + film.bytes) == expected)
    #expect(try hash(box("ftyp", latin("qt  ")) + box("mdat")) == nil)
    film.data[0] ^= 1
    #expect(try hash(film.bytes) != expected)
    #expect(try hash(Array(film.bytes.dropLast())) == nil)
  }

  @Test func `of the others the codestream counts`() throws {
    let exif = box("Exif", big(0, 4), photo.bytes)
    let picture = codestream(width: 1000, height: 600)
    let bare = try #require(try hash(picture))
    #expect(try hash(jpegXL + exif + box("jxlc", picture)) == bare)
    #expect(try hash(jpegXL + box("jxlc", picture) + exif) == bare)
    let coded: [UInt8] = [0xff, 0x4f, 0xff, 0x51, 0] + picture
    let uuid = box("uuid", latin("JpgTiffExif->JP2"), photo.bytes)
    let plain = try #require(try hash(jpeg2000 + box("jp2c", coded)))
    #expect(try hash(jpeg2000 + uuid + box("jp2c", coded)) == plain)
    let raw = try #require(try hash(canonRaw(photo)))
    #expect(try hash(canonRaw(TIFFFixture())) == raw)
  }

  @Test func `a picture that is not all there, or no box at all, has no hash`() throws {
    var fixture = HEIFFixture(exif: photo)
    fixture.isExifFirst = true
    let bytes = fixture.bytes
    for length in stride(from: 0, to: bytes.count, by: 13) {
      #expect(try hash(Array(bytes[..<length])) == nil)
    }
    #expect(try hash(fullPhoto().bytes) == nil)
    #expect(try hash([]) == nil)
  }

  @Test(arguments: 0..<50)
  func `any split into blocks gives the same hash`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fixture = HEIFFixture(exif: photo)
    fixture.isGrid = true
    let bytes = fixture.bytes
    let expected = try hash(bytes)
    #expect(expected != nil)
    #expect(try hash(bytes) { Int.random(in: 1...300, using: &random) } == expected)
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool's edits do not change the hash`() throws {
    var film = MovieFixture()
    film.created = 3_797_383_510
    let directory = try TemporaryDirectory()
    for (name, bytes) in [
      ("photo.heic", HEIFFixture(exif: photo).bytes), ("film.mov", film.bytes),
      ("raw.cr3", canonRaw(photo)),
      ("photo.jp2", jpeg2000 + box("jp2c", [0xff, 0x4f, 0xff, 0x51, 1, 2, 3])),
    ] {
      let expected = try hash(bytes)
      #expect(expected != nil, "\(name)")
      for edit in ["-AllDates=2021:02:03 04:05:06", "-XMP:Title=A title"] {
        try directory.write(name, bytes)
        try run([
          "/usr/bin/exiftool", "-q", "-overwrite_original", edit, directory.path + "/" + name,
        ])
        let edited = try directory.read(name)
        #expect(edited != bytes, "\(name) \(edit)")
        #expect(try hash(edited) == expected, "\(name) \(edit)")
      }
    }
  }
}

/// The hash of bytes that come in blocks of these sizes.
private func hash(_ bytes: [UInt8], by size: () -> Int = { 4096 }) throws -> ImageHash? {
  let directory = try TemporaryDirectory()
  try directory.write("photo", bytes)
  var hasher = ExtentHasher()
  try hasher.begin(OpenFile(absolutePath: directory.path("photo")))
  var rest = bytes[...]
  while !rest.isEmpty {
    let block = Array(rest.prefix(size()))
    hasher.update(block.span)
    rest = rest.dropFirst(block.count)
  }
  return hasher.finalize()
}
