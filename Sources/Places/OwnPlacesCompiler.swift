import Model

/// Turns the user's own files into units and a layer.
enum OwnPlacesCompiler {
  static func compile(
    _ contents: [[UInt8]], files: [String], within atlas: Atlas
  ) throws(GeoJSONError) -> [UInt32] {
    var units: [Gazetteer.Draft] = []
    var areas: [Rings] = []
    for (number, (bytes, file)) in zip(contents, files).enumerated() {
      for place in try OwnPlace.all(in: bytes, file: file) {
        units.append(try unit(place, file: number, atlas))
        areas.append(place.area)
      }
    }
    return AtlasCompiler.compile(units, own: areas)
  }

  private static func unit(
    _ place: OwnPlace, file: Int, _ atlas: Atlas
  ) throws(GeoJSONError) -> Gazetteer.Draft {
    let (point, parent) = try home(of: place, atlas)
    return Gazetteer.Draft(
      source: .own, file: file, level: .custom, parent: parent, point: point,
      texts: place.texts)
  }

  /// A point in it and the unit around it.
  ///
  /// People know where the middle of their circle is. An area, which may be made up of several
  /// units, lies in the finest one that holds nearly all of it; borders drawn by others differ.
  private static func home(
    of place: OwnPlace, _ atlas: Atlas
  ) throws(GeoJSONError) -> (Position, parent: Int?) {
    if let middle = place.middle { return (middle, atlas.locate(Coordinate(middle)).unit) }
    guard let (middle, spread) = place.area.innerPoints() else {
      throw place.properties.wrong("geometry", "an area that holds no point", "one that does")
    }
    let points = spread + [middle]
    var counts: [Int: Int] = [:]
    for point in points {
      guard let unit = atlas.locate(Coordinate(point)).unit else { continue }
      for ancestor in atlas.ancestors(of: unit) { counts[ancestor, default: 0] += 1 }
    }
    let finest = counts.filter { $0.value * 10 >= points.count * 9 }.max {
      atlas.ancestors(of: $0.key).count < atlas.ancestors(of: $1.key).count
    }
    return (middle, finest?.key)
  }
}
