extension RawTime {
  /// All strings in one column, from which `init(text:)` makes them again.
  ///
  /// The seventeen fields stand in their order with `|` between them; what is missing at the end is
  /// left out. `=` means "as three fields before", for most cameras write one date three times.
  /// Escapes: `\p` is `|`, `\\` is `\`, `\q` is a leading `=`, `\e` is an empty string.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the UTF-8 of `text`.
  package func write(to bytes: inout [UInt8]) {
    let start = bytes.count
    put(dateTimeOriginal, to: &bytes)
    put(subSecTimeOriginal, to: &bytes)
    put(offsetTimeOriginal, to: &bytes)
    put(dateTimeDigitized, after: dateTimeOriginal, to: &bytes)
    put(subSecTimeDigitized, after: subSecTimeOriginal, to: &bytes)
    put(offsetTimeDigitized, after: offsetTimeOriginal, to: &bytes)
    put(dateTime, after: dateTimeDigitized, to: &bytes)
    put(subSecTime, after: subSecTimeDigitized, to: &bytes)
    put(offsetTime, after: offsetTimeDigitized, to: &bytes)
    put(gpsDateStamp, to: &bytes)
    put(gpsTimeStamp, to: &bytes)
    put(creationDate, to: &bytes)
    put(movieDate, to: &bytes)
    put(xmpDate, to: &bytes)
    put(iptcDate, to: &bytes)
    put(sidecarDate, to: &bytes)
    put(takeoutDate, to: &bytes)
    while bytes.count > start, bytes.last == bar { bytes.removeLast() }
  }

  /// Returns nil for a text that `text` does not make. Fields that a later version may have
  /// added behind these are passed over.
  package init?(text: String) {
    var fields: [String?] = []
    for (index, part) in text.utf8.split(separator: bar, omittingEmptySubsequences: false)
      .prefix(RawTime.fieldCount).enumerated()
    {
      if part.elementsEqual("=".utf8) {
        guard (3..<9).contains(index), let earlier = fields[index - 3] else { return nil }
        fields.append(earlier)
      } else if part.isEmpty {
        fields.append(nil)
      } else {
        guard let field = unescaped(part) else { return nil }
        fields.append(field)
      }
    }
    self.init(fields: fields + Array(repeating: nil, count: RawTime.fieldCount - fields.count))
  }

  private static var fieldCount: Int { 17 }

  private init(fields: [String?]) {
    self.init()
    dateTimeOriginal = fields[0]
    subSecTimeOriginal = fields[1]
    offsetTimeOriginal = fields[2]
    dateTimeDigitized = fields[3]
    subSecTimeDigitized = fields[4]
    offsetTimeDigitized = fields[5]
    dateTime = fields[6]
    subSecTime = fields[7]
    offsetTime = fields[8]
    gpsDateStamp = fields[9]
    gpsTimeStamp = fields[10]
    creationDate = fields[11]
    movieDate = fields[12]
    xmpDate = fields[13]
    iptcDate = fields[14]
    sidecarDate = fields[15]
    takeoutDate = fields[16]
  }
}

private let bar = UInt8(ascii: "|")
private let backslash = UInt8(ascii: "\\")
private let equals = UInt8(ascii: "=")

/// `==` would take the NFC and NFD spellings of a text for the same.
private func isSame(_ field: String?, _ other: String?) -> Bool {
  guard let field, let other, field.utf8.count == other.utf8.count else { return false }
  let (bytes, others) = (field.utf8Span.span, other.utf8Span.span)
  return bytes.indices.allSatisfy { bytes[$0] == others[$0] }
}

/// Appends the field and what stands between it and the next. `earlier` is the one three before, which it
/// may repeat.
private func put(_ field: String?, after earlier: String? = nil, to bytes: inout [UInt8]) {
  if isSame(field, earlier) {
    bytes.append(equals)
  } else if let field {
    append(field, to: &bytes)
  }
  bytes.append(bar)
}

// Bytes and not characters: a combining mark behind a bar would make it another character.
private func append(_ field: String, to bytes: inout [UInt8]) {
  if field.isEmpty { bytes += [backslash, UInt8(ascii: "e")] }
  guard hasToBeEscaped(field) else { return bytes.append(contentsOf: field.utf8) }
  let start = bytes.count
  for byte in field.utf8 {
    switch byte {
    case bar: bytes += [backslash, UInt8(ascii: "p")]
    case backslash: bytes += [backslash, backslash]
    case equals where bytes.count == start: bytes += [backslash, UInt8(ascii: "q")]
    default: bytes.append(byte)
    }
  }
}

private func hasToBeEscaped(_ field: String) -> Bool {
  let bytes = field.utf8Span.span
  return bytes.indices.contains {
    bytes[$0] == bar || bytes[$0] == backslash || $0 == 0 && bytes[$0] == equals
  }
}

private func unescaped(_ part: Substring.UTF8View) -> String? {
  var bytes: [UInt8] = []
  var rest = part
  while let byte = rest.popFirst() {
    guard byte == backslash else {
      bytes.append(byte)
      continue
    }
    switch rest.popFirst() {
    case UInt8(ascii: "p"): bytes.append(bar)
    case UInt8(ascii: "q"): bytes.append(equals)
    case UInt8(ascii: "e"): break
    case backslash: bytes.append(backslash)
    default: return nil
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
