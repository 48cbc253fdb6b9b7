import Model
import Places
import TestSupport
import Testing

struct BundledLayerTests {
  @Test(arguments: [
    ("zones.geojson", 1), ("admin1.geojson", 0), ("korea.geojson", 0),
  ])
  func `areas share their borders, and the index finds the owner of corners and points between`(
    name: String, fewest: Int
  ) throws {
    let features = try rings(name)
    let find = try finder(features)
    let boxes = features.map { Box($0) }
    var generator = SeededGenerator(seed: 2024)
    for _ in 0..<150 {
      let rings = try #require(features.randomElement(using: &generator))
      let corner = Int.random(in: 1..<rings.positions.count, using: &generator)
      let (a, b) = (rings.positions[corner - 1], rings.positions[corner])
      for position in [a, middle(a, b), random(&generator)] where position.x < 1_800_000_000 {
        let owners = features.indices.filter {
          boxes[$0].contains(position) && holds(features[$0], position)
        }
        // No area owns its northern border, so that the pole is nobody's.
        let isPole = position.y == 900_000_000
        #expect((isPole ? 0 : fewest)...1 ~= owners.count, "\(position) of \(owners)")
        #expect(find(position) == owners.first, "\(position)")
      }
    }
  }

  private func rings(_ name: String) throws -> [Rings] {
    let bytes = try readBundled(name)
    return try FeatureCollection(bytes, file: name).features.map { feature in
      guard case .area(let rings) = feature.geometry else { return Rings() }
      return rings
    }
  }

  private func middle(_ a: Position, _ b: Position) -> Position {
    Position(x: Int32((Int(a.x) + Int(b.x)) / 2), y: Int32((Int(a.y) + Int(b.y)) / 2))
  }

  private func random(_ generator: inout SeededGenerator) -> Position {
    Position(
      x: Int32.random(in: -1_800_000_000..<1_800_000_000, using: &generator),
      y: Int32.random(in: -900_000_000..<900_000_000, using: &generator))
  }
}

private struct Box {
  let x: ClosedRange<Int32>
  let y: ClosedRange<Int32>

  init(_ rings: Rings) {
    var (west, east, south, north) = (Int32.max, Int32.min, Int32.max, Int32.min)
    for position in rings.positions {
      (west, east) = (min(west, position.x), max(east, position.x))
      (south, north) = (min(south, position.y), max(north, position.y))
    }
    x = west...max(west, east)
    y = south...max(south, north)
  }

  func contains(_ position: Position) -> Bool { x ~= position.x && y ~= position.y }
}
