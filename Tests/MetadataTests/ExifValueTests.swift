import Metadata
import Model
import TestSupport
import Testing

/// What real cameras and careless programs write into the tags.
struct ExifValueTests {
  @Test(
    arguments: [
      ("Canon   ", "Canon"), ("Canon\0\0\0junk", "Canon"), ("Can\non\t\r\n", "Can.on"),
      ("   ", nil), ("", nil), ("\0Canon", nil), ("삼성 카메라", "삼성 카메라"), ("a\u{9b}b", "a.b"),
    ] as [(String, String?)])
  func `text is cut and cleaned`(text: String, make: String?) throws {
    let metadata = try metadata { $0.add(.image, 0x010f, text) }
    #expect(metadata.device?.make == make)
  }

  @Test func `text is read whatever its type, and repaired`() throws {
    let bytes: [UInt8] = [0x41, 0xff, 0x42, 0xc3]
    for type in [1, 2, 7, 129] as [UInt16] {
      let metadata = try metadata { $0.add(.image, 0x0110, .raw(type: type, count: 4, bytes)) }
      #expect(metadata.device?.model == "A\u{fffd}B\u{fffd}")
    }
    // Numbers are no text.
    let metadata = try metadata { $0.add(.image, 0x0110, .short([0x4141, 0x4242])) }
    #expect(metadata.device == nil)
  }

  @Test func `long text is cut at 256 characters`() throws {
    for text in [String(repeating: "a", count: 400), String(repeating: "é", count: 2000)] {
      let metadata = try metadata { $0.add(.image, 0x010f, text) }
      #expect(metadata.device?.make == String(text.prefix(256)))
    }
  }

  @Test func `orientation is 1 to 8 or not known`() throws {
    let values: [(TIFFFixture.Value, Int?)] = [
      (.short([1]), 1), (.short([8]), 8), (.short([0]), nil), (.short([9]), nil),
      (.long([6]), 6), (.byte([3]), 3), (.short([6, 1]), 6), (.ascii("6"), nil),
    ]
    for (value, orientation) in values {
      #expect(try metadata { $0.add(.image, 0x0112, value) }.orientation == orientation)
    }
  }

  @Test func `an unknown measure is not there`() throws {
    let metadata = try metadata {
      $0.add(.exif, 0x829a, .rational([(0, 0)]))
      $0.add(.exif, 0x829d, .rational([(28, 0)]))
      $0.add(.exif, 0x920a, .rational([(0, 1)]))
      $0.add(.exif, 0x8827, .short([0]))
    }
    #expect(metadata.exposure == nil)
  }

  /// EXIF 2.32, annex G.
  @Test func `a sensitivity over 65535 stands in another tag`() throws {
    let metadata = try metadata {
      $0.add(.exif, 0x8827, .short([65_535]))
      $0.add(.exif, 0x8832, .long([102_400]))
    }
    #expect(metadata.exposure?.iso == 102_400)
  }

  @Test func `a number is read whatever its type, unless that is none of a camera's`() throws {
    for (type, bytes, altitude) in [
      (1, [200], 200), (7, [200], 200), (3, [0xfe, 0xff], 65_534), (8, [0xfe, 0xff], -2),
      (4, [0, 0, 1, 0], 65_536), (9, [0xfe, 0xff, 0xff, 0xff], -2),
      (5, [1, 0, 0, 0, 2, 0, 0, 0], 0.5), (10, [0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0], -0.5),
      (6, [200], nil), (11, [0, 0, 0x80, 0x3f], nil), (13, [1, 0, 0, 0], nil),
    ] as [(UInt16, [UInt8], Double?)] {
      let metadata = try metadata { $0.add(.gps, 6, .raw(type: type, count: 1, bytes)) }
      #expect(metadata.altitude == altitude, "type \(type)")
    }
  }

  @Test func `altitude below the sea is negative`() throws {
    for (reference, altitude) in [(0, 12.5), (1, -12.5), (2, 12.5), (3, -12.5)] as [(UInt8, Double)]
    {
      let metadata = try metadata {
        $0.add(.gps, 5, .byte([reference]))
        $0.add(.gps, 6, .rational([(125, 10)]))
      }
      #expect(metadata.altitude == altitude)
    }
    #expect(try metadata { $0.add(.gps, 6, .rational([(1, 0)])) }.altitude == nil)
  }

  @Test func `the time of GPS keeps its decimals`() throws {
    for (seconds, text) in [
      ((10, 1), "04:05:10"), ((5399, 100), "04:05:53.99"), ((5, 2), "04:05:02.5"), ((1, 0), nil),
    ] as [((UInt32, UInt32), String?)] {
      let metadata = try metadata { $0.add(.gps, 7, .rational([(4, 1), (5, 1), seconds])) }
      #expect(metadata.time.gpsTimeStamp == text)
    }
  }
}
