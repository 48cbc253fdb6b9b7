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
  package func margin(at coordinate: Coordinate) -> Margin? {
    words.withSpan { words in
      let position = Position(coordinate)
      let location = locate(position, words)
      guard let unit = location.unit else { return nil }
      let margins = [
        location.source == .polygon
          ? marginInside(unit, position, words) : marginOutside(unit, location, position, words),
        marginToCountry(location.country, position, words),
      ]
      return margins.compactMap(\.self).min { $0.metres < $1.metres }
    }
  }

  private func marginInside(
    _ unit: Int, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let (layer, first) = layer(of: unit)
    let border = layer.nearestBorder(to: position, within: doubtful, words) { features in
      guard features.first(words, where: { first + $0 == unit }) != nil else { return nil }
      return features.first(words) { isRival(first + $0, of: unit) }
    }
    return border.map { Margin(metres: $0.metres, neighbour: first + $0.feature) }
  }

  /// Half of what a rival is further away: so far the position can move and still be nearest to
  /// its own unit.
  private func marginOutside(
    _ unit: Int, _ location: Location, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let (layer, first) = layer(of: unit)
    let distance = location.distanceMetres ?? 0
    let border = layer.nearestBorder(to: position, within: distance + 2 * doubtful, words) {
      $0.first(words) { isRival(first + $0, of: unit) }
    }
    guard let border else { return nil }
    return Margin(
      metres: max(0, border.metres - distance) / 2, neighbour: first + border.feature)
  }

  /// The layer that decides about a unit and all that lies beside it.
  private func layer(of unit: Int) -> (Layer, first: Int) {
    self.unit(unit).source == .korea ? (koreaLayer, firstKorea) : (admin1Layer, firstAdmin1)
  }

  /// Whether another unit is of the same country and does not belong to this one.
  private func isRival(_ other: Int, of unit: Int) -> Bool {
    let chain = ancestors(of: other)
    return !chain.contains(unit) && chain.last == ancestors(of: unit).last
  }

  /// The unit and all above it, the country last.
  private func ancestors(of unit: Int) -> [Int] {
    Array(sequence(first: unit) { self.parent(of: $0) })
  }

  private func marginToCountry(
    _ country: String?, _ position: Position, _ words: Span<UInt32>
  ) -> Margin? {
    let own = countryCodes.firstIndex { $0 == country }
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
