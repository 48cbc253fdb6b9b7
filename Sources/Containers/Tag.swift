/// An EXIF tag that we read (EXIF 2.32, tables 3 to 15): the directory, as libexif numbers them,
/// above the sixteen bits of the tag's own number.
package enum Tag: UInt32, Hashable, Sendable, CaseIterable {
  case make = 0x0_010f
  case model = 0x0_0110
  case orientation = 0x0_0112
  case dateTime = 0x0_0132

  case exposureTime = 0x2_829a
  case fNumber = 0x2_829d
  case photographicSensitivity = 0x2_8827
  case standardOutputSensitivity = 0x2_8831
  case recommendedExposureIndex = 0x2_8832
  case isoSpeed = 0x2_8833
  case dateTimeOriginal = 0x2_9003
  case dateTimeDigitized = 0x2_9004
  case offsetTime = 0x2_9010
  case offsetTimeOriginal = 0x2_9011
  case offsetTimeDigitized = 0x2_9012
  case focalLength = 0x2_920a
  case subSecTime = 0x2_9290
  case subSecTimeOriginal = 0x2_9291
  case subSecTimeDigitized = 0x2_9292
  case focalLengthIn35mmFilm = 0x2_a405
  case bodySerialNumber = 0x2_a431
  case lensModel = 0x2_a434

  case gpsLatitudeRef = 0x3_0001
  case gpsLatitude = 0x3_0002
  case gpsLongitudeRef = 0x3_0003
  case gpsLongitude = 0x3_0004
  case gpsAltitudeRef = 0x3_0005
  case gpsAltitude = 0x3_0006
  case gpsTimeStamp = 0x3_0007
  case gpsDateStamp = 0x3_001d

  package enum Directory: UInt32, Sendable {
    case image = 0
    case exif = 2
    case gps = 3
  }

  /// Returns nil for a tag that we do not read. TIFF/EP and some editors put the tags of the Exif
  /// directory into the first one.
  init?(_ number: UInt16, among directory: Directory) {
    if let tag = Tag(rawValue: directory.rawValue << 16 | UInt32(number)) {
      self = tag
    } else if directory == .image {
      self.init(rawValue: Directory.exif.rawValue << 16 | UInt32(number))
    } else {
      return nil
    }
  }

  package var directory: Directory {
    switch rawValue >> 16 {
    case 0: .image
    case 2: .exif
    default: .gps
    }
  }

  package var number: UInt16 { UInt16(rawValue & 0xffff) }

  /// Whether the value tells when the photo was taken, or how far from UTC that clock was.
  var isTime: Bool {
    switch self {
    case .dateTime, .dateTimeOriginal, .dateTimeDigitized, .offsetTime, .offsetTimeOriginal,
      .offsetTimeDigitized, .subSecTime, .subSecTimeOriginal, .subSecTimeDigitized, .gpsTimeStamp,
      .gpsDateStamp:
      true
    default: false
    }
  }

  /// Whether the value is text; all others are numbers.
  var isText: Bool {
    switch self {
    case .make, .model, .dateTime, .dateTimeOriginal, .dateTimeDigitized, .offsetTime,
      .offsetTimeOriginal, .offsetTimeDigitized, .subSecTime, .subSecTimeOriginal,
      .subSecTimeDigitized, .bodySerialNumber, .lensModel, .gpsLatitudeRef, .gpsLongitudeRef,
      .gpsDateStamp:
      true
    default: false
    }
  }
}
