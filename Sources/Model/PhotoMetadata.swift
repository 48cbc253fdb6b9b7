/// What a file says about itself. All of it is a claim of the file's, checked for form only.
package struct PhotoMetadata: Hashable, Sendable {
  /// The MIME type by content; nil when the content is of no type that we know.
  package var mediaType: String?
  /// Pixels as stored, before rotation.
  package var width: Int?
  package var height: Int?
  /// EXIF Orientation, 1 to 8.
  package var orientation: Int?
  package var durationMilliseconds: Int?
  package var device: DeviceIdentity?
  package var time = RawTime()
  package var position: Coordinate?
  package var positionSource = PositionSource.exif
  /// Metres above sea level.
  package var altitude: Double?
  package var exposure: Exposure?
  /// nil when there are none.
  package var words: Words?
  /// What Apple's devices write into both files of a shot with a film.
  package var contentIdentifier: String?
  /// Whether the file holds a film of the shot behind its picture.
  package var hasMotion = false

  package init(mediaType: String? = nil) {
    self.mediaType = mediaType
  }
}

/// Where a position is from, as the index spells it.
package enum PositionSource: String, Hashable, Sendable {
  case exif
  /// XMP in the file, where its EXIF has none.
  case xmp
  /// A film's own, beside its tracks.
  case movie
  /// XMP beside the file.
  case sidecar
  /// A JSON file of Google Takeout's, where the file itself has none.
  case takeout
}

/// A camera or phone, as EXIF names it. At least one of the three is there.
package struct DeviceIdentity: Hashable, Sendable {
  package let make: String?
  package let model: String?
  package let serial: String?

  /// Returns nil when the file names no device.
  package init?(make: String?, model: String?, serial: String?) {
    guard make != nil || model != nil || serial != nil else { return nil }
    self.make = make
    self.model = model
    self.serial = serial
  }
}

/// How the shot was taken (EXIF 2.32, section 4.6.5, table 8).
package struct Exposure: Hashable, Sendable {
  /// LensModel.
  package var lens: String?
  /// FocalLength, in millimetres.
  package var focalLength: Double?
  /// FocalLengthIn35mmFilm, in millimetres.
  package var focalLengthIn35mmFilm: Double?
  package var fNumber: Double?
  /// ExposureTime, in seconds.
  package var exposureTime: Double?
  /// PhotographicSensitivity.
  package var iso: Int?

  package init() {}

  package var isEmpty: Bool { self == Exposure() }
}
