package import Model

/// The distance on the great circle.
package func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
  metres(
    a.longitude * unitsPerDegree, a.latitude * unitsPerDegree, b.longitude * unitsPerDegree,
    b.latitude * unitsPerDegree)
}
