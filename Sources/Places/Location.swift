/// What the atlas says of a position.
package struct Location: Hashable, Sendable {
  /// The IANA name.
  package var timeZone: String?
  /// Whether the zone is one of the open sea, which counts only where nothing else is known.
  package var isSeaZone: Bool
  /// ISO 3166-1 alpha-2.
  package var country: String?
  /// The finest unit; `Atlas.chain(of:)` names all above it.
  package var unit: Int?
  /// How the unit was found; nil without one.
  package var source: Source?
  /// How far away the unit is, where it is the nearest and does not hold the position.
  package var distanceMetres: Double?

  package init(
    timeZone: String? = nil, isSeaZone: Bool = false, country: String? = nil, unit: Int? = nil,
    source: Source? = nil, distanceMetres: Double? = nil
  ) {
    self.timeZone = timeZone
    self.isSeaZone = isSeaZone
    self.country = country
    self.unit = unit
    self.source = source
    self.distanceMetres = distanceMetres
  }

  package enum Source: String, Hashable, Sendable {
    case polygon
    case nearest
  }
}
