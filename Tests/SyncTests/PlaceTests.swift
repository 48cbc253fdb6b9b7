import IndexStore
import Model
import Places
import SQLite
import Sync
import TestSupport
import Testing

/// What the rows say of places in a made-up world.
struct PlaceTests {
  private let library: PlacedLibrary

  init() throws {
    library = try PlacedLibrary()
  }

  private let places = "SELECT file, place, place_source FROM photos ORDER BY file"

  @Test func `a label near a border names the neighbour, and one far from any does not`()
    async throws
  {
    try library.write("near.jpg", at: (36, 127.999))
    try library.write("far.jpg", at: (36, 127.5))
    try library.write("sea.jpg", at: (36, 127.09))
    try await library.sync()
    #expect(
      try library.query(
        "SELECT replace(path, rtrim(path, replace(path, '/', '')), ''), place, margin_m, neighbour "
          + "FROM doubtful_places")
        == [
          "near.jpg|South Korea, Seoul, Jongno, West-dong|90.0|South Korea, Seoul, Jongno, 동동"
        ])
    #expect(
      try library.query(
        "SELECT place_source, place_distance_m, place_margin_m FROM photo WHERE path = 'sea.jpg'")
        == ["nearest|899.6|"])
  }

  @Test func `at sea the zone there is the last resort, and named as such`() async throws {
    try library.write("sea.jpg", at: (36, 125), offset: nil)
    try library.write("land.jpg", at: (36, 127.5), offset: nil)
    let times = "SELECT file, taken_offset, taken_zone, taken_source FROM photos ORDER BY file"
    try await library.sync()
    #expect(
      try library.query(times)
        == ["land.jpg|540|Asia/Seoul|original+place", "sea.jpg|480|Etc/GMT-8|original+sea"])
    #expect(try library.query(places).last == "sea.jpg||")
    library.settings.timeZone = "Europe/Berlin"
    try library.write("other.jpg", at: (36, 125), offset: nil)
    try await library.sync()
    #expect(try library.query(times)[1] == "other.jpg|120|Europe/Berlin|original+zone")
  }

  @Test func `another language renames the places, feeds those alone, and touches no photo`()
    async throws
  {
    try library.write("a.jpg", at: (36, 127.5))
    try library.write("b.jpg", at: (36, 130))
    try await library.sync()
    let end = try library.feedEnd()
    library.languages = ["ko", "en"]
    try await library.sync()
    #expect(
      try library.query("SELECT place, country, admin1 FROM photos ORDER BY file")
        == ["대한민국, 서울특별시, 종로구, 서동|대한민국|서울특별시", "Japan, Nagasaki|Japan|Nagasaki"])
    let feed = try library.feed(after: end)
    #expect(feed.count == 4 && feed.allSatisfy { $0.hasPrefix("place update") }, "\(feed)")
    try await library.sync()
    #expect(try library.feed(after: end).count == 4)
  }

  @Test func `new data label the rows that they concern, and feed those alone`() async throws {
    try library.write("a.jpg", at: (36, 127.5))
    try library.write("b.jpg", at: (36, 130), offset: nil)
    try library.write("c.jpg")
    try await library.sync()
    let end = try library.feedEnd()
    // Nagasaki has become a part of another country with other clocks.
    try library.world.sources.write(
      "zones.geojson",
      collection([
        feature("\"tzid\":\"Asia/Seoul\",\"country\":\"KR\"", box(127, 34, 129, 38)),
        feature("\"tzid\":\"Europe/Berlin\",\"country\":\"JP\"", box(129, 34, 131, 38)),
      ]))
    let summary = try await library.sync()
    #expect(summary.filesRead == 0)
    #expect(
      try library.feed(after: end)
        == ["photo update \(try library.id("b.jpg")) taken_at,taken_offset,taken_zone"])
    #expect(
      try library.query("SELECT taken_zone, taken_offset FROM photos WHERE file = 'b.jpg'")
        == ["Europe/Berlin|120"])
  }

  @Test func `an own place comes, is renamed, and goes, without a photo being read`() async throws {
    try library.write("a.jpg", at: (36, 127.5))
    try library.write("b.jpg", at: (36.1, 127.5))
    try await library.sync()
    let before = try library.query(places)
    try library.world.sources.write(
      "home.geojson",
      collection([feature("\"name\":\"Home\",\"name:ko\":\"집\"", box(127.49, 35.99, 127.51, 36.01))]
      ))
    library.own = ["home.geojson"]
    let end = try library.feedEnd()
    #expect(try await library.sync().filesRead == 0)
    #expect(
      try library.query("SELECT place, custom, admin4, country FROM photos WHERE file = 'a.jpg'")
        == ["South Korea, Seoul, Jongno, West-dong, Home|Home|West-dong|South Korea"])
    #expect(
      try library.query("SELECT source, level, code FROM places WHERE level = 'custom'")
        == ["home.geojson|custom|Home"])
    #expect(
      try library.query("SELECT count(*) FROM photo_in_place WHERE name IN ('집', 'Seoul')")
        == ["3"])
    // The other photo says what it said before.
    #expect(
      try library.feed(after: end).filter { $0.hasPrefix("photo") }
        == ["photo update \(try library.id("a.jpg")) place_id"])
    library.languages = ["ko"]
    try await library.sync()
    #expect(try library.query("SELECT custom FROM photos WHERE file = 'a.jpg'") == ["집"])
    (library.own, library.languages) = ([], ["en"])
    #expect(try await library.sync().filesRead == 0)
    #expect(try library.query(places) == before)
  }

  @Test func `what the user placed by hand stays through new places, and its row as well`()
    async throws
  {
    try library.write("a.jpg", at: (36, 127.5))
    try library.write("b.jpg", at: (36, 128.5))
    try library.world.sources.write(
      "home.geojson", collection([feature("\"name\":\"Home\"", box(127.49, 35.99, 127.51, 36.01))]))
    library.own = ["home.geojson"]
    try await library.sync()
    try library.shell.execute(
      "INSERT INTO photo_place SELECT photos.id, places.id FROM photos, places "
        + "WHERE file = 'b.jpg' AND level = 'custom'")
    library.own = []
    try await library.sync()
    let label = "South Korea, Seoul, Jongno, West-dong"
    #expect(
      try library.query(places) == ["a.jpg|\(label)|polygon", "b.jpg|\(label), Home|user"])
    #expect(try library.query("SELECT count(*) FROM photo_place") == ["1"])
  }

  @Test(arguments: [0, 1, 3, 9]) func `a relabelling that is killed goes on where it was`(
    steps: Int
  ) async throws {
    for number in 0..<40 {
      try library.write("\(number).jpg", at: (36, 127.2 + Double(number) / 50), offset: nil)
    }
    try await library.sync()
    let end = try library.feedEnd()
    try library.world.sources.write(
      "home.geojson", collection([feature("\"name\":\"Home\"", box(127.4, 35, 127.7, 37))]))
    library.own = ["home.geojson"]
    let atlas = try library.atlas()
    // A process that gets so far, of which nothing but the index remains.
    try await step(try library.open(atlas), atlas.digest, steps)
    let index = try library.open(atlas)
    let rest = try #require(try await index.beginRelabelling(to: atlas.digest))
    #expect(rest.last == Int64(steps * 4))
    // For yet another atlas it begins anew.
    #expect(try await index.beginRelabelling(to: "other")?.last == 0)
    try await library.sync()
    #expect(try await index.beginRelabelling(to: atlas.digest) == nil)
    let homes = try library.query("SELECT id FROM photos WHERE custom = 'Home' ORDER BY id")
    #expect(homes.count == 15)
    let fed = try library.feed(after: end).filter { $0.hasPrefix("photo") }
    #expect(fed.sorted() == homes.map { "photo update \($0) place_id" }.sorted())
  }

  private func step(_ index: PhotoIndex, _ digest: String, _ count: Int) async throws {
    guard var job = try await index.beginRelabelling(to: digest) else { return }
    let atlas = try library.atlas()
    for _ in 0..<count {
      _ = try await index.relabel(&job, count: 4) { input, clocks in
        Deriver(places: atlas, namesTellDates: false, clocks: clocks)
          .derive(input, configuredZone: input.rootZone)
      }
    }
  }
}
