import Metadata
import Model
import TestSupport
import Testing

struct PositionTests {
  @Test(arguments: 0..<100)
  func `a position is what the receiver wrote`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let latitude = Double.random(in: -90...90, using: &random)
    let longitude = Double.random(in: -180...180, using: &random)
    let position = try #require(
      try metadata(.photo(latitude: latitude, longitude: longitude)).position)
    // The fixture writes ten-thousandths of a second of arc.
    #expect(abs(position.latitude - latitude) < 2e-8)
    #expect(abs(position.longitude - longitude) < 2e-8)
  }

  @Test func `the side may be spelled carelessly, but must be there`() throws {
    for (reference, latitude) in [
      ("S", -37.5), ("s", -37.5), ("South", -37.5), (" S ", -37.5), ("S\0\0", -37.5), ("N", 37.5),
      ("", nil), ("X", nil), ("E", nil), (nil, nil),
    ] as [(String?, Double?)] {
      let metadata = try metadata {
        if let reference { $0.add(.gps, 1, reference) }
        $0.add(.gps, 2, .rational([(37, 1), (30, 1), (0, 1)]))
        $0.add(.gps, 3, "E")
        $0.add(.gps, 4, .rational([(127, 1)]))
      }
      #expect(metadata.position?.latitude == latitude, "\(reference ?? "none")")
    }
  }

  @Test func `any rationals make degrees`() throws {
    let values: [(TIFFFixture.Value, Double?)] = [
      (.rational([(375, 10)]), 37.5),
      (.rational([(37, 1), (305, 10)]), 37 + 30.5 / 60),
      (.rational([(37, 1), (30, 1), (3600, 100)]), 37.51),
      (.signedRational([(37, 1), (30, 1), (36, 1)]), 37.51),
      (.rational([(0, 0), (0, 0), (0, 0)]), nil),
      (.rational([(37, 1), (0, 0), (0, 1)]), nil),
      (.rational([(37, 1), (30, 1), (0, 0)]), nil),
      (.rational([(91, 1), (0, 1), (0, 1)]), nil),
      // "N" and a sign contradict each other.
      (.signedRational([(-37, 1), (30, 1), (36, 1)]), nil),
      (.ascii("37,30,36"), nil),
    ]
    for (value, latitude) in values {
      let metadata = try metadata {
        $0.add(.gps, 1, "N")
        $0.add(.gps, 2, value)
        $0.add(.gps, 3, "E")
        $0.add(.gps, 4, .rational([(127, 1), (0, 1), (0, 1)]))
      }
      if let latitude {
        #expect(abs(try #require(metadata.position).latitude - latitude) < 1e-12)
      } else {
        #expect(metadata.position == nil)
      }
    }
  }

  @Test func `no place on Earth is nowhere, but one zero is the equator or Greenwich`() throws {
    #expect(try metadata(.photo(latitude: 0, longitude: 0)).position == nil)
    #expect(try metadata(.photo(latitude: 0, longitude: 9.45)).position?.latitude == 0)
    #expect(try metadata(.photo(latitude: 51.48, longitude: 0)).position?.longitude == 0)
    #expect(try metadata(.photo(latitude: 51.48)).position == nil)
    let greenwich = try metadata {
      $0.add(.gps, 1, "N")
      $0.add(.gps, 2, .degrees(51.48))
      $0.add(.gps, 3, "W")
      $0.add(.gps, 4, .degrees(0))
    }
    #expect(greenwich.position?.longitude.description == "0.0")
  }
}
