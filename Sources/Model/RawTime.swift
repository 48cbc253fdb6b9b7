/// The strings in which a file says when it was taken, cleaned but not
/// interpreted. They are kept in the index, so that a new rule needs no look at the file.
package struct RawTime: Hashable, Sendable {
  package var dateTimeOriginal: String?
  package var subSecTimeOriginal: String?
  package var offsetTimeOriginal: String?
  package var dateTimeDigitized: String?
  package var subSecTimeDigitized: String?
  package var offsetTimeDigitized: String?
  package var dateTime: String?
  package var subSecTime: String?
  package var offsetTime: String?
  package var gpsDateStamp: String?
  /// "hh:mm:ss" with as many decimals as the file has.
  package var gpsTimeStamp: String?
  /// A film's own creation date, mostly with the offset behind it.
  package var creationDate: String?
  /// What the header of a film has: `2024-05-01T04:45:10Z` by UTC, with another offset where the film
  /// tells that elsewhere, and without any where the maker is known to write what the clock shows.
  package var movieDate: String?
  /// The first valid date of XMP, and that of IPTC; both count where EXIF has none.
  package var xmpDate: String?
  package var iptcDate: String?
  /// That of the XMP beside the file, which wins over the file.
  package var sidecarDate: String?
  /// `2024-05-01T04:45:10Z`, from Google Takeout's file beside it; it counts where there is no other.
  package var takeoutDate: String?

  package init() {}

  package var isEmpty: Bool { self == RawTime() }

  /// What the file itself says.
  package var ownWords: RawTime {
    var own = self
    (own.sidecarDate, own.takeoutDate) = (nil, nil)
    return own
  }
}
