import Containers
import Exif
import Model

extension PhotoMetadata {
  mutating func fill(from exif: borrowing ExifBlock) {
    device = DeviceIdentity(
      make: exif.clean(.make), model: exif.clean(.model), serial: exif.clean(.bodySerialNumber))
    orientation = exif.integer(.orientation).flatMap { (1...8).contains($0) ? $0 : nil }
    time.fill(from: exif)
    position = Coordinate(exif)
    altitude = exif.altitude()
    exposure = Exposure(exif)
  }
}

extension ExifBlock {
  borrowing func clean(_ tag: Tag) -> String? { text(tag, cleanText) }
}

extension RawTime {
  fileprivate mutating func fill(from exif: borrowing ExifBlock) {
    dateTimeOriginal = exif.clean(.dateTimeOriginal)
    subSecTimeOriginal = exif.clean(.subSecTimeOriginal)
    offsetTimeOriginal = exif.clean(.offsetTimeOriginal)
    dateTimeDigitized = exif.clean(.dateTimeDigitized)
    subSecTimeDigitized = exif.clean(.subSecTimeDigitized)
    offsetTimeDigitized = exif.clean(.offsetTimeDigitized)
    dateTime = exif.clean(.dateTime)
    subSecTime = exif.clean(.subSecTime)
    offsetTime = exif.clean(.offsetTime)
    gpsDateStamp = exif.clean(.gpsDateStamp)
    gpsTimeStamp = exif.gpsTime()
  }
}

extension ExifBlock {
  /// Three numbers as "hh:mm:ss", with decimals where the seconds have some.
  fileprivate borrowing func gpsTime() -> String? {
    guard let hours = part(0, of: .gpsTimeStamp), let minutes = part(1, of: .gpsTimeStamp),
      let seconds = part(2, of: .gpsTimeStamp),
      let hour = Int(exactly: hours), let minute = Int(exactly: minutes),
      (0...99).contains(hour), (0...99).contains(minute), (0..<100).contains(seconds)
    else { return nil }
    let colon = UInt8(ascii: ":")
    let start = [
      digit(hour / 10), digit(hour % 10), colon, digit(minute / 10), digit(minute % 10), colon,
    ]
    return String(decoding: start, as: UTF8.self) + twoDigitsAndDecimals(seconds)
  }

  fileprivate borrowing func altitude() -> Double? {
    guard let metres = number(.gpsAltitude), metres.isFinite else { return nil }
    // 1 is below the sea; EXIF 3.0 adds 3 for below the ellipsoid.
    let isBelow = [1, 3].contains(integer(.gpsAltitudeRef))
    return isBelow && metres != 0 ? -abs(metres) : metres
  }
}

private func digit(_ value: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(value) }

private func twoDigits(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }

/// Microseconds are more than any receiver has.
private func twoDigitsAndDecimals(_ value: Double) -> String {
  let micros = Int((value * 1_000_000).rounded())
  let (whole, rest) = (micros / 1_000_000, micros % 1_000_000)
  guard rest > 0 else { return twoDigits(whole) }
  var decimals = String(1_000_000 + rest).dropFirst()
  while decimals.last == "0" { decimals.removeLast() }
  return twoDigits(whole) + "." + decimals
}
