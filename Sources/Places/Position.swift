package import Model

/// A point in units of 10⁻⁷ degree, about a centimetre.
///
/// Seven decimals are exact in these units, so that two areas which share a border in a file share
/// it here, and a point lies on one side of it without rounding.
package struct Position: Hashable, Sendable {
  package let x: Int32
  package let y: Int32

  package init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }

  /// The place where `coordinate` is looked up.
  ///
  /// Areas are half open: each owns its western and southern border. So the antimeridian is −180°
  /// only, and the north pole, which no area would own, stands one unit further south.
  package init(_ coordinate: Coordinate) {
    let x = Int32((coordinate.longitude * unitsPerDegree).rounded())
    let y = Int32((coordinate.latitude * unitsPerDegree).rounded())
    self.x = x == east ? -east : x
    self.y = min(y, north - 1)
  }

  package var latitude: Double { Double(y) / unitsPerDegree }
  package var longitude: Double { Double(x) / unitsPerDegree }
}

let unitsPerDegree = 1e7
let east: Int32 = 1_800_000_000
let north: Int32 = 900_000_000
