import Model

/// A place that a user drew, as its file has it.
struct OwnPlace {
  let properties: FeatureProperties
  let code: String
  let texts: [(key: String, value: String)]
  let area: Rings
  /// The middle of a circle; nil for a drawn area.
  let middle: Position?

  /// All places of one file; throws what is wrong with it.
  static func all(in bytes: [UInt8], file: String) throws(GeoJSONError) -> [OwnPlace] {
    let collection = try FeatureCollection(bytes, file: file)
    var places: [OwnPlace] = []
    var codes: Set<String> = []
    for properties in collection.allProperties {
      let place = try OwnPlace(properties)
      guard codes.insert(place.code).inserted else {
        let key = properties.feature.properties["code"] == nil ? "name" : "code"
        throw collection.error(
          .repeated(property: "property \"\(key)\"", value: printable(place.code.utf8)),
          in: properties.feature)
      }
      places.append(place)
    }
    return places
  }

  private init(_ properties: FeatureProperties) throws(GeoJSONError) {
    self.properties = properties
    let name = try properties.text("name")
    code = try properties.code() ?? name
    texts = try properties.unitTexts(code, .own)
    let radius = try properties.radius()
    switch properties.feature.geometry {
    case nil: throw properties.wrong("geometry", "null", "a Point, Polygon or MultiPolygon")
    case .area(let rings):
      guard radius == nil else {
        throw properties.wrong("radius_m", "there", "none, for only a Point has one")
      }
      (area, middle) = (rings, nil)
    case .point(let point):
      guard let radius else { throw properties.missing("radius_m", "the metres around the Point") }
      guard let circle = Rings(around: point, metres: radius) else {
        throw properties.wrong("radius_m", "a circle over a pole", "a Polygon instead")
      }
      (area, middle) = (circle, point)
    }
  }
}

private let mostMetres = 100_000.0

extension FeatureProperties {
  /// Official files have their codes as numbers, too.
  fileprivate func code() throws(GeoJSONError) -> String? {
    guard case .number(let number) = feature.properties["code"], let code = Int64(exactly: number)
    else { return try optionalText("code") }
    return String(code)
  }

  fileprivate func radius() throws(GeoJSONError) -> Double? {
    let expected = "a number over 0, up to \(Int(mostMetres))"
    switch feature.properties["radius_m"] {
    case nil, .null: return nil
    case .number(let metres) where metres > 0 && metres <= mostMetres: return metres
    case .number(let metres): throw wrong("radius_m", "\(metres)", expected)
    case .some(let value): throw wrong("radius_m", value.kind, expected)
    }
  }
}
