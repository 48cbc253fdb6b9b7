/// A text of the file's in a form that can be stored and shown; nil when nothing is left.
///
/// Bytes that are not UTF-8 become U+FFFD, control characters become dots, as exiftool prints
/// them; blanks at the end and all beyond 256 characters are cut.
func cleanText(_ bytes: [UInt8]) -> String? {
  var end = bytes.firstIndex(of: 0) ?? bytes.count
  while end > 0, isBlank(bytes[end - 1]) { end -= 1 }
  guard end > 0 else { return nil }
  let text = bytes[..<end]
  if end <= characterLimit, text.allSatisfy({ (0x20...0x7e).contains($0) }) {
    return String(decoding: text, as: UTF8.self)
  }
  var clean = String.UnicodeScalarView()
  for scalar in String(decoding: text, as: UTF8.self).unicodeScalars.prefix(characterLimit) {
    clean.append(scalar.properties.generalCategory == .control ? "." : scalar)
  }
  return String(clean)
}

private let characterLimit = 256

/// The blank characters of ASCII: space, and tab to carriage return.
private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
