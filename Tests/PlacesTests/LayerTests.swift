import Linux
import Places
import TestSupport
import Testing

/// Areas that cover a part of the globe without a gap: a lattice of quadrangles with shaken
/// corners, each given to one of a few features.
private struct Cover {
  var features: [[[Position]]]

  init(seed: UInt64, featureCount: Int, columns: Int, step: Int32, origin: Position) {
    var generator = SeededGenerator(seed: seed)
    features = Array(repeating: [], count: featureCount)
    let corners = (0...columns).map { row in
      (0...columns).map { column in
        let shake = (0..<2).map { _ in Int32.random(in: (-step / 3)...(step / 3), using: &generator)
        }
        return Position(
          x: origin.x + Int32(column) * step + shake[0], y: origin.y + Int32(row) * step + shake[1])
      }
    }
    for row in 0..<columns {
      for column in 0..<columns {
        let ring = [
          corners[row][column], corners[row][column + 1], corners[row + 1][column + 1],
          corners[row + 1][column], corners[row][column],
        ]
        features[Int.random(in: 0..<featureCount, using: &generator)].append(ring)
      }
    }
  }

  var allCorners: [Position] { features.joined().joined().map(\.self) }

  func owners(of position: Position) -> [Int] {
    features.indices.filter { holds(Rings(features[$0]), position) }
  }
}

/// By the definition, in numbers that cannot overflow.
func holds(_ rings: Rings, _ position: Position) -> Bool {
  var isInside = false
  for ring in rings.ends.indices.map({ rings[$0] }) {
    for (a, b) in zip(ring, ring.dropFirst()) where crosses(a, b, position) { isInside.toggle() }
  }
  return isInside
}

private func crosses(_ a: Position, _ b: Position, _ position: Position) -> Bool {
  guard (a.y <= position.y) != (b.y <= position.y) else { return false }
  let (x, y) = (Int128(position.x), Int128(position.y))
  let height = Int128(b.y) - Int128(a.y)
  let left = (x - Int128(a.x)) * height
  let right = (Int128(b.x) - Int128(a.x)) * (y - Int128(a.y))
  return height > 0 ? left >= right : left <= right
}

struct LayerTests {
  @Test(arguments: [
    (1, 3, Int32(40_000_000), -1_700_000_000, -800_000_000),
    (2, 40, 9000, 1_270_000_000, 370_000_000),
    (3, 2, 900, -5, -5), (4, 100, 200_000, 0, 0), (5, 1, 50_000_000, -1_800_000_000, -900_000_000),
    (6, 80, 60, 100, 100),
  ])
  func `areas that share borders neither overlap nor leave a gap, and the index finds their owner`(
    seed: Int, featureCount: Int, step: Int32, x: Int, y: Int
  ) throws {
    let columns = 9
    let cover = Cover(
      seed: UInt64(seed), featureCount: featureCount, columns: columns, step: step,
      origin: Position(x: Int32(x) + step, y: Int32(y) + step))
    let layer = try index(cover.features)
    var generator = SeededGenerator(seed: UInt64(seed) + 100)
    let size = step * Int32(columns)
    let corners = Array(Set(cover.allCorners))
    for position in corners + around(corners)
      + (0..<300).map({ _ in
        Position(
          x: Int32(x) + Int32.random(in: 0...(size + step), using: &generator),
          y: Int32(y) + Int32.random(in: 0...(size + step), using: &generator))
      })
    {
      let owners = cover.owners(of: position)
      #expect(owners.count <= 1)
      #expect(layer(position) == owners.first, "\(position)")
      let isDeepInside =
        (2..<(columns - 1)).contains(Int((position.x - Int32(x)) / step))
        && (2..<(columns - 1)).contains(Int((position.y - Int32(y)) / step))
      if isDeepInside { #expect(owners.count == 1, "\(position)") }
    }
  }

  @Test(arguments: 1...6) func `of overlapping areas the first wins`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var cover = Cover(
      seed: seed, featureCount: 90, columns: 1, step: 10, origin: Position(x: 0, y: 0))
    cover.features = (0..<90).map { _ in
      let corner = { () -> Position in
        Position(
          x: Int32.random(in: -500_000...500_000, using: &generator),
          y: Int32.random(in: -500_000...500_000, using: &generator))
      }
      let ring = [corner(), corner(), corner(), corner(), corner()]
      return [ring + [ring[0]]]
    }
    let layer = try index(cover.features)
    for position in cover.allCorners + around(Array(cover.allCorners.prefix(100))) {
      #expect(layer(position) == cover.owners(of: position).first, "\(position)")
    }
  }

  @Test func `holes belong to whatever fills them`() throws {
    let outer = square(0, 0, 1000)
    let hole = square(400, 400, 200)
    let layer = try index([[outer, hole], [hole]])
    #expect(layer(Position(x: 500, y: 500)) == 1)
    #expect(layer(Position(x: 399, y: 500)) == 0)
    #expect(layer(Position(x: 400, y: 400)) == 1)
    #expect(layer(Position(x: 600, y: 500)) == 0)
    #expect(layer(Position(x: 1000, y: 500)) == nil)
  }

  @Test func `edges across the globe make no layer without bounds`() throws {
    var generator = SeededGenerator(seed: 11)
    var ring = (0..<3000).map { index in
      Position(
        x: Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator),
        y: index.isMultiple(of: 2) ? -900_000_000 : 899_999_999)
    }
    ring.append(ring[0])
    let words = LayerBuilder.layer([Rings([ring])])
    #expect(words.count < 3_000_000)
    let layer = try index([[ring]])
    for _ in 0..<100 {
      let position = Position(
        x: Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator),
        y: Int32.random(in: -900_000_000...899_999_999, using: &generator))
      #expect((layer(position) == 0) == holds(Rings([ring]), position))
    }
  }

  private func square(_ x: Int32, _ y: Int32, _ size: Int32) -> [Position] {
    [(0, 0), (size, 0), (size, size), (0, size), (0, 0)].map {
      Position(x: x + $0.0, y: y + $0.1)
    }
  }

  private func around(_ positions: [Position]) -> [Position] {
    positions.flatMap { position in
      [(-1, 0), (1, 0), (0, -1), (0, 1)].map {
        Position(x: position.x + $0.0, y: position.y + $0.1)
      }
    }
  }

  private func index(_ features: [[[Position]]]) throws -> (Position) -> Int? {
    try finder(features.map { Rings($0) })
  }
}

/// Looks positions up in the layer of these features.
func finder(_ features: [Rings]) throws -> (Position) -> Int? {
  let words = try MappedWords(copying: LayerBuilder.layer(features))
  return { position in words.withSpan { Layer(start: 0).feature(at: position, $0) } }
}
