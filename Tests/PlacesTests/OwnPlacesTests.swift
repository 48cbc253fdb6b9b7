import Linux
import Model
import Places
import TestSupport
import Testing

/// The user's own files, in the made-up world.
struct OwnPlacesTests {
  private let world: World

  init() throws {
    world = try World()
    try world.sources.write("home.geojson", collection([circle("Home", 127.5, 36, 150)]))
  }

  @Test func `a circle is the finest place within its radius`() throws {
    let atlas = try world.atlas(own: "home.geojson")
    let (location, label) = try atlas.locate(36, 127.5)
    #expect(label == "South Korea, Seoul, Jongno, West-dong, Home")
    #expect(location.source == .polygon && location.timeZone == "Asia/Seoul")
    let unit = atlas.unit(try #require(location.unit))
    #expect(unit.level == .custom && unit.source == .own && unit.file == "home.geojson")
    #expect(unit.point.latitude == 36 && unit.point.longitude == 127.5)
    // A degree of latitude has 111,195 m on a sphere of the mean radius.
    for (metres, name) in [(149.8, "Home"), (150.2, "West-dong")] {
      #expect(try atlas.locate(36 + metres / 111_195, 127.5).label.hasSuffix(name))
      #expect(try atlas.locate(36 - metres / 111_195, 127.5).label.hasSuffix(name))
      let east = metres / 111_195 / 0.809017  // The cosine of 36°.
      #expect(try atlas.locate(36, 127.5 + east).label.hasSuffix(name))
      #expect(try atlas.locate(36, 127.5 - east).label.hasSuffix(name))
    }
  }

  @Test func `where places overlap the first file wins, and in a file the first place`() throws {
    try world.sources.write(
      "first.geojson",
      collection([
        feature("\"name\":\"Desk\"", box(127.4999, 35.9999, 127.5001, 36.0001)),
        feature("\"name\":\"House\"", box(127.499, 35.999, 127.501, 36.001)),
      ]))
    let first = try world.atlas(own: "first.geojson", "home.geojson")
    #expect(try first.locate(36, 127.5).label.hasSuffix("West-dong, Desk"))
    #expect(try first.locate(36.0005, 127.5).label.hasSuffix("West-dong, House"))
    #expect(try first.locate(36.0012, 127.5).label.hasSuffix("West-dong, Home"))
    let second = try world.atlas(own: "home.geojson", "first.geojson")
    #expect(try second.locate(36, 127.5).label.hasSuffix("West-dong, Home"))
    #expect(first.digest != second.digest)
  }

  @Test func `an area lies in the finest unit that holds nearly all of it`() throws {
    try world.sources.write(
      "areas.geojson",
      collection([
        // In the west alone, in both halves, in two countries, on the open sea.
        feature("\"name\":\"A\"", box(127.2, 35.2, 127.8, 35.4)),
        feature("\"name\":\"B\"", box(127.7, 35.5, 128.3, 35.6)),
        feature("\"name\":\"C\"", box(128.5, 36.5, 129.5, 36.6)),
        feature("\"name\":\"D\"", box(124.1, 34.1, 124.2, 34.2)),
        // All but a strip of it in the west.
        feature("\"name\":\"E\"", box(127.5, 36.7, 128.02, 36.8)),
      ]))
    let atlas = try world.atlas(own: "areas.geojson")
    for (latitude, longitude, label) in [
      (35.3, 127.3, "South Korea, Seoul, Jongno, West-dong, A"),
      (35.55, 127.75, "South Korea, Seoul, Jongno, B"), (36.55, 129.4, "C"), (34.15, 124.15, "D"),
      (36.75, 128.01, "South Korea, Seoul, Jongno, West-dong, E"),
    ] {
      #expect(try atlas.locate(latitude, longitude).label == label)
    }
  }

  @Test func `names come in languages, and codes keep places of one name apart`() throws {
    try world.sources.write(
      "dong.geojson",
      collection([
        feature(
          "\"name\":\"중앙동\",\"name:en\":\"Jungang-dong\",\"code\":11", box(127.2, 35.2, 127.3, 35.3)
        ),
        feature("\"name\":\"중앙동\",\"code\":\"12\"", box(127.3, 35.2, 127.4, 35.3)),
      ]))
    let atlas = try world.atlas(own: "dong.geojson")
    let unit = atlas.unit(try #require(try atlas.locate(35.25, 127.25).0.unit))
    #expect(unit.code == "11" && unit.name(in: ["en"]) == "Jungang-dong")
    #expect(
      unit.name(in: ["fr"]) == "Jungang-dong" && unit.name(in: ["ko", "en"]) == "Jungang-dong")
    #expect(atlas.unit(try #require(try atlas.locate(35.25, 127.35).0.unit)).code == "12")
  }

  @Test func `a circle may lie across the antimeridian`() throws {
    try world.sources.write("fiji.geojson", collection([circle("Reef", 179.9999, -16.8, 500)]))
    let atlas = try world.atlas(own: "fiji.geojson")
    for longitude in [179.996, 179.9999, 180, -180, -179.996] {
      #expect(try atlas.locate(-16.8, longitude).label == "Reef", "\(longitude)")
    }
    for longitude in [179.99, -179.99, 0] {
      #expect(try atlas.locate(-16.8, longitude).label == "", "\(longitude)")
    }
  }

  @Test func `near the border of one, the doubt is told from both sides`() throws {
    let atlas = try world.atlas(own: "home.geojson")
    #expect(try #require(try atlas.margin(36, 127.5)) == (150, "1111010100"))
    let outside = 36 + 250 / 111_195.0
    #expect(try #require(try atlas.margin(outside, 127.5)) == (100, "Home"))
    #expect(try atlas.margin(36 + 700 / 111_195.0, 127.5) == nil)
  }

  @Test func `what is compiled is kept, and made anew when a file changes`() throws {
    let fresh = try world.atlas(own: "home.geojson")
    let path = world.cache.path("own-places.atlas")
    let before = try OpenFile(absolutePath: path).status().fingerprint
    let again = try world.atlas(own: "home.geojson")
    #expect(again.digest == fresh.digest)
    #expect(try OpenFile(absolutePath: path).status().fingerprint == before)
    try world.sources.write("home.geojson", collection([circle("Cabin", 127.6, 36, 99)]))
    let changed = try world.atlas(own: "home.geojson")
    #expect(changed.digest != fresh.digest)
    #expect(try changed.locate(36, 127.6).label.hasSuffix("Cabin"))
    #expect(try world.atlas().digest != changed.digest)
    // Units of other numbers may lie around them now.
    try world.sources.write("admin1.geojson", collection([]))
    let other = try world.atlas(own: "home.geojson")
    #expect(other.digest != changed.digest)
    #expect(try other.locate(36, 127.6).label == "South Korea, Seoul, Jongno, West-dong, Cabin")
  }

  @Test(arguments: [
    ("", "null", "property \"name\" is missing, expected text"),
    ("\"name\":7", "null", "property \"name\" is a number, expected text"),
    (
      "\"name\":\"X\"", "null",
      "property \"geometry\" is null, expected a Point, Polygon or MultiPolygon"
    ),
    (
      "\"name\":\"X\"", point(127, 36),
      "property \"radius_m\" is missing, expected the metres around the Point"
    ),
    (
      "\"name\":\"X\",\"radius_m\":0", point(127, 36),
      "property \"radius_m\" is 0.0, expected a number over 0, up to 100000"
    ),
    (
      "\"name\":\"X\",\"radius_m\":1e999", point(127, 36),
      "property \"radius_m\" is inf, expected a number over 0, up to 100000"
    ),
    (
      "\"name\":\"X\",\"radius_m\":\"9\"", point(127, 36),
      "property \"radius_m\" is text, expected a number over 0, up to 100000"
    ),
    (
      "\"name\":\"X\",\"radius_m\":90000", point(0, 89.5),
      "property \"radius_m\" is a circle over a pole, expected a Polygon instead"
    ),
    (
      "\"name\":\"X\",\"radius_m\":9", box(127, 36, 128, 37),
      "property \"radius_m\" is there, expected none, for only a Point has one"
    ),
    (
      "\"name\":\"X\",\"name:ko\":1", box(127, 36, 128, 37),
      "property \"name:ko\" is a number, expected text"
    ),
    (
      "\"name\":\"Ok\"", box(127, 36, 128, 37), "property \"name\" \"Ok\" appears twice"
    ),
    (
      "\"name\":\"X\"", box(127, 36, 127, 37),
      "property \"geometry\" is an area that holds no point, expected one that does"
    ),
  ])
  func `a place that cannot be is named with its file and number`(
    properties: String, geometry: String, message: String
  ) throws {
    let good = feature("\"name\":\"Ok\"", box(120, 30, 121, 31))
    try world.sources.write("x.geojson", collection([good, feature(properties, geometry)]))
    let error = #expect(throws: GeoJSONError.self) { try world.atlas(own: "x.geojson") }
    #expect(error?.description == "\(world.sources.path)/x.geojson:3:1: feature 2: \(message)")
  }

  @Test(arguments: 0..<8) func `no mutant of an own file traps`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let original = Array(
      collection([
        circle("Home", 127.5, 36, 150), feature("\"name\":\"A\",\"code\":7", box(127, 35, 128, 36)),
        circle("Reef", 179.9999, -16.8, 500),
      ]).utf8)
    for _ in 0..<100 {
      try world.sources.write("mutant.geojson", mutant(of: original, using: &generator))
      do {
        let atlas = try world.atlas(own: "mutant.geojson")
        _ = try atlas.margin(36, 127.5)
      } catch let error as GeoJSONError {
        #expect(error.file.hasSuffix("/mutant.geojson"))
      }
    }
  }
}

private func point(_ longitude: Double, _ latitude: Double) -> String {
  "{\"type\":\"Point\",\"coordinates\":[\(longitude),\(latitude)]}"
}

private func circle(
  _ name: String, _ longitude: Double, _ latitude: Double, _ metres: Int
) -> String {
  feature("\"name\":\"\(name)\",\"radius_m\":\(metres)", point(longitude, latitude))
}
