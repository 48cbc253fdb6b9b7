import FoundationEssentials
import Model

/// What a JSON file of Google Takeout's says: when and where the photo was taken, and what its owner
/// wrote below it. Who is on it stays private, and a favourite there is none here.
package struct TakeoutFile: Hashable, Sendable, Encodable {
  /// `2024-05-01T04:45:10Z`
  package var taken: String?
  package var latitude: Double?
  package var longitude: Double?
  package var altitude: Double?
  package var caption: String?

  package init() {}

  /// Returns nil for other JSON, and for what is none.
  init?(_ bytes: [UInt8]) {
    guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)), file.isOfPhoto else {
      return nil
    }
    // Before 1970, too; a clock that was never set shows 0.
    let seconds = file.photoTakenTime?.seconds.flatMap { $0 == 0 ? nil : $0 }
    taken = seconds.flatMap { LocalTime(secondsAsUTC: $0) }.map { $0.description + "Z" }
    let place = [file.geoData, file.geoDataExif].lazy.compactMap { $0?.place }.first
    latitude = place?.position.latitude
    longitude = place?.position.longitude
    altitude = place?.altitude
    caption = file.description.flatMap { cleanWords($0, atMost: textLimit) }
  }
}

/// The form of the file, as far as it matters.
private struct File: Decodable {
  let photoTakenTime: Moment?
  let geoData: Place?
  let geoDataExif: Place?
  let description: String?

  /// The files of albums and of other programs have other names in them.
  var isOfPhoto: Bool { photoTakenTime != nil || geoData != nil || geoDataExif != nil }

  struct Moment: Decodable {
    let seconds: Int64?

    private enum Key: CodingKey {
      case timestamp
    }

    /// The number stands in quotes.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let text = try? container.decode(String.self, forKey: .timestamp)
      seconds =
        text.flatMap { Int64($0) } ?? (try? container.decode(Int64.self, forKey: .timestamp))
    }
  }

  struct Place: Decodable {
    let latitude: Double?
    let longitude: Double?
    let altitude: Double?

    /// (0, 0) is how these files say that there is none.
    var place: (position: Coordinate, altitude: Double?)? {
      guard let latitude, let longitude, latitude != 0 || longitude != 0,
        let position = Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      return (position, altitude.flatMap { $0 == 0 ? nil : $0 })
    }
  }
}
