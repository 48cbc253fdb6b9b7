/// The shape of a feature.
package enum Geometry: Hashable, Sendable {
  case point(Position)
  case area(Rings)
}

/// The rings of all polygons of an area, outer ones and holes alike: what an odd number of them
/// holds is inside. Each ring ends with its first position.
package struct Rings: Hashable, Sendable {
  package private(set) var positions: [Position] = []
  /// Where each ring ends in `positions`.
  package private(set) var ends: [Int] = []

  package init() {}

  package init(_ rings: [[Position]]) {
    for ring in rings {
      positions += ring
      endRing()
    }
  }

  /// The positions of a ring.
  package subscript(ring: Int) -> ArraySlice<Position> {
    positions[(ring == 0 ? 0 : ends[ring - 1])..<ends[ring]]
  }

  mutating func append(_ position: Position) { positions.append(position) }

  mutating func endRing() { ends.append(positions.count) }
}
