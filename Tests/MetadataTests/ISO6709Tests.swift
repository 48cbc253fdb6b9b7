import Model
import TestSupport
import Testing

@testable import Metadata

/// ISO 6709:2008, annex H; the expected degrees are by hand.
struct ISO6709Tests {
  @Test(arguments: [
    ("+48.8584+002.2945+035.000/", 48.8584, 2.2945, 35.0),
    ("+40-075/", 40, -75, nil), ("-90+000/", -90, 0, nil),
    ("+1230.5-09815.0/", 12.508333333333333, -98.25, nil),
    ("+123030.0-0981500.0-12.5/", 12.508333333333333, -98.25, -12.5),
    ("+12.5-098.25", 12.5, -98.25, nil), ("+0.0+127.0", 0, 127, nil),
    ("+12.5-098.25+7CRSWGS_84/", 12.5, -98.25, 7.0),
  ])
  func `each form is read`(
    text: String, latitude: Double, longitude: Double, altitude: Double?
  ) throws {
    let location = try #require(ISO6709(text))
    #expect(abs(location.position.latitude - latitude) < 1e-9)
    #expect(abs(location.position.longitude - longitude) < 1e-9)
    #expect(location.altitude == altitude)
  }

  @Test(arguments: [
    "", "+", "48.8+2.3", "+48.8584", "+91+000/", "+00.0000+000.0000/", "+1260.0+00100.0/", "+1+181",
    "+1.2.3+1", "+123+001", "north", "+nan+nan", "+1e5+1", "\u{ff0b}1+1",
  ])
  func `what names no place is none`(text: String) {
    #expect(ISO6709(text) == nil)
  }
}
