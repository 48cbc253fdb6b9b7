import Metadata
import Model
import TestSupport
import Testing

/// Files that were cut or damaged, of every format in boxes.
struct HostileBoxTests {
  enum Kind: CaseIterable {
    case heic, heicWithExifFirst, grid, itemInItem, film, filmWithDataFirst, canonFilm, canonRaw
    case jpegXL, jpeg2000
  }

  /// Wrong metadata is worse than none, whatever the moment a copy was cut off.
  @Test(arguments: Kind.allCases)
  func `a file cut off anywhere is truncated or has all its values`(kind: Kind) throws {
    let bytes = file(kind)
    let expected = try whole(bytes, named: "x")
    let reader = try FileReader()
    for length in 0..<bytes.count {
      switch try reader.read(Array(bytes[..<length]), named: "x") {
      case .truncated(let sure):
        #expect(sure == PhotoMetadata(mediaType: sure.mediaType))
        #expect([nil, expected.mediaType].contains(sure.mediaType), "cut at \(length)")
      case .metadata(let found):
        #expect(found == expected, "cut at \(length)")
      }
    }
  }

  @Test(arguments: Kind.allCases, 0..<10)
  func `no damage to the bytes traps or hangs`(kind: Kind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = file(kind)
    let reader = try FileReader()
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] =
          [0, 1, 0xff, 0x7f, 0x80, .random(in: 0...255, using: &random)].randomElement(
            using: &random) ?? 0
      }
      if Bool.random(using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        bytes.removeSubrange(
          start..<min(start + Int.random(in: 1...64, using: &random), bytes.count))
      }
      if case .metadata(let metadata) = try reader.read(bytes, named: "x") {
        #expect(metadata.orientation.map { (1...8).contains($0) } != false)
        #expect(metadata.width.map { $0 > 0 } != false)
        #expect(metadata.durationMilliseconds.map { $0 >= 0 } != false)
        #expect(RawTime(text: metadata.time.text) == metadata.time)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `boxes without number end`() throws {
    let tiny = Array(repeating: box("free"), count: 200_000).flatMap { $0 }
    let head = box("ftyp", latin("isom"), big(0, 4), latin("isom"))
    #expect(
      try whole(head + tiny, named: "mp4") == PhotoMetadata(mediaType: "video/mp4"))
    // Tracks in which nothing is found, each looked through four times.
    let track = box("trak", Array(repeating: box("free"), count: 1000).flatMap { $0 })
    let film = head + box("moov", Array(repeating: track, count: 200).flatMap { $0 })
    #expect(try whole(film, named: "mp4") == PhotoMetadata(mediaType: "video/mp4"))
  }

  @Test func `lengths beyond all files are cut or broken, not followed`() throws {
    let head = box("ftyp", latin("isom"), big(0, 4), latin("isom"))
    for length in [[0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff]] as [[UInt8]] {
      guard case .truncated = try read(head + length + latin("moov") + big(0, 40)) else {
        Issue.record("not truncated")
        continue
      }
    }
    // Lengths of 64 bits: with the largest the box ends where the largest file could.
    let type = PhotoMetadata(mediaType: "video/mp4")
    func long(_ length: [UInt8]) -> [UInt8] {
      head + big(1, 4) + latin("moov") + length + big(0, 40)
    }
    #expect(try read(long(big(Int.max - head.count, 8))) == .truncated(type))
    // One more, the largest number, and one that is shorter than its own header.
    for length in [big(Int.max - head.count + 1, 8), big(-1, 8), big(9, 8)] {
      #expect(try read(long(length)) == .metadata(type))
    }
  }

  /// What follows the box completes the identifier, but is not its own.
  @Test(arguments: ["isom", "crx "])
  func `a box too short for its identifier is another's`(brand: String) throws {
    let identifier = canonBox(TIFFFixture()).dropFirst(8).prefix(16)
    let head = box("ftyp", latin(brand), big(0, 4), latin(brand))
    let expected = try whole(head + box("moov"), named: "x")
    for count in 0..<16 {
      let short = box("moov", box("uuid", Array(identifier.prefix(count))))
      let bytes = head + short + Array(identifier.dropFirst(count))
      #expect(try whole(bytes, named: "x") == expected, "\(count) bytes")
    }
  }

  /// The standard allows one entry; to put any number of them together would take long.
  @Test func `of several lists of an item's properties the first counts`() throws {
    var fixture = HEIFFixture(exif: fullPhoto().exif)
    let expected = try metadata(fixture)
    // The fourth property turns the picture, and item 1 is the picture.
    let turn = box("ipco", box("irot", [1]))
    let entry = big(1, 2) + [1, 0x84]
    fixture.moreProperties = [turn]
    fixture.moreAssociations = [entry]
    #expect(try metadata(fixture) == expected)
    fixture.moreAssociations = []
    fixture.moreProperties = [turn, fullBox("ipma", big(1, 4), entry)]
    #expect(try metadata(fixture) == expected)
  }

  private func file(_ kind: Kind) -> [UInt8] {
    let photo = fullPhoto().exif ?? TIFFFixture()
    var heic = HEIFFixture(exif: photo)
    heic.turns = [box("irot", [3])]
    var film = MovieFixture()
    film.created = 3_797_383_510
    film.addKey("com.apple.quicktime.make", "Apple")
    film.addUserText("©xyz", "+12.5-098.25/")
    switch kind {
    case .heic: break
    case .heicWithExifFirst: heic.isExifFirst = true
    case .grid: heic.isGrid = true
    case .itemInItem: heic.construction = 2
    case .film: return film.bytes
    case .filmWithDataFirst:
      film.isDataFirst = true
      return film.bytes
    case .canonFilm:
      film.others = [canonBox(photo)]
      return film.bytes
    case .canonRaw: return TestSupport.canonRaw(photo)
    case .jpegXL:
      let exif = box("Exif", big(0, 4), photo.bytes)
      return TestSupport.jpegXL + exif + box("jxlc", codestream(width: 1000, height: 600))
    case .jpeg2000:
      let exif = box("uuid", latin("JpgTiffExif->JP2"), photo.bytes)
      return TestSupport.jpeg2000 + exif + box("jp2c", [0xff, 0x4f, 0xff, 0x51, 1, 2, 3])
    }
    return heic.bytes
  }
}
