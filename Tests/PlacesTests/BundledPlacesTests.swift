import Foundation
import Model
import Places
import TestSupport
import Testing

/// Compiled once for all tests.
private let bundled = Result { try Atlas.open(resources: bundledResources, cache: nil) }

private func locate(
  _ latitude: Double, _ longitude: Double
) throws -> (location: Location, chain: [Places.Unit]) {
  let atlas = try bundled.get()
  let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
  let location = atlas.locate(coordinate)
  return (location, location.unit.map(atlas.chain) ?? [])
}

struct BundledPlacesTests {
  @Test(arguments: [
    (37.5126, 127.0588, "대한민국, 서울특별시, 강남구, 삼성동"),
    (37.5886, 127.0068, "대한민국, 서울특별시, 성북구, 동소문동2가"),
    (33.4107, 126.2692, "대한민국, 제주특별자치도, 제주시, 한림읍"),
    (35.1631, 129.1635, "대한민국, 부산광역시, 해운대구, 중동"),
    (37.2426, 131.8669, "대한민국, 경상북도, 울릉군, 울릉읍"),
    (37.96, 124.67, "대한민국, 인천광역시, 옹진군, 백령면"),
    (33.12, 126.267, "대한민국, 제주특별자치도, 서귀포시, 대정읍"),
    (36.48, 127.289, "대한민국, 세종특별자치시, 보람동"),
    (36.2428, 128.5728, "대한민국, 대구광역시, 군위군, 군위읍"),
    (37.4636, 126.6506, "대한민국, 인천광역시, 미추홀구, 숭의동"),
    (37.3943, 127.1107, "대한민국, 경기도, 성남시, 분당구, 백현동"),
  ])
  func `Korea is known down to its 동`(latitude: Double, longitude: Double, name: String) throws {
    let (location, chain) = try locate(latitude, longitude)
    #expect(label(of: chain, languages: ["ko"]) == name)
    #expect(location.timeZone == "Asia/Seoul")
    #expect(location.country == "KR")
  }

  @Test func `a 행정동 is named where it is the only one`() throws {
    #expect(try locate(37.5886, 127.0068).chain.last?.administrativeName == "삼선동")
    let samseong = try #require(try locate(37.5126, 127.0588).chain.last)
    #expect(samseong.administrativeName == nil)
    #expect(samseong.aliases == ["삼성1동", "삼성2동"])
  }

  @Test func `at the line of 1953 no point is taken over from one side to the other`() throws {
    let panmunjom = try locate(37.956, 126.677)
    #expect(panmunjom.location.country == "KR" && panmunjom.location.source == .nearest)
    #expect(panmunjom.chain.map(\.code).prefix(2) == ["KR", "41"])
    let kaesong = try locate(37.9708, 126.5544)
    #expect(kaesong.location.country == "KP")
    #expect(!kaesong.chain.map(\.name).contains("파주시"))
  }

  @Test func `on the beach the nearest 동 is named`() throws {
    let (location, chain) = try locate(35.1585, 129.1604)
    #expect(chain.last?.name == "우동")
    #expect(location.source == .nearest)
    #expect(try #require(location.distanceMetres) < 200)
  }

  @Test(arguments: [
    (37.97, 126.555, "KP", "Asia/Pyongyang"),  // Kaesong
    (34.2, 129.29, "JP", "Asia/Tokyo"),  // Tsushima
    (42.20848, -83.09805, "CA", "America/Toronto"),  // Windsor
    (-29.31, 27.48, "LS", "Africa/Maseru"),
    (41.9022, 12.4533, "VA", "Europe/Vatican"),
    (43.9367, 12.4464, "SM", "Europe/San_Marino"),
    (43.7314, 7.4197, "MC", "Europe/Monaco"),
    (42.4644, 1.9806, "ES", "Europe/Madrid"),  // Llívia
    (51.4419, 4.9306, "BE", "Europe/Brussels"),  // Baarle-Hertog
    (51.4467, 4.9250, "NL", "Europe/Amsterdam"),  // Baarle-Nassau
    (47.697, 8.69, "DE", "Europe/Busingen"),
    (45.969, 8.971, "IT", "Europe/Rome"),  // Campione
    (35.8888, -5.3213, "ES", "Africa/Ceuta"),
    (21.0285, 105.8542, "VN", "Asia/Bangkok"),  // Hanoi
    (42.6629, 21.1655, "XK", "Europe/Belgrade"),  // Pristina
    (-16.8, 179.99, "FJ", "Pacific/Fiji"), (-16.8, -179.9, "FJ", "Pacific/Fiji"),
    (-16.8, 180, "FJ", "Pacific/Fiji"), (-16.8, -180, "FJ", "Pacific/Fiji"),
    (78.22, 15.65, "SJ", "Arctic/Longyearbyen"),
    (-90, 0, "AQ", "Antarctica/McMurdo"), (-78.46, 106.84, "AQ", "Antarctica/Vostok"),
    (40.6892, -74.0445, "US", "America/New_York"),  // Statue of Liberty
    (1.2494, 103.8303, "SG", "Asia/Singapore"),  // Sentosa
    (22.3, 114.17, "HK", "Asia/Hong_Kong"), (25.04, 121.53, "TW", "Asia/Taipei"),
  ])
  func `countries and zones are right where maps are tangled`(
    latitude: Double, longitude: Double, country: String, zone: String
  ) throws {
    let location = try locate(latitude, longitude).location
    #expect(location.country == country)
    #expect(location.timeZone == zone)
    #expect(!location.isSeaZone)
  }

  @Test(arguments: [(30.0, -40.0, "Etc/GMT+3"), (0.0, -30.0, "Etc/GMT+2")])
  func `the open sea has no place`(latitude: Double, longitude: Double, zone: String) throws {
    let location = try locate(latitude, longitude).location
    #expect(location == Location(timeZone: zone, isSeaZone: true))
  }

  @Test func `the north pole has no place`() throws {
    let location = try locate(90, 0).location
    #expect(location.isSeaZone)
    #expect(location.unit == nil)
  }

  @Test func `close to a shore its clocks count, without a place`() throws {
    let location = try locate(27.405308, -80.016944).location
    #expect(location == Location(timeZone: "America/New_York"))
  }

  @Test func `names come in the languages asked for`() throws {
    let paris = try locate(48.8584, 2.2945).chain
    #expect(label(of: paris, languages: ["en"]) == "France, Paris")
    #expect(label(of: paris, languages: ["ko"]) == "프랑스, 파리")
    #expect(label(of: paris, languages: ["ja"]) == "フランス, パリ")
  }

  @Test func `every unit's point is found in that unit`() throws {
    let atlas = try bundled.get()
    let elsewhere = (0..<atlas.unitCount).map { atlas.unit($0) }.filter { unit in
      guard unit.level != .country else { return false }
      let location = atlas.locate(unit.point)
      return !(location.unit.map(atlas.chain) ?? []).contains(unit)
    }
    // Areas that lie, by the zones, in another country than by the coarser first level.
    #expect(elsewhere.allSatisfy { $0.source == .admin1 }, "\(elsewhere.map(\.code))")
    #expect(elsewhere.count < 60, "\(elsewhere.map(\.code))")
  }
}

/// Towns of GeoNames, which nothing in the atlas comes from.
struct TownTests {
  private struct Town {
    let text: String
    let country: String
    let zone: String
    let firstLevel: String
    let location: Location
    let chain: [Places.Unit]

    init(_ line: Substring) throws {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      text = String(line)
      country = fields[2]
      zone = fields[3]
      firstLevel = fields[4]
      (location, chain) = try locate(
        #require(Double(fields[0])), #require(Double(fields[1])))
    }

    var hasItsOffsets: Bool {
      guard let found = location.timeZone.flatMap(TimeZone.init(identifier:)),
        let right = TimeZone(identifier: zone)
      else { return false }
      // January and July of 2024.
      return [1_705_000_000.0, 1_721_000_000.0].map(Date.init(timeIntervalSince1970:))
        .allSatisfy { found.secondsFromGMT(for: $0) == right.secondsFromGMT(for: $0) }
    }

    var hasItsFirstLevel: Bool {
      chain.count > 1 && plain(chain[1].name(in: ["en"])) == plain(firstLevel)
    }

    private func plain(_ name: String) -> String {
      name.replacing(" Prefecture", with: "")
        .decomposedStringWithCanonicalMapping
        .unicodeScalars.filter(\.isASCII).map(String.init).joined()
    }
  }

  @Test func `towns get their country, their clocks and their first level`() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/towns.csv")
    let towns = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { try Town($0) }
    #expect(towns.count > 1500)
    expect(towns, 0.999) { $0.location.country == $0.country }
    // GeoNames has wrong zones itself (Saratov, Barnaul) and Urumqi's where people use Beijing's.
    expect(towns, 0.995) { $0.hasItsOffsets }
    for (country, share) in [("US", 0.99), ("CA", 0.99), ("AU", 0.99), ("JP", 0.97)] {
      expect(towns.filter { $0.country == country }, share) { $0.hasItsFirstLevel }
    }
  }

  private func expect(_ towns: [Town], _ share: Double, _ isRight: (Town) -> Bool) {
    let wrong = towns.filter { !isRight($0) }
    #expect(
      Double(wrong.count) <= Double(towns.count) * (1 - share), "\(wrong.map(\.text))")
  }
}
