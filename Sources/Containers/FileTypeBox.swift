/// The MIME type that a `ftyp` box names: a major brand, its version, and the brands of all
/// specifications that the file follows (ISO/IEC 14496-12, 4.3).
///
/// Nearly every brand that is not listed belongs to some MP4.
func mediaType(ofFileTypeBox box: ArraySlice<UInt8>) -> String {
  let brands = box.dropFirst(8)
  let major = String(decoding: brands.prefix(4), as: UTF8.self)
  if let type = types[major] { return type }
  var rest = brands.dropFirst(8)
  while rest.count >= 4 {
    let brand = String(decoding: rest.prefix(4), as: UTF8.self)
    if ["mp41", "mp42", "avc1"].contains(brand) { return "video/mp4" }
    if brand == "qt  " { return "video/quicktime" }
    rest = rest.dropFirst(4)
  }
  return "video/mp4"
}

private let types: [String: String] = {
  var types: [String: String] = [:]
  for (type, brands) in [
    ("image/heic", ["heic"]),
    ("image/heif", ["mif1", "heix"]),
    ("image/heic-sequence", ["hevc"]),
    ("image/heif-sequence", ["msf1"]),
    ("image/avif", ["avif"]),
    ("image/x-canon-cr3", ["crx "]),
    ("image/jp2", ["jp2 "]),
    ("image/jpx", ["jpx "]),
    ("image/jxl", ["jxl "]),
    ("video/quicktime", ["qt  ", "mqt "]),
    ("video/x-m4v", ["M4V ", "M4VH", "M4VP"]),
    ("audio/mp4", ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "]),
    ("video/3gpp2", ["3g2a", "3g2b", "3g2c", "KDDI"]),
    (
      "video/3gpp",
      ["3ge6", "3ge7", "3gg6", "3gp1", "3gp2", "3gp3", "3gp4", "3gp5", "3gp6", "3gp7", "3gs7"]
    ),
  ] {
    for brand in brands { types[brand] = type }
  }
  return types
}()
