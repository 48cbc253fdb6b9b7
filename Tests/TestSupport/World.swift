package import Places

/// A made-up world, small enough to be checked by hand.
///
/// Longitude 127 to 129 is Korea, 129 to 131 Japan, and from 124 to 127 the sea, all between 34
/// and 38 north. The land of Korea begins at 127.1, its two 동 meet at 128.
package struct World: Sendable {
  package let sources: TemporaryDirectory
  package let cache: TemporaryDirectory

  package init() throws {
    sources = try TemporaryDirectory()
    cache = try TemporaryDirectory()
    for (name, features) in worldFeatures {
      try sources.write(name, collection(features))
    }
  }

  /// With the user's own files, which lie beside the others.
  package func atlas(own: String...) throws -> Atlas {
    try Atlas.open(
      resources: sources.path, own: own.map { sources.path + "/" + $0 }, cache: cache.path)
  }
}

package func collection(_ features: [String]) -> String {
  "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n") + "\n]}"
}

package func feature(_ properties: String, _ geometry: String = "null") -> String {
  "{\"type\":\"Feature\",\"properties\":{\(properties)},\"geometry\":\(geometry)}"
}

package func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
  let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
  let text = ring.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
  return "{\"type\":\"Polygon\",\"coordinates\":[[\(text)]]}"
}

package func unit(_ level: String, _ code: String, _ parent: String?, _ names: String) -> String {
  let parent = parent.map { "\"parent\":\"\($0)\"," } ?? ""
  return "\"level\":\"\(level)\",\"code\":\"\(code)\",\(parent)\(names),\"point\":[128,36]"
}

package let worldFeatures: [String: [String]] = [
  "zones.geojson": [
    feature("\"tzid\":\"Asia/Seoul\",\"country\":\"KR\"", box(127, 34, 129, 38)),
    feature("\"tzid\":\"Asia/Tokyo\",\"country\":\"JP\"", box(129, 34, 131, 38)),
    feature("\"tzid\":\"Etc/GMT-8\"", box(124, 34, 127, 38)),
  ],
  "admin1.geojson": [
    feature(
      "\"country\":\"JP\",\"code\":\"JP-42\",\"name\":\"長崎県\",\"name:en\":\"Nagasaki\",\"point\":[130,36]",
      box(129.1, 34, 131, 38))
  ],
  "korea.geojson": [
    feature(
      unit("admin4", "1111010100", "11110", "\"name\":\"서동\",\"name:en\":\"West-dong\"")
        + ",\"hangjeong\":\"서일동\",\"alias\":[\"서일동\"]", box(127.1, 35, 128, 37)),
    feature(unit("admin4", "1111010200", "11110", "\"name\":\"동동\""), box(128, 35, 129, 37)),
  ],
  "units.geojson": [
    feature(unit("admin2", "11110", "11", "\"name\":\"종로구\",\"name:en\":\"Jongno\"")),
    feature(unit("admin1", "11", "KR", "\"name\":\"서울특별시\",\"name:en\":\"Seoul\"")),
    feature(
      unit(
        "country", "KR", nil, "\"name\":\"대한민국\",\"name:ko\":\"대한민국\",\"name:en\":\"South Korea\"")),
    feature(unit("country", "JP", nil, "\"name\":\"日本\",\"name:en\":\"Japan\"")),
  ],
]
