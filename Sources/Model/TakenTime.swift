/// When a photo was taken, as far as it can be known.
///
/// Where `utc` is there, `offsetMinutes` is there, and `utc` = `local` − `offsetMinutes` exactly.
package struct TakenTime: Hashable, Sendable {
  package let local: LocalTime
  /// Minutes east of UTC.
  package let offsetMinutes: Int?
  /// The IANA zone whose clock shows `local` with that offset; nil where none is known to.
  package let zone: String?
  package let source: TakenSource
  package let precision: TakenPrecision

  package init(
    local: LocalTime, offsetMinutes: Int?, zone: String?, source: TakenSource,
    precision: TakenPrecision
  ) {
    self.local = local
    self.offsetMinutes = offsetMinutes
    self.zone = zone
    self.source = source
    self.precision = precision
  }

  /// Seconds since 1970, UTC; nil where no offset is known.
  package var utc: Int64? { offsetMinutes.map { local.secondsAsUTC - Int64($0) * 60 } }
}

/// The finest unit that the source gives.
package enum TakenPrecision: String, Hashable, Sendable {
  case second, minute, hour, day, month, year
}

/// Where a photo's time comes from. The index shows it as one word such as `original+offset`,
/// `digitized`, or `modified+zone-future`: date, way to the offset (none is known without), doubt.
package struct TakenSource: Hashable, Sendable {
  package enum Date: String, Hashable, Sendable, CaseIterable {
    /// DateTimeOriginal.
    case original
    /// DateTimeDigitized.
    case digitized
    /// DateTime, which programs change when they save.
    case modified
    /// The XMP in the file, where EXIF has no date.
    case xmp
    /// The IPTC in the file, where XMP has none either.
    case iptc
    /// A film's own creation date.
    case creation
    /// The header of a film, by UTC.
    case movie
    /// The header of a film by a maker known to write there what the clock shows.
    case movieLocal = "movie-local"
    /// The XMP beside the file; it wins over the file.
    case sidecar
    /// Google Takeout's JSON beside the file, by UTC, where the file has no date.
    case takeout
    /// The file's name, where names count and the file itself has no date.
    case name
    /// What the user says; it wins over the file.
    case user
  }

  package enum Offset: String, Hashable, Sendable, CaseIterable {
    /// Written in the file for this very date.
    case offset
    /// The zone of the place.
    case place
    /// The difference to the UTC that GPS gave.
    case gps
    /// The configured zone.
    case zone
    /// None: the file tells the time by UTC, and no zone is known.
    case utc
    /// The nominal zone of the open sea.
    case sea
  }

  package let date: Date
  package let offset: Offset?
  /// Whether the time lies more than a day behind the file's own modification time.
  package let isFuture: Bool

  package init(date: Date, offset: Offset?, isFuture: Bool) {
    self.date = date
    self.offset = offset
    self.isFuture = isFuture
  }
}

extension TakenSource: CustomStringConvertible {
  package var description: String {
    var text = date.rawValue
    if let offset {
      text += "+"
      text += offset.rawValue
    }
    if isFuture { text += "-future" }
    return text
  }
}
