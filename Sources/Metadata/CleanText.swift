/// A text of the file's in a form that can be stored and shown; nil when nothing is left.
///
/// Bytes that are not UTF-8 become U+FFFD, control characters become dots, as exiftool prints
/// them; blanks at the end and all beyond 256 characters are cut.
func cleanText(_ bytes: Span<UInt8>) -> String? {
  var (end, isPlain) = (0, true)
  while end < bytes.count {
    let byte = bytes[end]
    if byte < 0x20 || byte > 0x7e {
      if byte == 0 { break }
      isPlain = false
    }
    end += 1
  }
  while end > 0, isBlank(bytes[end - 1]) { end -= 1 }
  guard end > 0 else { return nil }
  let text = text(bytes.extracting(0..<end))
  if isPlain && end <= characterLimit { return text }
  var clean = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(characterLimit) {
    clean.append(scalar.properties.generalCategory == .control ? "." : scalar)
  }
  return String(clean)
}

/// The text that the bytes spell, repaired where they are not UTF-8.
private func text(_ bytes: Span<UInt8>) -> String {
  if let valid = try? UTF8Span(validating: bytes) { return String(copying: valid) }
  return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}

private let characterLimit = 256

/// The blank characters of ASCII: space, and tab to carriage return.
private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

/// A text of people's in a form that can be stored and shown; nil when nothing is left. Lines stay
/// lines, whichever way they end; all beyond `limit` characters is cut.
func cleanWords(_ text: String, atMost limit: Int) -> String? {
  var (clean, count) = (String.UnicodeScalarView(), 0)
  var last: Unicode.Scalar = " "
  for scalar in text.unicodeScalars {
    guard scalar != "\0", count < limit else { break }
    defer { last = scalar }
    let isRestOfLineEnd = scalar == "\n" && last == "\r"
    if isRestOfLineEnd || clean.isEmpty && scalar.properties.isWhitespace { continue }
    count += 1
    if scalar == "\r" {
      clean.append("\n")
    } else if scalar.properties.generalCategory != .control
      || "\n\t".unicodeScalars.contains(scalar)
    {
      clean.append(scalar)
    }
  }
  while clean.last?.properties.isWhitespace == true { clean.removeLast() }
  return clean.isEmpty ? nil : String(clean)
}
