import Model
import Places
import TestSupport
import Testing

struct LocateTests {
  @Test func `inside an area, the chain goes down to it`() throws {
    let (location, label) = try World().locate(36, 127.5)
    #expect(label == "South Korea, Seoul, Jongno, West-dong")
    #expect(location.timeZone == "Asia/Seoul")
    #expect(location.source == .polygon)
    #expect(location.distanceMetres == nil)
  }

  @Test func `a shared border belongs to the eastern area`() throws {
    #expect(try World().locate(36, 128).label == "South Korea, Seoul, Jongno, 동동")
    #expect(try World().locate(36, 127.9999999).label == "South Korea, Seoul, Jongno, West-dong")
  }

  @Test func `off the coast the nearest area is named with its distance`() throws {
    let (location, label) = try World().locate(36, 127.09)
    #expect(label == "South Korea, Seoul, Jongno, West-dong")
    #expect(location.source == .nearest)
    let distance = try #require(location.distanceMetres)
    #expect(abs(distance - 899.6) < 1)
  }

  @Test func `further out only the larger areas are named`() throws {
    let (location, label) = try World().locate(36, 127.03)
    #expect(label == "South Korea, Seoul, Jongno")
    #expect(location.source == .nearest)
    #expect(try World().locate(34.1, 128.5).label == "South Korea")
  }

  @Test func `the open sea has a zone of last resort and no place`() throws {
    let (location, label) = try World().locate(36, 126)
    #expect(location == Location(timeZone: "Etc/GMT-8", isSeaZone: true))
    #expect(label == "")
    #expect(try World().locate(0, 0).0 == Location())
  }

  @Test func `another country is never moved to Korea`() throws {
    let (location, label) = try World().locate(36, 129.001)
    #expect(location.country == "JP")
    #expect(label == "Japan, Nagasaki")
    #expect(location.source == .nearest)
  }

  @Test func `a unit carries all its names`() throws {
    let atlas = try World().atlas()
    let unit = atlas.unit(atlas.unitCount - 2)
    #expect(unit.code == "1111010100")
    #expect(unit.level == .admin4)
    #expect(unit.source == .korea)
    #expect(unit.names == ["ko": "서동", "en": "West-dong"])
    #expect(unit.administrativeName == "서일동")
    #expect(unit.aliases == ["서일동"])
    #expect(unit.point.latitude == 36 && unit.point.longitude == 128)
  }

  @Test func `a label names in the first language that has one, then in English, then as there`()
    throws
  {
    let atlas = try World().atlas()
    let chain = atlas.chain(of: atlas.unitCount - 1)
    #expect(label(of: chain, languages: ["ko"]) == "대한민국, 서울특별시, 종로구, 동동")
    #expect(label(of: chain, languages: ["fr", "ko"]) == "대한민국, 서울특별시, 종로구, 동동")
    #expect(label(of: chain + chain.suffix(1), languages: []) == "South Korea, Seoul, Jongno, 동동")
  }
}
