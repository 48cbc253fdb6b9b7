import Linux
package import Model

/// How sure the unit of a position is: where another one begins.
package struct Margin: Hashable, Sendable {
  /// How far the position would have to move.
  package let metres: Double
  /// The unit on the other side.
  package let neighbour: Int
}

private let doubtful = 500.0

extension Atlas {
  /// The nearest border behind which another unit would be named, if it is nearer than 500 m.
  ///
  /// A coast is no such border: beyond it the same unit is still the nearest.
  ///
  /// `location` must be the answer for the very position.
  package func margin(at coordinate: Coordinate, of location: Location) -> Margin? {
    guard let unit = location.unit else { return nil }
    let position = Position(coordinate)
    let own = ownMargin(unit, position)
    guard unit < (self.own?.first ?? .max) else { return own }
    let bundled = words.withSpan { words in
      nearer(
        location.source == .polygon
          ? marginInside(unit, position, words) : marginOutside(unit, location, position, words),
        marginToOtherCountry(than: country(of: unit), position, words))
    }
    return nearer(bundled, own)
  }

  /// To the border of one of the user's own places, from within or without.
  private func ownMargin(_ unit: Int, _ position: Position) -> Margin? {
    guard let own else { return nil }
    let inside = unit >= own.first ? unit : nil
    guard let border = own.border(of: inside, near: position, within: doubtful) else { return nil }
    let beyond = locate(position.beyond(border)).unit
    guard let beyond, beyond != unit else { return nil }
    return Margin(metres: border.metres, neighbour: beyond)
  }

  private func marginInside(
    _ unit: Int, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let (layer, first, country) = layer(of: unit)
    let border = layer.nearestBorder(to: position, within: doubtful, words) { features in
      guard features.first(words, where: { first + $0 == unit }) != nil else { return nil }
      return features.first(words) { isRival(first + $0, of: unit, in: country) }
    }
    return border.map { Margin(metres: $0.metres, neighbour: first + $0.feature) }
  }

  /// Half of what a rival is further away: so far the position can move and still be nearest to
  /// its own unit.
  private func marginOutside(
    _ unit: Int, _ location: Location, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let (layer, first, country) = layer(of: unit)
    let distance = location.distanceMetres ?? 0
    // The unit is the nearest one, so that there is no other within that distance.
    let limit = distance + 2 * doubtful
    let border = layer.nearestBorder(to: position, within: limit, first: limit, words) {
      $0.first(words) { isRival(first + $0, of: unit, in: country) }
    }
    guard let border else { return nil }
    return Margin(
      metres: max(0, border.metres - distance) / 2, neighbour: first + border.feature)
  }

  /// The layer that decides about a unit and all that lies beside it.
  private func layer(of unit: Int) -> (Layer, first: Int, country: Int) {
    let country = country(of: unit)
    return countryCodes[country] == "KR"
      ? (koreaLayer, firstKorea, country) : (admin1Layer, firstAdmin1, country)
  }

  /// Whether another unit is of that country and does not belong to this one.
  private func isRival(_ other: Int, of unit: Int, in country: Int) -> Bool {
    var other = other
    while other != unit {
      guard let parent = words.parent(ofUnit: other) else { return other == country }
      other = parent
    }
    return false
  }

  private func country(of unit: Int) -> Int {
    var unit = unit
    while let parent = words.parent(ofUnit: unit) { unit = parent }
    return unit
  }

  /// The unit and all above it, the country last.
  func ancestors(of unit: Int) -> [Int] {
    Array(sequence(first: unit) { self.parent(of: $0) })
  }

  private func marginToOtherCountry(
    than own: Int, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let border = zoneLayer.nearestBorder(to: position, within: doubtful, words) { features in
      guard features.first(words, where: { zones[$0].country == own }) != nil else { return nil }
      return features.first(words) { zones[$0].country != nil && zones[$0].country != own }
    }
    guard let border, let neighbour = zones[border.feature].country else { return nil }
    let beyond = locate(position.beyond(border), words)
    let isThere = beyond.country == countryCodes[neighbour]
    return Margin(
      metres: border.metres, neighbour: isThere ? beyond.unit ?? neighbour : neighbour)
  }
}

/// The first where both are equally near.
private func nearer(_ margin: Margin?, _ other: Margin?) -> Margin? {
  guard let margin, let other else { return margin ?? other }
  return other.metres < margin.metres ? other : margin
}

extension Position {
  /// A place a few metres behind a border, seen from here.
  fileprivate func beyond(_ border: NearestBorder) -> Position {
    let (dx, dy) = (border.x - Double(x), border.y - Double(y))
    let length = max(1, (dx * dx + dy * dy).squareRoot())
    let step = 1 + 50 / length
    let turn = 2 * Double(east)
    var newX = Double(x) + dx * step
    if newX >= Double(east) { newX -= turn } else if newX < -Double(east) { newX += turn }
    let newY = max(-Double(north), min(Double(y) + dy * step, Double(north - 1)))
    return Position(x: Int32(newX.rounded()), y: Int32(newY.rounded()))
  }
}
