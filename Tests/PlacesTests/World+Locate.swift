import Model
import Places
import TestSupport
import Testing

extension World {
  func locate(_ latitude: Double, _ longitude: Double) throws -> (Location, label: String) {
    try atlas().locate(latitude, longitude)
  }
}

extension Atlas {
  func locate(_ latitude: Double, _ longitude: Double) throws -> (Location, label: String) {
    let location = locate(try #require(Coordinate(latitude: latitude, longitude: longitude)))
    let chain = location.unit.map(self.chain) ?? []
    return (location, label(of: chain, languages: ["en"]))
  }

  func margin(_ latitude: Double, _ longitude: Double) throws -> (metres: Int, code: String)? {
    let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return margin(at: place, of: locate(place)).map {
      (Int($0.metres.rounded()), unit($0.neighbour).code)
    }
  }
}
