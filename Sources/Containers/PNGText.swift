import Inflation

/// The text of a `tEXt`, `zTXt` or `iTXt` chunk (PNG, 3rd edition, 11.3.3).
struct PNGText {
  let keyword: String
  let text: [UInt8]
  /// What the text holds in hexadecimal digits.
  private let profile: [UInt8]?

  /// Whether a chunk that begins so holds a profile, as ImageMagick calls it, or XMP.
  static func isMetadata(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: profilePrefix.utf8) || head.starts(with: xmpKeyword.utf8)
  }

  /// Returns nil where the chunk is broken, or its text too long.
  init?(_ bytes: [UInt8], ofChunk name: String) {
    let keyword = bytes.prefix(80).prefix { $0 != 0 }
    var rest = bytes.dropFirst(keyword.count + 1)
    var isCompressed = name == "zTXt"
    if name == "iTXt" {
      isCompressed = rest.first == 1
      // Flag, method, language, translated keyword.
      rest = rest.dropFirst(2)
      for _ in 0..<2 { rest = rest.drop { $0 != 0 }.dropFirst() }
    } else if isCompressed {
      rest = rest.dropFirst()
    }
    guard let text = isCompressed ? inflated(Array(rest), atMost: limit) : Array(rest) else {
      return nil
    }
    self.keyword = String(decoding: keyword, as: UTF8.self)
    self.text = text
    profile = self.keyword.hasPrefix(profilePrefix) ? hexadecimalProfile(text) : nil
  }

  /// The TIFF in an `exif` or `APP1` profile, of which the second can be XMP as well.
  var exif: [UInt8]? {
    guard let profile = profile(of: ["exif", "APP1"]) else { return nil }
    if profile.starts(with: "Exif\0\0".utf8) { return Array(profile.dropFirst(6)) }
    return profile.starts(with: "II".utf8) || profile.starts(with: "MM".utf8) ? profile : nil
  }

  var xmp: [UInt8]? {
    if keyword == xmpKeyword { return text }
    if let profile = profile(of: ["xmp"]) { return profile }
    guard let profile = profile(of: ["APP1"]), profile.starts(with: xmpHeader) else { return nil }
    return Array(profile.dropFirst(xmpHeader.count))
  }

  /// The data sets in an `iptc` profile, mostly as one of Photoshop's resources.
  var iptc: [UInt8]? {
    guard let profile = profile(of: ["iptc"]) else { return nil }
    if profile.first == 0x1c { return profile }
    return photoshopResource(PhotoshopResource.iptc, in: profile[...]).map { Array($0) }
  }

  private func profile(of kinds: [String]) -> [UInt8]? {
    let kind = keyword.dropFirst(profilePrefix.count)
    return kinds.contains(String(kind)) ? profile : nil
  }
}

/// A profile as ImageMagick writes it: a line with its kind, one with its length, and the bytes
/// as hexadecimal digits in lines of 72; nil for anything else.
private func hexadecimalProfile(_ text: [UInt8]) -> [UInt8]? {
  let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
  guard lines.count == 3, lines[1].count <= 20,
    let word = String(validating: lines[1], as: UTF8.self),
    let length = Int(word.filter { $0 != " " }), length > 0, length <= lines[2].count / 2
  else { return nil }
  var (bytes, high): ([UInt8], UInt8?) = ([], nil)
  for byte in lines[2] where bytes.count < length {
    guard let digit = hexadecimalDigit(byte) else { continue }
    if let half = high {
      bytes.append(half << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return bytes.count == length ? bytes : nil
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x37
  case 0x61...0x66: byte - 0x57
  default: nil
  }
}

private let profilePrefix = "Raw profile type "
private let xmpKeyword = "XML:com.adobe.xmp"

private let limit = 4 << 20
