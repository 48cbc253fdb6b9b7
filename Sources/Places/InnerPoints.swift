import Model

/// How many lines of latitude are looked at.
private let lines = 31

extension Rings {
  /// A point within the area, as far from its borders as a search along some lines finds, and others
  /// that are spread over it; nil for an area that holds no point.
  func innerPoints() -> (middle: Position, spread: [Position])? {
    guard let south = positions.map(\.y).min(), let north = positions.map(\.y).max(),
      let west = positions.map(\.x).min(), let east = positions.map(\.x).max()
    else { return nil }
    let step = max(1, (Double(east) - Double(west)) / Double(lines))
    var widest: [Position] = []
    var spread: [Position] = []
    for line in 0..<lines {
      let share = (Double(line) + 0.5) / Double(lines)
      let y = Double(south) + (Double(north) - Double(south)) * share
      let spans = spans(atY: y)
      if let span = spans.max(by: { $0.count < $1.count }) {
        widest.append(Position(x: (span.lowerBound + span.upperBound) / 2, y: y))
      }
      for span in spans {
        let start = (span.lowerBound / step).rounded(.down) * step + step / 2
        for x in stride(from: start, to: span.upperBound, by: step) where span.contains(x) {
          spread.append(Position(x: x, y: y))
        }
      }
    }
    let scale = longitudeScale(atY: (Double(south) + Double(north)) / 2)
    let ranked = widest.map { (position: $0, distance: distanceSquared(to: $0, scale)) }
    guard let best = ranked.max(by: { $0.distance < $1.distance }) else { return nil }
    return (best.position, spread)
  }

  /// Where a line of latitude is within the area, from west to east.
  private func spans(atY y: Double) -> [ClosedRange<Double>] {
    var crossings: [Double] = []
    forEachEdge { a, b in
      let (ay, by) = (Double(a.y), Double(b.y))
      guard (ay <= y) != (by <= y) else { return }
      crossings.append(Double(a.x) + (Double(b.x) - Double(a.x)) * (y - ay) / (by - ay))
    }
    crossings.sort()
    return stride(from: 0, to: crossings.count - 1, by: 2).compactMap { index in
      // One that is narrower than the grid holds no position for sure.
      let (start, end) = (crossings[index], crossings[index + 1])
      return end - start >= 2 ? start...end : nil
    }
  }

  /// The square of the distance to the nearest border, in units of latitude.
  private func distanceSquared(to position: Position, _ scale: Double) -> Double {
    var least = Double.infinity
    forEachEdge { a, b in
      let (ax, ay) = ((Double(a.x) - Double(position.x)) * scale, Double(a.y) - Double(position.y))
      let (dx, dy) = ((Double(b.x) - Double(a.x)) * scale, Double(b.y) - Double(a.y))
      let length = dx * dx + dy * dy
      let share = length > 0 ? max(0, min(1, -(ax * dx + ay * dy) / length)) : 0
      let (px, py) = (ax + share * dx, ay + share * dy)
      least = min(least, px * px + py * py)
    }
    return least
  }

  private func forEachEdge(_ body: (Position, Position) -> Void) {
    for ring in ends.indices {
      let ring = self[ring]
      for index in ring.indices.dropFirst() { body(ring[index - 1], ring[index]) }
    }
  }
}

extension ClosedRange<Double> {
  fileprivate var count: Double { upperBound - lowerBound }
}

extension Position {
  fileprivate init(x: Double, y: Double) {
    self.init(x: Int32(x.rounded()), y: Int32(y.rounded()))
  }
}
