/// One of Photoshop's image resources in the segment of a JPEG.
func photoshopResource(
  _ number: Int, inSegment payload: ArraySlice<UInt8>
) -> ArraySlice<UInt8>? {
  guard payload.starts(with: photoshopHeader) else { return nil }
  return photoshopResource(number, in: payload.dropFirst(photoshopHeader.count))
}

/// What such a segment begins with.
let photoshopHeader = Array("Photoshop 3.0\0".utf8)

/// A resource is `8BIM`, a number, a name with its length before it, and the data with theirs;
/// name and data are filled up to an even length (Adobe Photoshop File Formats, image resources).
func photoshopResource(_ wanted: Int, in resources: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  var rest = resources
  while rest.starts(with: "8BIM".utf8), rest.count >= 7 {
    let number = bigEndian(rest.dropFirst(4).prefix(2))
    let nameLength = Int(rest[rest.startIndex + 6]) + 1
    rest = rest.dropFirst(6 + nameLength + nameLength % 2)
    let length = bigEndian(rest.prefix(4))
    rest = rest.dropFirst(4)
    guard length <= rest.count else { return nil }
    if number == wanted { return rest.prefix(length) }
    rest = rest.dropFirst(length + length % 2)
  }
  return nil
}

enum PhotoshopResource {
  static let iptc = 0x0404
  /// The EXIF that an old Photoshop left, of use where it is the only one.
  static let exif = 0x0422
}

private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
