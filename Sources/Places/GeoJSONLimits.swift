/// What a GeoJSON file may hold, so that no file costs more memory than it is worth.
package struct GeoJSONLimits: Hashable, Sendable {
  package var bytes = 64 << 20
  package var features = 200_000
  package var positions = 5_000_000
  package var properties = 1000
  package var stringBytes = 16_384
  /// Arrays and objects within each other.
  package var depth = 32

  package init() {}
}
