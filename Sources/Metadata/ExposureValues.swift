import Containers
import Exif
import Model

extension Exposure {
  /// Returns nil when nothing is known.
  init?(_ exif: borrowing ExifBlock) {
    self.init()
    lens = exif.clean(.lensModel)
    focalLength = exif.positive(.focalLength)
    focalLengthIn35mmFilm = exif.positive(.focalLengthIn35mmFilm)
    fNumber = exif.positive(.fNumber)
    exposureTime = exif.positive(.exposureTime)
    iso = exif.iso()
    if isEmpty { return nil }
  }
}

extension ExifBlock {
  /// A measure of which 0 means that it is not known.
  fileprivate borrowing func positive(_ tag: Tag) -> Double? {
    guard let value = number(tag), value > 0, value.isFinite else { return nil }
    return value
  }

  /// 65535 says that the value is too large for its field and stands in one of three others
  /// (EXIF 2.32, annex G).
  fileprivate borrowing func iso() -> Int? {
    guard let iso = integer(.photographicSensitivity), iso > 0 else { return nil }
    guard iso == 65_535 else { return iso }
    for tag in [Tag.isoSpeed, .recommendedExposureIndex, .standardOutputSensitivity] {
      if let large = integer(tag), large > 0 { return large }
    }
    return iso
  }
}
