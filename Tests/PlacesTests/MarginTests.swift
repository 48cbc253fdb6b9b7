import Model
import Places
import TestSupport
import Testing

struct MarginTests {
  private func margin(_ latitude: Double, _ longitude: Double) throws -> (Int, code: String)? {
    try World().atlas().margin(latitude, longitude)
  }

  @Test func `a near border is told with the unit behind it`() throws {
    let east = try #require(try margin(36, 127.999))
    #expect(east == (90, "1111010200"))
    let west = try #require(try margin(36, 128.002))
    #expect(west == (180, "1111010100"))
  }

  @Test func `a far border or a coast is none`() throws {
    #expect(try margin(36, 127.5) == nil)
    #expect(try margin(36, 127.1005) == nil)
    #expect(try margin(36, 126) == nil)
  }

  @Test func `the border of a country has the unit beyond`() throws {
    let korean = try #require(try margin(36, 128.999))
    #expect(korean == (90, "JP-42"))
    let japanese = try #require(try margin(36, 129.001))
    #expect(japanese == (90, "1111010200"))
  }

  @Test func `off the coast, half of what the next unit is further away`() throws {
    let between = try #require(try margin(37.009, 128.0045))
    #expect(between.code == "1111010100")
    #expect((30...50).contains(between.0))
  }
}
