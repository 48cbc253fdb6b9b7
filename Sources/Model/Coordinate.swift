/// A point on the globe, in degrees, WGS 84.
package struct Coordinate: Hashable, Sendable {
  package let latitude: Double
  package let longitude: Double

  /// Returns nil when the values name no point on the globe.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
