import Linux
import Model
import Places
import TestSupport
import Testing

private func read(_ text: String, _ limits: GeoJSONLimits = GeoJSONLimits()) throws -> [Feature] {
  try FeatureCollection(Array(text.utf8), file: "home.geojson", limits: limits).features
}

private func polygon(_ coordinates: String) -> String {
  collection([feature("\"name\":\"Home\"", "{\"type\":\"Polygon\",\"coordinates\":\(coordinates)}")]
  )
}

struct GeoJSONTests {
  @Test func `properties and shapes come out`() throws {
    let features = try read(
      """
      { "type": "FeatureCollection", "name": "x", "features": [
        { "type": "Feature", "id": 7, "geometry": { "type": "Point", "coordinates": [ 127.1, -37.5, 12 ] },
          "properties": { "name": "Caf\\u00e9 \\ud83c\\udfe0", "radius_m": 1.5e2, "tags": ["a", null, true, {}] } },
        { "properties": null, "geometry": { "coordinates": [[[[0,0],[1,0],[1e0,10E-1],[0,0]]]], "type": "MultiPolygon" }, "type": "Feature" }
      ] }
      """)
    #expect(features.count == 2)
    #expect(features[0].geometry == .point(Position(x: 1_271_000_000, y: -375_000_000)))
    #expect(features[0].properties["name"] == .string("Café 🏠"))
    #expect(features[0].properties["radius_m"] == .number(150))
    #expect(
      features[0].properties["tags"]
        == .array([.string("a"), .null, .bool(true), .object([:])]))
    let square: [(Int32, Int32)] = [(0, 0), (10_000_000, 0), (10_000_000, 10_000_000), (0, 0)]
    #expect(
      features[1].geometry == .area(Rings([square.map { Position(x: $0.0, y: $0.1) }])))
  }

  @Test func `a byte order mark is passed over`() throws {
    #expect(try read("\u{feff}" + collection([])).isEmpty)
  }

  @Test(arguments: [
    ("0.1234567", 1_234_567), ("-0.00000005", -1), ("0.00000004999", 0), ("1e-7", 1), ("-0", 0),
    ("0.0000000000000000000000000001", 0), ("17.99999999999999999999", 180_000_000),
    ("0e999999999999999999999", 0), ("1e-999999999999999999999", 0), ("0.18e3", 1_800_000_000),
    ("1800000000000000000000e-19", 1_800_000_000),
  ])
  func `numbers are exact to seven decimals`(text: String, units: Int32) throws {
    let features = try read(
      collection([feature("", "{\"type\":\"Point\",\"coordinates\":[\(text),0]}")]))
    #expect(features.first?.geometry == .point(Position(x: units, y: 0)))
  }

  @Test(arguments: [
    ("", "1:1: found the end, expected a GeoJSON object"),
    ("[1]", "1:1: found \"[\", expected a GeoJSON object"),
    ("{}", "1:3: type is missing, expected \"FeatureCollection\""),
    (
      "{\"type\":\"Feature\"}",
      "1:19: type is \"Feature\", expected \"FeatureCollection\""
    ),
    (
      "{\"type\":\"FeatureCollection\"}", "1:29: features is missing, expected an array of features"
    ),
    (collection([]) + "\nx", "4:1: found \"x\", expected the end"),
    (collection(["{}"]), "2:3: feature 1: type is missing, expected \"Feature\""),
    (
      collection([feature(""), "{\"type\":\"Feature\"}"]),
      "3:19: feature 2: geometry is missing, expected a geometry or null"
    ),
    (
      collection([feature("", "{\"type\":\"Circle\"}")]),
      "2:62: feature 1: type is \"Circle\", expected \"Point\" or \"Polygon\" or \"MultiPolygon\""
    ),
    (
      collection([feature("", "{\"type\":\"Polygon\"}")]),
      "2:64: feature 1: coordinates is missing, expected an array"
    ),
    (
      polygon("[]"),
      "2:93: feature 1: a ring is missing, expected at least one polygon with a ring"
    ),
    (
      polygon("[[[0,0],[1,1],[0,0]]]"), "2:111: feature 1: ring 1: 3 positions, expected at least 4"
    ),
    (
      polygon("[[[0,0],[1,0],[1,1],[0,0]],[[0,0],[1,0],[1,1],[0,0.5]]]"),
      "2:145: feature 1: ring 2: not closed: ends at 0.0,0.5, expected its first position 0.0,0.0"
    ),
    (
      polygon("[[[0,0],[181,0],[1,1],[0,0]]]"),
      "2:100: feature 1: ring 1: vertex 2: longitude 181 is out of range, expected -180 to 180"
    ),
    (
      polygon("[[[0,0],[1,-90.0000001]"),
      "2:102: feature 1: ring 1: vertex 2: latitude -90.0000001 is out of range, expected -90 to 90"
    ),
    (
      polygon("[[[0,0],[1,null]]]"),
      "2:102: feature 1: ring 1: vertex 2: found \"n\", expected a number"
    ),
    (
      polygon("[[[0,0],[01,1]]]"),
      "2:100: feature 1: ring 1: vertex 2: found \"0\", expected a number"
    ),
    (
      polygon("[[[0,0],[1]]]"),
      "2:101: feature 1: ring 1: vertex 2: found \"]\", expected \",\" and a latitude"
    ),
    (
      collection([
        feature(
          "",
          "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[1,0],[1,1],[0,0]]],[[[0,0],[1,0],[1,1],[0,0]],[7]]]}"
        )
      ]),
      "2:140: feature 1: polygon 2: ring 2: vertex 1: found \"7\", "
        + "expected a position [longitude, latitude]"
    ),
    (
      collection([feature("\"a\":\"\u{1}\"")]),
      "2:38: feature 1: found \"\\x01\", expected an escaped control character"
    ),
    (
      collection([feature("\"a\":\"\\ud800\"")]),
      "2:44: feature 1: found \"\"\", expected the second half of a surrogate pair"
    ),
    (collection([feature("\"a\":tru")]), "2:37: feature 1: found \"t\", expected a value"),
    ("{\"a\":\"", "1:7: found the end, expected a closing quote"),
    (
      String(repeating: "[", count: 5),
      "1:1: found \"[\", expected a GeoJSON object"
    ),
    (
      "{\"a\":" + String(repeating: "[", count: 40),
      "1:38: more than 32 arrays and objects within each other"
    ),
  ])
  func `an error names the spot, what is there and what was expected`(
    text: String, message: String
  ) {
    let error = #expect(throws: GeoJSONError.self) { try read(text) }
    #expect(error?.description == "home.geojson:" + message)
  }

  @Test func `limits hold`() {
    var limits = GeoJSONLimits()
    limits.positions = 3
    limits.features = 1
    limits.stringBytes = 17
    let ring = polygon("[[[0,0],[1,0],[1,1],[0,0]]]")
    for (text, message) in [
      (ring, "2:111: feature 1: ring 1: vertex 4: more than 3 positions"),
      (collection([feature(""), feature("")]), "2:52: more than 1 features"),
      (
        collection([feature("\"\(String(repeating: "x", count: 18))\":1")]),
        "2:51: feature 1: more than 17 bytes in a string"
      ),
    ] {
      let error = #expect(throws: GeoJSONError.self) { try read(text, limits) }
      #expect(error?.description == "home.geojson:" + message)
    }
  }

  @Test(arguments: 0..<20) func `no mutant of a file traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let originals = worldFeatures.values.map { Array(collection($0).utf8) }
    for _ in 0..<mutantCount / 20 {
      let original = originals.randomElement(using: &generator) ?? []
      do throws(GeoJSONError) {
        _ = try FeatureCollection(mutant(of: original, using: &generator), file: "mutant.geojson")
      } catch {
        #expect(error.description.hasPrefix("mutant.geojson:"))
      }
    }
  }

  @Test(arguments: 0..<20) func `a fault in a feature is told with its number`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let originals = worldFeatures.values.map { Array(collection($0).utf8) }
    // Nothing that would end the feature, or the list of them, before the fault.
    let openers = alphabet.filter { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "}") }
    for _ in 0..<mutantCount / 20 {
      var bytes = try #require(originals.randomElement(using: &generator))
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      // One feature a line, from the second on; between them stand a comma and a line feed.
      let line = bytes[..<at].count { $0 == UInt8(ascii: "\n") }
      let isBetween =
        Array("\n".utf8).contains(bytes[at]) || bytes[at...].starts(with: Array(",\n".utf8))
      guard line > 0, bytes[at...].contains(UInt8(ascii: "\n")), !isBetween else { continue }
      bytes[at] = try #require(openers.randomElement(using: &generator))
      do throws(GeoJSONError) {
        _ = try FeatureCollection(bytes, file: "mutant.geojson")
      } catch {
        #expect(error.location.feature == line, "\(error)")
      }
    }
  }
}

/// `scripts/soak` asks for more.
private let mutantCount = Int(environment("MUTANTS") ?? "") ?? 10_000

/// The bytes with some of them changed, left out or doubled.
func mutant(of original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...4, using: &generator) {
    let at = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[at] = alphabet.randomElement(using: &generator) ?? 0
    case 2: bytes.removeSubrange(at..<min(bytes.count - 1, at + 20))
    default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 30)], at: at)
    }
  }
  return bytes
}

private let alphabet = Array("{}[]\",:\\-+.eE0123456789untrfalsd \u{0}é".utf8)
