import Model

/// The properties of a feature, read with errors that name it.
struct FeatureProperties {
  let feature: Feature
  let collection: FeatureCollection

  func text(_ name: String) throws(GeoJSONError) -> String {
    guard let text = try optionalText(name) else { throw missing(name, "text") }
    return text
  }

  func optionalText(_ name: String) throws(GeoJSONError) -> String? {
    switch feature.properties[name] {
    case nil, .null: return nil
    case .string(let text) where !text.isEmpty: return text
    case .string: throw wrong(name, "empty", "text")
    case .some(let value): throw wrong(name, value.kind, "text")
    }
  }

  func texts(_ name: String) throws(GeoJSONError) -> [String] {
    guard let value = feature.properties[name] else { return [] }
    guard case .array(let values) = value else {
      throw wrong(name, value.kind, "an array of texts")
    }
    var texts: [String] = []
    for value in values {
      guard case .string(let text) = value else {
        throw wrong(name, "an array with \(value.kind)", "an array of texts")
      }
      texts.append(text)
    }
    return texts
  }

  /// The properties "name:xx", by language.
  func names() throws(GeoJSONError) -> [String: String] {
    var names: [String: String] = [:]
    for key in feature.properties.keys where key.hasPrefix("name:") {
      names[String(key.dropFirst(5))] = try optionalText(key)
    }
    return names
  }

  func point() throws(GeoJSONError) -> Position {
    let expected = "[longitude, latitude]"
    guard let value = feature.properties["point"] else { throw missing("point", expected) }
    guard case .array(let values) = value, values.count == 2,
      case .number(let longitude) = values[0],
      case .number(let latitude) = values[1],
      let point = Coordinate(latitude: latitude, longitude: longitude)
    else { throw wrong("point", value.kind, expected) }
    return Position(point)
  }

  func rings() throws(GeoJSONError) -> Rings {
    guard case .area(let rings) = feature.geometry else {
      throw wrong(
        "geometry", feature.geometry == nil ? "null" : "a point", "a Polygon or MultiPolygon")
    }
    return rings
  }

  func missing(_ name: String, _ expected: String) -> GeoJSONError {
    collection.error(.missing(what: "property \"\(name)\"", expected: expected), in: feature)
  }

  func wrong(_ name: String, _ found: String, _ expected: String) -> GeoJSONError {
    collection.error(
      .wrongType(of: "property \"\(name)\"", found: found, expected: expected), in: feature)
  }

  func unknown(_ name: String, _ value: String, _ expected: String) -> GeoJSONError {
    collection.error(
      .unknownReference(
        property: "property \"\(name)\"", value: printable(value.utf8), expected: expected),
      in: feature)
  }
}

extension FeatureCollection? {
  var allProperties: [FeatureProperties] { self?.allProperties ?? [] }
}

extension FeatureCollection {
  var allProperties: [FeatureProperties] {
    features.map { FeatureProperties(feature: $0, collection: self) }
  }
}
