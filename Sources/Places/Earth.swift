import Glibc
import Model

/// The mean radius of the Earth, in metres (IUGG R1).
let earthRadius = 6_371_008.8
let radiansPerUnit = Double.pi / 180 / unitsPerDegree

/// Metres that one unit of latitude spans.
let metresPerUnit = earthRadius * radiansPerUnit

/// How much shorter a unit of longitude is than one of latitude.
func longitudeScale(atY y: Double) -> Double {
  max(cos(y * radiansPerUnit), 1e-9)
}

/// The distance on the great circle, by the haversine formula, between points in units.
func metres(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Double {
  let sinLatitude = sin((by - ay) / 2 * radiansPerUnit)
  let sinLongitude = sin((bx - ax) / 2 * radiansPerUnit)
  let chord =
    sinLatitude * sinLatitude
    + cos(ay * radiansPerUnit) * cos(by * radiansPerUnit) * sinLongitude * sinLongitude
  return 2 * earthRadius * asin(min(1, chord.squareRoot()))
}
