import Model

extension PhotoMetadata {
  /// Adds what XMP says, and of time and position what EXIF does not.
  mutating func fill(fromXMP bytes: [UInt8]) {
    guard let packet = XMPPacket(bytes) else { return }
    var words = self.words ?? Words()
    words.rating = packet.text(xmp("Rating")).flatMap(rating)
    words.keywords += keywords(packet.items(dc("subject")).map(\.text), .xmp)
    words.texts += texts(.title, packet.items(dc("title")))
    words.texts += texts(.caption, packet.items(dc("description")))
    if !words.isEmpty { self.words = words }
    time.xmpDate = dates.lazy.compactMap { packet.text($0) }.first { DateText($0) != nil }
    guard position == nil, let place = Coordinate(packet) else { return }
    position = place
    positionSource = .xmp
    altitude = packet.altitude
  }
}

/// In the order in which they tell when a photo was taken (MWG guidelines 2.0, 5.1).
private let dates = [
  exif("DateTimeOriginal"), "http://ns.adobe.com/photoshop/1.0/ DateCreated",
  exif("DateTimeDigitized"), xmp("CreateDate"),
]

/// A number from -1, which is rejected, to 5; programs write it with decimals, too.
private func rating(_ text: String) -> Int? {
  guard let number = Double(trimmed(text)), (-1...5).contains(number) else { return nil }
  return Int(number.rounded(.down))
}

/// Each word once.
func keywords(_ words: [String], _ source: Words.Source) -> [Words.Keyword] {
  var seen: Set<[UInt8]> = []
  return words.compactMap { cleanWords($0, atMost: 256) }
    .filter { seen.insert(Array($0.utf8)).inserted }
    .prefix(keywordLimit).map { Words.Keyword($0, source) }
}

/// One text for each language.
private func texts(_ kind: Words.Text.Kind, _ items: [XMPPacket.Item]) -> [Words.Text] {
  var seen: Set<String> = []
  return items.prefix(languageLimit).compactMap { item in
    let language = item.language.map { String($0.prefix(35)) } ?? "x-default"
    guard let text = cleanWords(item.text, atMost: textLimit), seen.insert(language).inserted
    else { return nil }
    return Words.Text(kind, language: language, text, .xmp)
  }
}

extension Coordinate {
  /// Returns nil where XMP gives no position, or (0, 0).
  fileprivate init?(_ packet: XMPPacket) {
    guard
      let latitude = packet.text(exif("GPSLatitude")).flatMap({ degrees($0, "N", "S") }),
      let longitude = packet.text(exif("GPSLongitude")).flatMap({ degrees($0, "E", "W") }),
      latitude != 0 || longitude != 0
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension XMPPacket {
  /// A fraction, and whether it is below the sea.
  fileprivate var altitude: Double? {
    guard let parts = text(exif("GPSAltitude"))?.split(separator: "/"),
      (1...2).contains(parts.count),
      let over = Double(trimmed(String(parts[0]))),
      let under = parts.count == 2 ? Double(trimmed(String(parts[1]))) : 1, under != 0
    else { return nil }
    let metres = over / under
    guard metres.isFinite else { return nil }
    let isBelow = text(exif("GPSAltitudeRef")).map(trimmed) == "1"
    return isBelow && metres != 0 ? -abs(metres) : metres
  }
}

/// `37,35.316N` or `37,35,18.96N`: degrees, minutes and perhaps seconds, and the side.
private func degrees(_ text: String, _ positive: Character, _ negative: Character) -> Double? {
  let text = trimmed(text)
  guard let letter = text.last, letter == positive || letter == negative else { return nil }
  let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { Double(trimmed(String($0))) }
  guard (1...3).contains(parts.count), numbers.count == parts.count,
    numbers.allSatisfy({ $0.isFinite && $0 >= 0 })
  else { return nil }
  let sum = numbers.reversed().reduce(0) { $0 / 60 + $1 }
  return letter == negative && sum != 0 ? -sum : sum
}

private func trimmed(_ text: String) -> String {
  let isBlank: (Character) -> Bool = { $0.isWhitespace }
  return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
}

private func xmp(_ name: String) -> String { "http://ns.adobe.com/xap/1.0/ " + name }
private func exif(_ name: String) -> String { "http://ns.adobe.com/exif/1.0/ " + name }
private func dc(_ name: String) -> String { "http://purl.org/dc/elements/1.1/ " + name }

private let keywordLimit = 1000
private let languageLimit = 100
let textLimit = 4000
