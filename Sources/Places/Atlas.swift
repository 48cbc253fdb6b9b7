import Linux
import Model

/// Which time zone, country and administrative areas hold a position.
///
/// The answers lie in mapped memory; nothing is parsed to have them.
package final class Atlas: Sendable {
  let words: MappedWords
  let zoneLayer: Layer
  let admin1Layer: Layer
  let koreaLayer: Layer
  let zones: [Zone]
  let countryCodes: [String]
  /// Whether a country has areas of the first level.
  let isDivided: [Bool]
  let firstAdmin1: Int
  let firstKorea: Int
  /// The zone of Korea's own units.
  let koreanZone: Zone?
  /// What the user drew; its units are numbered behind all others.
  let own: OwnPlaces?

  struct Zone: Sendable {
    let timeZone: String
    let country: Int?
  }

  /// The words must be an intact atlas.
  init(_ words: MappedWords, own: OwnPlaces? = nil) {
    self.words = words
    self.own = own
    zoneLayer = Layer(start: words.field(.zoneLayer))
    admin1Layer = Layer(start: words.field(.admin1Layer))
    koreaLayer = Layer(start: words.field(.koreaLayer))
    zones = (0..<words.field(.zoneCount)).map { index in
      let offset = words.field(.zones) + index * AtlasFormat.zoneWords
      return Zone(
        timeZone: words.text(at: words[offset]), country: optional(words[offset + 1]))
    }
    firstAdmin1 = words.field(.firstAdmin1)
    firstKorea = words.field(.firstKorea)
    let countryCodes = (0..<words.field(.countryCount)).map { words.code(ofUnit: $0) }
    self.countryCodes = countryCodes
    var isDivided = countryCodes.map { _ in false }
    for unit in words.field(.firstAdmin1)..<words.field(.firstKorea) {
      if let country = words.parent(ofUnit: unit) { isDivided[country] = true }
    }
    self.isDivided = isDivided
    koreanZone = zones.first { $0.country.map { countryCodes[$0] } == "KR" }
  }

  /// Names the state of the sources and the rules: equal digests, equal answers.
  package var digest: String {
    (own?.words ?? words).hash(at: AtlasFormat.digest)?.description ?? ""
  }

  /// Keeps no memory until the next look-up.
  package func rest() {
    words.leaveToCache()
    own?.words.leaveToCache()
  }

  /// Units are numbered from 0 up to this.
  package var unitCount: Int { words.field(.unitCount) + (own?.count ?? 0) }

  /// The words that a unit stands in, and its number there.
  private func record(of id: Int) -> (words: MappedWords, id: Int) {
    if let own, id >= own.first { (own.words, id - own.first) } else { (words, id) }
  }

  package func unit(_ id: Int) -> Unit {
    let (words, number) = record(of: id)
    let record = words.record(ofUnit: number)
    let kind = Int(words[record])
    var code = ""
    var name = ""
    var names: [String: String] = [:]
    var administrativeName: String?
    var aliases: [String] = []
    var iso: String?
    for (key, value) in words.texts(ofUnit: number) {
      switch key {
      case TextKey.code: code = value
      case TextKey.name: name = value
      case TextKey.administrative: administrativeName = value
      case TextKey.alias: aliases.append(value)
      case TextKey.iso: iso = value
      default: names[String(key.dropFirst(TextKey.officialPrefix.count))] = value
      }
    }
    let point = Position(
      x: Int32(bitPattern: words[record + 2]), y: Int32(bitPattern: words[record + 3]))
    return Unit(
      id: id, source: Unit.Source.allCases[kind >> 8 & 0xff],
      file: own.flatMap { $0.file(of: id) }, level: Unit.Level.allCases[kind & 0xff], code: code,
      parent: parent(of: id), name: name, names: names,
      administrativeName: administrativeName, aliases: aliases, iso: iso, point: Coordinate(point))
  }

  package func parent(of id: Int) -> Int? {
    let (words, number) = record(of: id)
    return words.parent(ofUnit: number)
  }

  /// The unit and all that hold it, from the country down.
  package func chain(of id: Int) -> [Unit] {
    var chain: [Unit] = []
    var next: Int? = id
    while let id = next {
      let unit = unit(id)
      chain.append(unit)
      next = unit.parent
    }
    return chain.reversed()
  }
}

extension Coordinate {
  init(_ position: Position) {
    guard let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
    else { preconditionFailure("positions lie on the globe") }
    self = coordinate
  }
}

extension MappedWords {
  func field(_ field: AtlasFormat.Field) -> Int {
    Int(self[AtlasFormat.fields + field.rawValue])
  }

  func record(ofUnit id: Int) -> Int {
    precondition(id >= 0 && id < field(.unitCount), "no such unit")
    return field(.units) + id * AtlasFormat.unitWords
  }

  func parent(ofUnit id: Int) -> Int? { optional(self[record(ofUnit: id) + 1]) }

  func texts(ofUnit id: Int) -> [(key: String, value: String)] {
    let record = record(ofUnit: id)
    return (0..<Int(self[record + 5])).map { index in
      let pair = Int(self[record + 4]) + index * 2
      return (text(at: self[pair]), text(at: self[pair + 1]))
    }
  }

  func code(ofUnit id: Int) -> String {
    // The first pair of each unit.
    text(at: self[Int(self[record(ofUnit: id) + 4]) + 1])
  }
}

/// Numbers that may be absent stand one higher in the atlas, and 0 is none.
private func optional(_ word: UInt32) -> Int? { word == 0 ? nil : Int(word) - 1 }
