import Model

extension GeoJSONReader {
  /// Reads a geometry or null.
  mutating func readGeometry(_ scanner: inout JSONScanner) throws(GeoJSONFault) -> Geometry? {
    if scanner.takeNull() { return nil }
    var type: String?
    var geometry: Geometry?
    var postponed: Int?
    try scanner.object("a geometry or null") { scanner, name throws(GeoJSONFault) in
      switch name {
      case "type":
        type = try scanner.string("a type in quotes")
        try scanner.check(type, geometryTypes)
      case "coordinates":
        if let type {
          geometry = try readCoordinates(of: type, &scanner)
        } else {
          // What they mean is known only with the type, which may stand behind them.
          _ = scanner.peek()
          postponed = scanner.offset
          try scanner.skipValue()
        }
      default: try scanner.skipValue()
      }
    }
    try scanner.check(type, geometryTypes)
    if let postponed, geometry == nil, let type {
      let end = scanner.offset
      scanner.offset = postponed
      geometry = try readCoordinates(of: type, &scanner)
      scanner.offset = end
    }
    guard let geometry else {
      throw scanner.fault(.missing(what: "coordinates", expected: "an array"))
    }
    return geometry
  }

  private mutating func readCoordinates(
    of type: String, _ scanner: inout JSONScanner
  ) throws(GeoJSONFault) -> Geometry {
    if type == "Point" { return .point(try scanner.position()) }
    var rings = Rings()
    if type == "Polygon" {
      try readPolygon(into: &rings, &scanner)
    } else {
      location.polygon = 0
      try scanner.array("an array of polygons") { scanner throws(GeoJSONFault) in
        location.polygon? += 1
        try readPolygon(into: &rings, &scanner)
      }
      location.polygon = nil
    }
    guard !rings.ends.isEmpty else {
      throw scanner.fault(.missing(what: "a ring", expected: "at least one polygon with a ring"))
    }
    return .area(rings)
  }

  private mutating func readPolygon(
    into rings: inout Rings, _ scanner: inout JSONScanner
  ) throws(GeoJSONFault) {
    location.ring = 0
    try scanner.array("an array of rings") { scanner throws(GeoJSONFault) in
      location.ring? += 1
      try readRing(into: &rings, &scanner)
    }
    location.ring = nil
  }

  private mutating func readRing(
    into rings: inout Rings, _ scanner: inout JSONScanner
  ) throws(GeoJSONFault) {
    let room = scanner.limits.positions - positionCount
    var count = 0
    // A fault within the array leaves `location` naming the vertex.
    location.vertex = 0
    try scanner.array("an array of positions") { scanner throws(GeoJSONFault) in
      count += 1
      location.vertex = count
      guard count <= room else {
        throw scanner.fault(.tooMany(what: "positions", limit: scanner.limits.positions))
      }
      rings.append(try scanner.position())
    }
    location.vertex = nil
    positionCount += count
    try rings.endRing(scanner)
  }
}

extension Rings {
  /// Ends the ring that is being read, if it is one (RFC 7946, section 3.1.6).
  fileprivate mutating func endRing(_ scanner: JSONScanner) throws(GeoJSONFault) {
    endRing()
    let ring = self[ends.count - 1]
    guard ring.count >= 4 else { throw scanner.fault(.tooFewPositions(found: ring.count)) }
    guard let first = ring.first, let last = ring.last, first == last else {
      throw scanner.fault(.notClosed(first: ring[ring.startIndex], last: ring[ring.endIndex - 1]))
    }
  }
}

extension JSONScanner {
  /// Reads longitude, latitude and what may follow, such as an altitude.
  fileprivate mutating func position() throws(GeoJSONFault) -> Position {
    try expect(UInt8(ascii: "["), "a position [longitude, latitude]")
    let x = try ordinate("longitude", limit: 180)
    try expect(UInt8(ascii: ","), "\",\" and a latitude")
    let y = try ordinate("latitude", limit: 90)
    while take(UInt8(ascii: ",")) { _ = try decimal("a number") }
    try expect(UInt8(ascii: "]"), "\",\" or \"]\"")
    return Position(x: x, y: y)
  }

  private mutating func ordinate(
    _ axis: StaticString, limit: Int32
  ) throws(GeoJSONFault) -> Int32 {
    let decimal = try decimal("a number")
    let most = limit * 10_000_000
    if let value = decimal.fixedPoint, let ordinate = Int32(exactly: value),
      (-most...most).contains(ordinate)
    {
      return ordinate
    }
    let text = printable(bytes[decimal.range].prefix(30))
    offset = decimal.range.lowerBound
    throw fault(.outOfRange(axis: axis.description, found: text, limit: Int(limit)))
  }
}

private let geometryTypes = ["Point", "Polygon", "MultiPolygon"]
