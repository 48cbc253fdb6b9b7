import Linux
import Model
import Places
import TestSupport
import Testing

struct AtlasCacheTests {
  @Test func `compiled and mapped give the same answers`() throws {
    let world = try World()
    let fresh = try Atlas.open(resources: world.sources.path, cache: nil)
    let compiled = try world.atlas()
    let mapped = try world.atlas()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let place = try #require(
        Coordinate(
          latitude: Double.random(in: 33...39, using: &generator),
          longitude: Double.random(in: 123...132, using: &generator)))
      let answer = fresh.locate(place)
      #expect(compiled.locate(place) == answer)
      #expect(mapped.locate(place) == answer)
    }
    #expect(mapped.digest == fresh.digest)
    #expect(mapped.digest.count == 64)
  }

  @Test func `an intact atlas is not made again`() throws {
    let world = try World()
    _ = try world.atlas()
    let before = try fingerprint(world)
    _ = try world.atlas()
    #expect(try fingerprint(world) == before)
  }

  @Test func `touched sources are the same sources`() throws {
    let world = try World()
    let digest = try world.atlas().digest
    try world.sources.touch("korea.geojson", modified: 1)
    #expect(try world.atlas().digest == digest)
    let renewed = try fingerprint(world)
    _ = try world.atlas()
    #expect(try fingerprint(world) == renewed)
  }

  @Test func `changed sources make another atlas`() throws {
    let world = try World()
    let digest = try world.atlas().digest
    try world.sources.write("admin1.geojson", collection([]))
    let atlas = try world.atlas()
    #expect(atlas.digest != digest)
    #expect(atlas.unitCount == 6)
  }

  @Test(arguments: 0..<40) func `a flipped bit anywhere is noticed`(seed: UInt64) throws {
    let world = try World()
    let digest = try world.atlas().digest
    var bytes = try contents(world)
    let whole = bytes
    var generator = SeededGenerator(seed: seed)
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    try world.cache.write("places.atlas", bytes)
    #expect(try world.atlas().digest == digest)
    #expect(try contents(world) == whole, "byte \(index)")
  }

  @Test(arguments: [0, 3, 200, -1]) func `a cut or foreign file is replaced`(length: Int) throws {
    let world = try World()
    let digest = try world.atlas().digest
    let whole = try contents(world)
    try world.cache.write(
      "places.atlas", Array(length < 0 ? whole.dropLast() : whole.prefix(length)))
    #expect(try world.atlas().digest == digest)
    #expect(try contents(world) == whole)
  }

  @Test func `without a cache that can be written the atlas lives in memory`() throws {
    let world = try World()
    let atlas = try Atlas.open(
      resources: world.sources.path, cache: world.cache.path + "/not/there")
    #expect(atlas.unitCount == 7)
  }

  @Test func `a missing source is named`() throws {
    let world = try World()
    world.sources.remove("korea.geojson")
    #expect {
      try world.atlas()
    } throws: { error in
      "\(error)" == "\(world.sources.path)/korea.geojson: open: No such file or directory"
    }
  }

  @Test(arguments: [
    (
      "units.geojson", "\"parent\":\"11\"", "\"parent\":\"12\"",
      "units.geojson:2:1: feature 1: property \"parent\" \"12\" is not known, expected a code of units.geojson"
    ),
    (
      "units.geojson", "\"parent\":\"KR\"", "\"parent\":\"11\"",
      "units.geojson:3:1: feature 2: property \"parent\" \"11\" is not known, expected a code of units.geojson"
    ),
    (
      "korea.geojson", "admin4", "admin2",
      "korea.geojson:2:1: feature 1: property \"parent\" \"11110\" is not known, expected a unit of a larger level than its own"
    ),
    (
      "zones.geojson", "\"country\":\"KR\"", "\"country\":\"11\"",
      "zones.geojson:2:1: feature 1: property \"country\" \"11\" is not known, expected a unit of the level country"
    ),
    (
      "zones.geojson", "\"tzid\":\"Asia/Tokyo\",", "",
      "zones.geojson:3:1: feature 2: property \"tzid\" is missing, expected text"
    ),
    (
      "admin1.geojson", "\"point\":[130,36]", "\"point\":[130,96]",
      "admin1.geojson:2:1: feature 1: property \"point\" is an array, expected [longitude, latitude]"
    ),
    (
      "korea.geojson", "1111010200", "1111010100",
      "korea.geojson:3:1: feature 2: property \"code\" \"1111010100\" appears twice"
    ),
    (
      "korea.geojson", "admin4", "admin9",
      "korea.geojson:2:1: feature 1: property \"level\" \"admin9\" is not known, "
        + "expected \"country\" or \"admin1\" to \"admin5\""
    ),
  ])
  func `a feature that does not fit is named`(
    file: String, text: String, other: String, message: String
  ) throws {
    let world = try World()
    let original = collection(try #require(worldFeatures[file]))
    let range = try #require(original.firstRange(of: text))
    try world.sources.write(file, original.replacingSubrange(range, with: other))
    let error = #expect(throws: GeoJSONError.self) { try world.atlas() }
    #expect(error?.description == message)
  }

  @Test(arguments: 0..<8) func `sources that are damaged but still read never trap`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let world = try World()
      let (name, features) = try #require(worldFeatures.randomElement(using: &generator))
      var text = Array(collection(features).utf8)
      for _ in 0..<3 {
        // Digits for digits, so that most of them remain GeoJSON.
        let digits = text.indices.filter { (48...57).contains(text[$0]) }
        text[try #require(digits.randomElement(using: &generator))] =
          UInt8.random(in: 48...57, using: &generator)
      }
      try world.sources.write(name, text)
      do {
        let atlas = try Atlas.open(resources: world.sources.path, cache: nil)
        for longitude in stride(from: -180.0, through: 180, by: 7.3) {
          let place = try #require(Coordinate(latitude: 36, longitude: longitude))
          _ = atlas.margin(at: place, of: atlas.locate(place))
        }
      } catch let error as GeoJSONError {
        #expect(!error.description.isEmpty)
      }
    }
  }

  private func contents(_ world: World) throws -> [UInt8] {
    let file = try OpenFile(absolutePath: world.cache.path("places.atlas"))
    var bytes = [UInt8](repeating: 0, count: Int(try file.status().fingerprint.size))
    _ = try file.read(at: 0, into: &bytes)
    return bytes
  }

  private func fingerprint(_ world: World) throws -> Fingerprint {
    try OpenFile(absolutePath: world.cache.path("places.atlas")).status().fingerprint
  }
}

extension String {
  fileprivate func replacingSubrange(_ range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
