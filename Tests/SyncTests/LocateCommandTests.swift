import TestSupport
import Testing

/// `--locate` of the built program, in the made-up world.
struct LocateCommandTests {
  private let home: TemporaryDirectory

  init() throws {
    home = try TemporaryDirectory()
    for (name, features) in worldFeatures { try home.write("places/" + name, collection(features)) }
    try home.write(
      "home.geojson",
      collection([
        feature("\"name\":\"Home\\tsweet\",\"code\":7", box(127.49, 35.99, 127.51, 36.01))
      ]))
    try home.write(
      "config.json",
      """
      {"database": "\(home.path)/state/index.sqlite", "resources": "\(home.path)",
        "places": ["\(home.path)/home.geojson"]}
      """)
  }

  private func locate(
    _ words: String..., input: String = "", accepting statuses: Set<Int32> = [0]
  ) throws -> [String] {
    try home.write("input", input)
    let shell = ["/bin/sh", "-c", #"exec "$@" < "$0" 2>&1"#, home.path + "/input"]
    let command = [try builtProgram(), "--config", home.path + "/config.json", "--locate"]
    return try output(of: shell + command + words, accepting: statuses)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the chain has its codes, then source, border and zone`() throws {
    #expect(
      try locate("36,127.999") == [
        "South Korea, Seoul, Jongno, West-dong", "country\tKR\t대한민국\tSouth Korea",
        "admin1\t11\t서울특별시\tSeoul", "admin2\t11110\t종로구\tJongno",
        "admin4\t1111010100\t서동\tWest-dong\t행정동 서일동", "source\tpolygon",
        "border\t90 m away\tSouth Korea, Seoul, Jongno, 동동", "time zone\tAsia/Seoul", "",
      ])
    #expect(
      try locate("36,127.09").suffix(3) == [
        "source\tnearest\t900 m away", "time zone\tAsia/Seoul", "",
      ])
    #expect(
      try locate("36,125")
        == ["no place: open sea, or land that no source names", "time zone\tEtc/GMT-8", ""])
  }

  @Test func `each line is answered with one of tabs, or one of JSON`() throws {
    let lines = "36,127.999\n36 127.5\n36\t125\n"
    #expect(
      try locate("-", input: lines) == [
        "36.0\t127.999\tSouth Korea, Seoul, Jongno, West-dong\tAsia/Seoul\tpolygon\t"
          + "\tKR/11/11110/1111010100\t90\tSouth Korea, Seoul, Jongno, 동동",
        "36.0\t127.5\tSouth Korea, Seoul, Jongno, West-dong, Home\\x09sweet\tAsia/Seoul\tpolygon\t"
          + "\tKR/11/11110/1111010100/7\t\t", "36.0\t125.0\t\tEtc/GMT-8\t\t\t\t\t", "",
      ])
    let json = try locate("-", "--json", input: lines)
    #expect(
      json.count == 4 && json.dropLast().allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    #expect(
      json[0].contains(#""place_margin_m":90,"place_neighbour":"South Korea, Seoul, Jongno, 동동""#))
    #expect(json[1].contains(#""code":"7","level":"custom","name":"Home\tsweet""#))
  }

  @Test func `an own file that is wrong or not there is a bad configuration`() throws {
    try home.write("home.geojson", "{}")
    #expect(
      try locate("36,127", accepting: [78])[0]
        == "photoindexd: \(home.path)/home.geojson:1:3: type is missing, expected \"FeatureCollection\""
    )
    home.remove("home.geojson")
    #expect(
      try locate("36,127", accepting: [78])[0]
        == "photoindexd: \(home.path)/home.geojson: cannot be read, but `places` in "
        + "\(home.path)/config.json names it")
  }
}
