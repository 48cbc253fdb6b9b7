import Containers
import Exif
import Model

extension Coordinate {
  /// Returns nil where the file gives no position, or one that can't be trusted: (0, 0) is what
  /// receivers write that have found none.
  init?(_ exif: borrowing ExifBlock) {
    guard
      let latitude = exif.degrees(.gpsLatitude, .gpsLatitudeRef, positive: "N", negative: "S"),
      let longitude = exif.degrees(.gpsLongitude, .gpsLongitudeRef, positive: "E", negative: "W"),
      latitude != 0 || longitude != 0
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension ExifBlock {
  /// Degrees, minutes and seconds, any of which may have decimals, and the letter of the side.
  ///
  /// Without the letter the side is not known. A negative number may only repeat what it says.
  fileprivate borrowing func degrees(
    _ tag: Tag, _ reference: Tag, positive: Character, negative: Character
  ) -> Double? {
    guard let letter = side(reference), letter == positive || letter == negative,
      let degrees = part(0, of: tag)
    else { return nil }
    let count = count(tag)
    // 0/0 for a part means that it was not known.
    guard let minutes = count > 1 ? part(1, of: tag) : 0,
      let seconds = count > 2 ? part(2, of: tag) : 0
    else { return nil }
    let sum = abs(degrees) + abs(minutes) / 60 + abs(seconds) / 3600
    let isSigned = degrees < 0 || minutes < 0 || seconds < 0
    guard letter == negative || !isSigned else { return nil }
    // Not minus zero, which would be shown so.
    return letter == negative && sum != 0 ? -sum : sum
  }

  /// The first letter of a reference, for files have "s", " S" and "South", too.
  private borrowing func side(_ tag: Tag) -> Character? {
    guard let byte = clean(tag)?.utf8.first(where: { $0 != 0x20 }) else { return nil }
    return Character(Unicode.Scalar(byte & 0xdf))
  }
}
