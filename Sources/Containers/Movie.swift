/// What a film says of itself beyond its size, as it says it.
package struct Movie: Hashable, Sendable {
  /// Texts by what they tell, in UTF-8 as a rule; of several places the best one.
  package enum Text: Hashable, Sendable, CaseIterable {
    /// With the offset from UTC, mostly.
    case creationDate
    /// Of the content, which may be older than the film, or may have been published then.
    case contentDate
    case make, model, serial
    /// ISO 6709: `+48.8584+002.2945+035.000/`.
    case location
    /// Only the offset, as Samsung writes it.
    case utcOffset
    /// What Apple's devices write into both files of a shot with a film.
    case contentIdentifier
  }

  package var texts: [Text: [UInt8]] = [:]
  /// Degrees and metres, where a box has them as numbers.
  package var place: Place?
  /// Seconds since 1904, by UTC if the maker keeps to the standard; 0 for none.
  package var created: UInt64 = 0
  /// Whether the maker is known to write what the camera's clock shows instead.
  package var isCreatedLocal = false

  /// Whether there are tracks with sound and none with pictures.
  package var isSoundAlone = false

  package struct Place: Hashable, Sendable {
    package let latitude: Double
    package let longitude: Double
    package let altitude: Double
  }

  /// Adds a text unless there is one from a better place, or it is empty.
  mutating func add(_ text: Text, _ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix { $0 != 0 }.prefix(textLimit))
    if texts[text] == nil, !bytes.isEmpty { texts[text] = bytes }
  }
}

/// More bytes than the 256 characters that are kept can have.
private let textLimit = 1024
