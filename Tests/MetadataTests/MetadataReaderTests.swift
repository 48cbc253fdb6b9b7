import Linux
import Metadata
import Model
import TestSupport
import Testing

/// Reads the bytes as a file.
func read(_ bytes: [UInt8], named suffix: String = "jpg") throws -> MetadataReading {
  try FileReader().read(bytes, named: suffix)
}

/// Reads bytes as one file after the other.
final class FileReader {
  private let directory: TemporaryDirectory
  private var reader = MetadataReader()

  init() throws {
    directory = try TemporaryDirectory()
  }

  func read(_ bytes: [UInt8], named suffix: String = "jpg") throws -> MetadataReading {
    // A new file each time: some file systems flush one that is emptied and written again.
    directory.remove("photo")
    try directory.write("photo", bytes)
    return try reader.read(OpenFile(absolutePath: directory.path("photo")), named: suffix)
  }
}

/// The metadata of a fixture that is whole.
func metadata(_ fixture: JPEGFixture) throws -> PhotoMetadata {
  guard case .metadata(let metadata) = try read(fixture.bytes) else {
    Issue.record("the fixture is called truncated")
    return PhotoMetadata()
  }
  return metadata
}

func metadata(_ change: (inout TIFFFixture) -> Void) throws -> PhotoMetadata {
  var exif = TIFFFixture()
  change(&exif)
  return try metadata(JPEGFixture(exif: exif))
}

struct MetadataReaderTests {
  @Test(arguments: [false, true])
  func `every tag is read in either byte order`(isBigEndian: Bool) throws {
    let metadata = try metadata(fullPhoto(isBigEndian: isBigEndian))
    #expect(metadata.mediaType == "image/jpeg")
    #expect(metadata.width == 640)
    #expect(metadata.height == 480)
    #expect(metadata.orientation == 6)
    #expect(metadata.device?.make == "Canon")
    #expect(metadata.device?.model == "Canon EOS R5")
    #expect(metadata.device?.serial == "032021001234")
    #expect(abs(try #require(metadata.position).latitude - 37.5886) < 1e-7)
    #expect(abs(try #require(metadata.position).longitude - 127.0068) < 1e-7)
    #expect(metadata.altitude == 120.5)
    #expect(metadata.time.dateTimeOriginal == "2024:05:01 13:45:10")
    #expect(metadata.time.subSecTimeOriginal == "123")
    #expect(metadata.time.offsetTimeOriginal == "+09:00")
    #expect(metadata.time.offsetTime == "+02:00")
    #expect(metadata.time.gpsDateStamp == "2024:05:01")
    #expect(metadata.time.gpsTimeStamp == "04:45:10")
    #expect(metadata.exposure?.lens == "RF85mm F1.2 L USM")
    #expect(metadata.exposure?.exposureTime == 1.0 / 250)
    #expect(metadata.exposure?.fNumber == 2.8)
    #expect(metadata.exposure?.iso == 400)
    #expect(metadata.exposure?.focalLength == 85)
    #expect(metadata.exposure?.focalLengthIn35mmFilm == 85)
  }

  @Test func `a JPEG without EXIF has been read and says nothing`() throws {
    let metadata = try metadata(JPEGFixture(width: 300, height: 200))
    #expect(metadata.mediaType == "image/jpeg")
    #expect(metadata.width == 300 && metadata.height == 200)
    #expect(metadata.device == nil)
    #expect(metadata.time.isEmpty)
    #expect(metadata.exposure == nil)
  }

  /// Wrong metadata is worse than none, whatever the moment a copy was cut off.
  @Test func `a file cut off anywhere is truncated or has all its values`() throws {
    var fixture = fullPhoto()
    fixture.before = [
      JPEGFixture.segment(0xe0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
    ]
    let whole = try metadata(fixture)
    let (bytes, headSize) = (fixture.bytes, fixture.head.count)
    let reader = try FileReader()
    for length in 0..<bytes.count {
      switch try reader.read(Array(bytes[..<length])) {
      case .truncated(let sure):
        #expect(length < headSize, "cut at \(length)")
        #expect(sure == PhotoMetadata(mediaType: length < 3 ? nil : "image/jpeg"))
      case .metadata(var partial):
        #expect(length >= headSize, "cut at \(length)")
        // The frame header stands behind the EXIF.
        #expect(partial.width == nil || partial.width == whole.width)
        partial.width = whole.width
        partial.height = whole.height
        #expect(partial == whole)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `no damage to the bytes traps or hangs`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = fullPhoto(isBigEndian: seed % 2 == 0).bytes
    let reader = try FileReader()
    for _ in 0..<50 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] =
          [0, 0xff, 0x7f, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      if case .metadata(let metadata) = try reader.read(bytes) {
        #expect(metadata.orientation.map { (1...8).contains($0) } != false)
        #expect((metadata.device?.make?.unicodeScalars.count ?? 0) <= 256)
        #expect(RawTime(text: metadata.time.text) == metadata.time)
      }
    }
  }
}
