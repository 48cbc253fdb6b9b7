import FoundationEssentials
package import Linux
package import Model

/// What a file beside a photo says.
package enum SidecarValues: Hashable, Sendable {
  /// It wins over what the file itself says.
  case xmp(XMPSidecar)
  /// It fills gaps.
  case takeout(TakeoutFile)

  package enum Finding: Hashable, Sendable {
    case values(SidecarValues)
    case unreadable(Fault)
  }

  /// Why a file says nothing, in the words of the index.
  package enum Fault: String, Hashable, Sendable {
    case empty = "the file is empty"
    case tooLarge = "the file is larger than any that says something of a photo"
    case noTakeout = "the file is none that Google Takeout writes"
    case noXMP = "the file is no XMP"
    case unknownKind = "the file is of no kind that is read"
  }

  /// As JSON, for the index.
  package var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data =
      switch self {
      case .xmp(let values): try? encoder.encode(values)
      case .takeout(let values): try? encoder.encode(values)
      }
    return data.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Reads a sidecar of the kind.
package func readSidecar(
  _ file: borrowing OpenFile, _ kind: Sidecar.Kind
) throws(SystemError) -> SidecarValues.Finding {
  guard file.sizeWhenOpened > 0 else { return .unreadable(.empty) }
  guard file.sizeWhenOpened <= sidecarLimit else { return .unreadable(.tooLarge) }
  var bytes = [UInt8](repeating: 0, count: Int(file.sizeWhenOpened))
  let count = try file.read(at: 0, into: &bytes)
  bytes.removeLast(bytes.count - count)
  if kind == .takeout {
    guard let values = TakeoutFile(bytes) else { return .unreadable(.noTakeout) }
    return .values(.takeout(values))
  }
  guard let packet = XMPPacket(bytes) else { return .unreadable(.noXMP) }
  return .values(.xmp(XMPSidecar(XMPValues(packet))))
}

/// What an XMP file says.
package struct XMPSidecar: Hashable, Sendable, Encodable {
  package var original: String?
  package var digitized: String?
  package var latitude: Double?
  package var longitude: Double?
  package var altitude: Double?
  package var rating: Int?
  package var keywords: [String]?
  package var title: [String: String]?
  package var caption: [String: String]?
  package var label: String?

  package init() {}

  init(_ values: XMPValues) {
    func texts(_ kind: Words.Text.Kind) -> [String: String]? {
      let found = values.texts.filter { $0.kind == kind }
      guard !found.isEmpty else { return nil }
      return Dictionary(
        found.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first })
    }
    original = values.original
    digitized = values.digitized
    latitude = values.position?.latitude
    longitude = values.position?.longitude
    altitude = values.position == nil ? nil : values.altitude
    rating = values.rating
    keywords = values.keywords
    title = texts(.title)
    caption = texts(.caption)
    label = texts(.label)?.values.first
  }

  fileprivate var texts: [Words.Text] {
    let labels = label.map { ["x-default": $0] }
    let kinds: [(Words.Text.Kind, [String: String]?)] = [
      (.title, title), (.caption, caption), (.label, labels),
    ]
    return kinds.flatMap { kind, texts in
      (texts ?? [:]).sorted { $0.key < $1.key }.map {
        Words.Text(kind, language: $0.key, $0.value, .sidecar)
      }
    }
  }
}

extension PhotoMetadata {
  /// Adds what a sidecar says.
  package mutating func fill(from values: SidecarValues) {
    switch values {
    case .xmp(let values): fill(from: values)
    case .takeout(let values): fill(from: values)
    }
  }

  private mutating func fill(from values: XMPSidecar) {
    // A date of digitizing says less than the file's own of taking.
    let isTaken = (time.creationDate ?? time.dateTimeOriginal).flatMap { DateText($0) } != nil
    time.sidecarDate = values.original ?? (isTaken ? nil : values.digitized)
    if let latitude = values.latitude, let longitude = values.longitude,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    {
      position = place
      positionSource = .sidecar
      altitude = values.altitude ?? altitude
    }
    var words = self.words ?? Words()
    words.rating = values.rating ?? words.rating
    if let keywords = values.keywords {
      words.keywords = keywords.map { Words.Keyword($0, .sidecar) }
    }
    let texts = values.texts
    let told = Set(texts.map(\.kind))
    words.texts = words.texts.filter { !told.contains($0.kind) } + texts
    self.words = words.isEmpty ? nil : words
  }

  private mutating func fill(from values: TakeoutFile) {
    time.takeoutDate = values.taken
    if position == nil, let latitude = values.latitude, let longitude = values.longitude {
      position = Coordinate(latitude: latitude, longitude: longitude)
      positionSource = .takeout
      altitude = values.altitude
    }
    guard let text = values.caption, words?.texts.contains(where: { $0.kind == .caption }) != true
    else { return }
    var words = self.words ?? Words()
    words.texts.append(Words.Text(.caption, language: "x-default", text, .takeout))
    self.words = words
  }
}

/// Those of programs that keep masks in them have some hundred kilobytes.
private let sidecarLimit: Int64 = 4 << 20
