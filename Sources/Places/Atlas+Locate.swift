import Linux
package import Model

/// How far off the coast a unit is still named, in metres.
private enum Reach {
  /// Where no country claims the water.
  static let korea = 2_000.0
  /// In Korea's own waters.
  static let koreaAtSea = 5_000.0
  static let firstLevel = 25_000.0
  /// How far a country's time zone reaches beyond its waters.
  static let zone = 25_000.0
}

extension Atlas {
  /// What lies at a position: the user's own places, then Korea's units, because they are finer than
  /// any other layer, then zone and country, then the first level *of that country*, so that a
  /// coarse border never moves a photo into another country.
  package func locate(_ coordinate: Coordinate) -> Location {
    locate(Position(coordinate))
  }

  func locate(_ position: Position) -> Location {
    var location = words.withSpan { locate(position, $0) }
    guard let unit = own?.unit(at: position) else { return location }
    location.unit = unit
    location.source = .polygon
    location.distanceMetres = nil
    return location
  }

  /// Without the user's own places.
  func locate(_ position: Position, _ words: Span<UInt32>) -> Location {
    if let feature = koreaLayer.feature(at: position, words) {
      return korean(firstKorea + feature, .polygon, nil)
    }
    guard let number = zoneLayer.feature(at: position, words) else {
      return atSea(position, Location(), words)
    }
    let zone = zones[number]
    var location = Location(timeZone: zone.timeZone, isSeaZone: zone.country == nil)
    guard let country = zone.country else { return atSea(position, location, words) }
    location.country = countryCodes[country]
    location.unit = country
    location.source = .polygon
    return location.country == "KR"
      ? inKoreanWaters(position, location, words)
      : firstLevel(position, country, location, words)
  }

  private func korean(
    _ unit: Int, _ source: Location.Source, _ distance: Double?
  ) -> Location {
    Location(
      timeZone: koreanZone?.timeZone, country: "KR", unit: unit, source: source,
      distanceMetres: distance)
  }

  /// Where no country is. Close to a shore its clocks still count, rather than those of the sea.
  private func atSea(
    _ position: Position, _ location: Location, _ words: Span<UInt32>
  ) -> Location {
    if let unit = nearestKorean(position, within: Reach.korea, words) {
      return korean(firstKorea + unit.feature, .nearest, unit.metres)
    }
    let border = zoneLayer.nearestBorder(to: position, within: Reach.zone, words) { features in
      features.first(words) { zones[$0].country != nil }
    }
    return border.map { Location(timeZone: zones[$0.feature].timeZone) } ?? location
  }

  /// Far from the shore the nearest 읍·면·동 says little, but its 시·군·구 does.
  private func inKoreanWaters(
    _ position: Position, _ location: Location, _ words: Span<UInt32>
  ) -> Location {
    guard let found = nearestKorean(position, within: Reach.firstLevel, words) else {
      return location
    }
    let unit = firstKorea + found.feature
    let shown = found.metres <= Reach.koreaAtSea ? unit : parent(of: unit) ?? unit
    return korean(shown, .nearest, found.metres)
  }

  private func firstLevel(
    _ position: Position, _ country: Int, _ location: Location, _ words: Span<UInt32>
  ) -> Location {
    guard isDivided[country] else { return location }
    var location = location
    if let feature = admin1Layer.feature(at: position, words),
      parent(of: firstAdmin1 + feature) == country
    {
      location.unit = firstAdmin1 + feature
    } else if let found = nearestFirstLevel(of: country, to: position, words) {
      location.unit = firstAdmin1 + found.feature
      location.source = .nearest
      location.distanceMetres = found.metres
    }
    return location
  }

  private func nearestKorean(
    _ position: Position, within limit: Double, _ words: Span<UInt32>
  ) -> NearestBorder? {
    koreaLayer.nearestBorder(to: position, within: limit, words) { features in
      features.first(words) { _ in true }
    }
  }

  private func nearestFirstLevel(
    of country: Int, to position: Position, _ words: Span<UInt32>
  ) -> NearestBorder? {
    admin1Layer.nearestBorder(to: position, within: Reach.firstLevel, words) { features in
      features.first(words) { parent(of: firstAdmin1 + $0) == country }
    }
  }
}
