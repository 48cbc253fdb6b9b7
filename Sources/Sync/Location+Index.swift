import IndexStore
import Model
import Places

extension Location {
  /// The zone whose clocks people there keep; the zones of the open sea are nobody's.
  var landZone: String? { isSeaZone ? nil : timeZone }

  /// The zone of last resort.
  var seaZone: String? { isSeaZone ? timeZone : nil }
}

extension Atlas {
  /// What the index keeps of the answer for a position.
  func placed(_ position: Coordinate?, _ location: Location?) -> PlacedAt? {
    guard let position, let location, let unit = location.unit else { return nil }
    let margin = margin(at: position, of: location)
    return PlacedAt(
      unit: unit, source: location.source == .nearest ? .nearest : .polygon,
      distance: location.distanceMetres.map(decimetres),
      margin: margin.map { decimetres($0.metres) },
      neighbour: margin?.neighbour)
  }
}

/// The polygons are coarser by far.
private func decimetres(_ metres: Double) -> Double { (metres * 10).rounded() / 10 }
