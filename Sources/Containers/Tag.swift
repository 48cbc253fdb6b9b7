/// An EXIF tag that we read: where it stands, its number, and what its value should be.
package struct Tag: Hashable, Sendable {
  /// The numbers are those of libexif's `ExifIfd`.
  package enum Directory: UInt8, Hashable, Sendable {
    case image = 0
    case exif = 2
    case gps = 3
  }

  enum Form: Hashable, Sendable {
    case text
    case number
  }

  package let directory: Directory
  package let number: UInt16
  let form: Form

  /// Orders tags as they stand in a block.
  var place: Int { Int(directory.rawValue) << 16 | Int(number) }

  private static func text(_ directory: Directory, _ number: UInt16) -> Tag {
    Tag(directory: directory, number: number, form: .text)
  }

  private static func number(_ directory: Directory, _ number: UInt16) -> Tag {
    Tag(directory: directory, number: number, form: .number)
  }
}

// EXIF 2.32, tables 3 to 15.
extension Tag {
  package static let make = text(.image, 0x010f)
  package static let model = text(.image, 0x0110)
  package static let orientation = number(.image, 0x0112)
  package static let dateTime = text(.image, 0x0132)

  package static let exposureTime = number(.exif, 0x829a)
  package static let fNumber = number(.exif, 0x829d)
  package static let photographicSensitivity = number(.exif, 0x8827)
  package static let standardOutputSensitivity = number(.exif, 0x8831)
  package static let recommendedExposureIndex = number(.exif, 0x8832)
  package static let isoSpeed = number(.exif, 0x8833)
  package static let dateTimeOriginal = text(.exif, 0x9003)
  package static let dateTimeDigitized = text(.exif, 0x9004)
  package static let offsetTime = text(.exif, 0x9010)
  package static let offsetTimeOriginal = text(.exif, 0x9011)
  package static let offsetTimeDigitized = text(.exif, 0x9012)
  package static let focalLength = number(.exif, 0x920a)
  package static let subSecTime = text(.exif, 0x9290)
  package static let subSecTimeOriginal = text(.exif, 0x9291)
  package static let subSecTimeDigitized = text(.exif, 0x9292)
  package static let focalLengthIn35mmFilm = number(.exif, 0xa405)
  package static let bodySerialNumber = text(.exif, 0xa431)
  package static let lensModel = text(.exif, 0xa434)

  package static let gpsLatitudeRef = text(.gps, 0x0001)
  package static let gpsLatitude = number(.gps, 0x0002)
  package static let gpsLongitudeRef = text(.gps, 0x0003)
  package static let gpsLongitude = number(.gps, 0x0004)
  package static let gpsAltitudeRef = number(.gps, 0x0005)
  package static let gpsAltitude = number(.gps, 0x0006)
  package static let gpsTimeStamp = number(.gps, 0x0007)
  package static let gpsDateStamp = text(.gps, 0x001d)

  private static let wanted: [Tag] = [
    make, model, orientation, dateTime,
    exposureTime, fNumber, photographicSensitivity, standardOutputSensitivity,
    recommendedExposureIndex, isoSpeed, dateTimeOriginal, dateTimeDigitized, offsetTime,
    offsetTimeOriginal, offsetTimeDigitized, focalLength, subSecTime, subSecTimeOriginal,
    subSecTimeDigitized, focalLengthIn35mmFilm, bodySerialNumber, lensModel,
    gpsLatitudeRef, gpsLatitude, gpsLongitudeRef, gpsLongitude, gpsAltitudeRef, gpsAltitude,
    gpsTimeStamp, gpsDateStamp,
  ]

  /// Returns nil for a tag that we do not read.
  static func wanted(_ number: UInt16, in directory: Directory) -> Tag? {
    for tag in wanted where tag.number == number && tag.directory == directory { return tag }
    return nil
  }
}
