import Glibc
import Model

/// By how much the corners of a circle may stand over it, in metres.
private let tolerance = 0.1

extension Rings {
  /// The circle on the globe, cut at the antimeridian; nil if it would hold a pole.
  init?(around middle: Position, metres: Double) {
    let angle = metres / earthRadius
    let latitude = middle.latitude * .pi / 180
    guard abs(latitude) + angle < .pi / 2 else { return nil }
    // So many corners that the sides come as near to the middle as the tolerance allows.
    let share = acos(max(0, 1 - tolerance / metres))
    let count = max(16, Int((Double.pi / max(share, 1e-4)).rounded(.up)))
    let corners = (0..<count).map { index in
      let bearing = 2 * Double.pi * Double(index) / Double(count)
      let y = asin(sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing))
      let x = atan2(
        sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(y))
      return (x: Double(middle.x) + x / radiansPerUnit, y: y / radiansPerUnit)
    }
    self.init(
      [0, 2 * Double(east), -2 * Double(east)].map { turn in
        clipped(clipped(corners.map { ($0.x + turn, $0.y) }, 1), -1)
      }.filter { $0.count >= 3 }.map { ring in
        let positions = ring.map { x, y in
          Position(x: Int32(x.rounded()), y: Int32(y.rounded()))
        }
        return positions + positions.prefix(1)
      })
  }
}

/// What lies on this side of the antimeridian: west of +180° for `sign` 1, east of −180° for −1
/// (Sutherland and Hodgman).
private func clipped(_ ring: [(x: Double, y: Double)], _ sign: Double) -> [(x: Double, y: Double)] {
  let limit = Double(east)
  var result: [(x: Double, y: Double)] = []
  for (index, end) in ring.enumerated() {
    let start = ring[index == 0 ? ring.count - 1 : index - 1]
    let (a, b) = (limit - sign * start.x, limit - sign * end.x)
    if (a < 0) != (b < 0) {
      result.append((sign * limit, start.y + (end.y - start.y) * a / (a - b)))
    }
    if b >= 0 { result.append(end) }
  }
  return result
}
