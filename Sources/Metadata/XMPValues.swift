import Model

/// What an XMP packet says of a photo, of which it need not say all.
struct XMPValues {
  /// When the photo was taken, and when it was digitized, as spelled; each is a valid date.
  let original: String?
  let digitized: String?
  let position: Coordinate?
  let altitude: Double?
  let rating: Int?
  /// nil where the packet does not speak of keywords; then others may.
  let keywords: [String]?
  let texts: [Text]
  /// Whether the file holds a film of the shot behind its picture.
  let hasMotion: Bool

  struct Text: Hashable {
    let kind: Words.Text.Kind
    let language: String
    let text: String
  }

  init(_ packet: XMPPacket) {
    func date(_ names: [String]) -> String? {
      names.lazy.compactMap { packet.text($0) }.first {
        $0.utf8.count <= dateLimit && DateText($0) != nil
      }
    }
    original = date(originalDates)
    digitized = date(digitizedDates)
    position = Coordinate(packet)
    altitude = packet.altitude
    rating = packet.text(xmp("Rating")).flatMap(Metadata.rating)
    keywords = packet.keywords
    texts =
      Metadata.texts(.title, packet.items(dc("title")))
      + Metadata.texts(.caption, packet.items(dc("description")))
      + Metadata.texts(.label, packet.items(xmp("Label")))
    hasMotion = ["MotionPhoto", "MicroVideo"].contains {
      packet.text(camera($0)).map(trimmed) == "1"
    }
  }
}

extension PhotoMetadata {
  /// Adds what XMP says, and of time and position what EXIF does not.
  mutating func fill(fromXMP bytes: [UInt8], extendedBy more: [UInt8]? = nil) {
    guard let packet = XMPPacket(bytes) else { return }
    let values = XMPValues(packet.extended(by: more.flatMap { XMPPacket($0) }))
    var words = self.words ?? Words()
    words.rating = values.rating
    words.keywords += (values.keywords ?? []).map { Words.Keyword($0, .xmp) }
    words.texts += values.texts.map { Words.Text($0.kind, language: $0.language, $0.text, .xmp) }
    if !words.isEmpty { self.words = words }
    // Of a film, programs write there when they made the file.
    time.xmpDate = values.original ?? (time.movieDate == nil ? values.digitized : nil)
    hasMotion = values.hasMotion
    guard position == nil, let place = values.position else { return }
    position = place
    positionSource = .xmp
    altitude = values.altitude
  }
}

/// In the order in which they tell when a photo was taken (MWG guidelines 2.0, 5.1).
private let originalDates = [
  exif("DateTimeOriginal"), "http://ns.adobe.com/photoshop/1.0/ DateCreated",
]
private let digitizedDates = [exif("DateTimeDigitized"), xmp("CreateDate")]

extension XMPPacket {
  /// Those of the flat list, and the last words of hierarchies that are not among them: programs write
  /// both, but not all levels into both. nil where there is no list of either kind.
  fileprivate var keywords: [String]? {
    let lists: [(name: String, separator: Character?)] = [
      (dc("subject"), nil),
      ("http://ns.adobe.com/lightroom/1.0/ hierarchicalSubject", "|"),
      ("http://www.digikam.org/ns/1.0/ TagsList", "/"),
    ]
    let present = lists.filter { has($0.name) }
    guard !present.isEmpty else { return nil }
    let words = present.flatMap { list in
      items(list.name).map(\.text).filter { !$0.hasPrefix("darktable|") }.map { text in
        list.separator.flatMap { text.split(separator: $0).last }.map(String.init) ?? text
      }
    }
    return Metadata.words(words)
  }
}

/// A number from -1, which is rejected, to 5; programs write it with decimals, too.
private func rating(_ text: String) -> Int? {
  guard let number = Double(trimmed(text)), (-1...5).contains(number) else { return nil }
  return Int(number.rounded(.down))
}

/// Each word once.
func words(_ texts: [String]) -> [String] {
  var seen: Set<[UInt8]> = []
  let clean = texts.compactMap { cleanWords($0, atMost: 256) }
  return Array(clean.filter { seen.insert(Array($0.utf8)).inserted }.prefix(keywordLimit))
}

/// One text for each language.
private func texts(_ kind: Words.Text.Kind, _ items: [XMPPacket.Item]) -> [XMPValues.Text] {
  var seen: Set<String> = []
  return items.prefix(languageLimit).compactMap { item in
    let language = item.language.map { String($0.unicodeScalars.prefix(35)) } ?? "x-default"
    guard let text = cleanWords(item.text, atMost: textLimit), seen.insert(language).inserted
    else { return nil }
    return XMPValues.Text(kind: kind, language: language, text: text)
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
private func camera(_ name: String) -> String {
  "http://ns.google.com/photos/1.0/camera/ " + name
}
private func dc(_ name: String) -> String { "http://purl.org/dc/elements/1.1/ " + name }

private let keywordLimit = 1000
private let languageLimit = 100
/// In bytes, with all the decimals that any program writes.
private let dateLimit = 256
let textLimit = 4000
