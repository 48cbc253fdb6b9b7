package import Model

/// Where a photo was placed: a unit of the atlas, by the atlas' own number.
package struct PlacedAt: Hashable, Sendable {
  package let unit: Int
  package let source: PlaceSource
  /// Metres to the place, where it is not around the photo but near it.
  package let distance: Double?
  /// Metres to the border behind which it would be `neighbour`, where that is near.
  package let margin: Double?
  package let neighbour: Int?

  package init(
    unit: Int, source: PlaceSource, distance: Double?, margin: Double? = nil, neighbour: Int? = nil
  ) {
    self.unit = unit
    self.source = source
    self.distance = distance
    self.margin = margin
    self.neighbour = neighbour
  }
}

package enum PlaceSource: String, Hashable, Sendable {
  case polygon, nearest, nearby, user
}

/// What the index keeps of a place.
package struct PlaceDescription: Hashable, Sendable {
  package struct Name: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case official, administrative, alias
    }

    package let language: String
    package let kind: Kind
    package let name: String

    package init(language: String, kind: Kind, name: String) {
      self.language = language
      self.kind = kind
      self.name = name
    }
  }

  package let source: String
  package let level: String
  package let code: String
  /// In the first configured language that has one.
  package let name: String
  package let position: Coordinate?
  package let names: [Name]

  package init(
    source: String, level: String, code: String, name: String,
    position: Coordinate?, names: [Name]
  ) {
    self.source = source
    self.level = level
    self.code = code
    self.name = name
    self.position = position
    self.names = names
  }
}

/// Tells the index about the units of an atlas.
package protocol PlaceCatalog: Sendable {
  func place(of unit: Int) -> PlaceDescription
  /// The unit around it.
  func parent(of unit: Int) -> Int?
  /// All units, by what the index knows them by.
  func unitsByKey() -> [PlaceKey: Int]
}

/// What tells a place from all others, and stays when its number in the atlas does not.
package struct PlaceKey: Hashable, Sendable {
  package let source: String
  package let level: String
  package let code: String

  package init(source: String, level: String, code: String) {
    self.source = source
    self.level = level
    self.code = code
  }
}
