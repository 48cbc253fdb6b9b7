/// The EXIF that an old Photoshop left among its image resources, where it is the only one.
///
/// A resource is `8BIM`, a number, a name with its length before it, and the data with theirs;
/// name and data are filled up to an even length (Adobe Photoshop File Formats, image resources).
func exifInPhotoshopResources(_ payload: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  guard payload.starts(with: "Photoshop 3.0\0".utf8) else { return nil }
  var rest = payload.dropFirst(14)
  while rest.starts(with: "8BIM".utf8), rest.count >= 7 {
    let number = bigEndian(rest.dropFirst(4).prefix(2))
    let nameLength = Int(rest[rest.startIndex + 6]) + 1
    rest = rest.dropFirst(6 + nameLength + nameLength % 2)
    let length = bigEndian(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard length <= rest.count else { return nil }
    if number == exifResource { return rest.prefix(length) }
    rest = rest.dropFirst(length + length % 2)
  }
  return nil
}

private let exifResource = 0x0422

private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
