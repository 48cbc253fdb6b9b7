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
    var bars = 0
    put(dateTimeOriginal, behind: &bars, to: &bytes)
    put(subSecTimeOriginal, behind: &bars, to: &bytes)
    put(offsetTimeOriginal, behind: &bars, to: &bytes)
    put(dateTimeDigitized, after: dateTimeOriginal, behind: &bars, to: &bytes)
    put(subSecTimeDigitized, after: subSecTimeOriginal, behind: &bars, to: &bytes)
    put(offsetTimeDigitized, after: offsetTimeOriginal, behind: &bars, to: &bytes)
    put(dateTime, after: dateTimeDigitized, behind: &bars, to: &bytes)
    put(subSecTime, after: subSecTimeDigitized, behind: &bars, to: &bytes)
    put(offsetTime, after: offsetTimeDigitized, behind: &bars, to: &bytes)
    put(gpsDateStamp, behind: &bars, to: &bytes)
    put(gpsTimeStamp, behind: &bars, to: &bytes)
    put(creationDate, behind: &bars, to: &bytes)
    put(movieDate, behind: &bars, to: &bytes)
    put(xmpDate, behind: &bars, to: &bytes)
    put(iptcDate, behind: &bars, to: &bytes)
    put(sidecarDate, behind: &bars, to: &bytes)
    put(takeoutDate, behind: &bars, to: &bytes)
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
  for index in bytes.indices where bytes[index] != others[index] { return false }
  return true
}

/// Appends the bars that stand between the field and the last one that is there, and the field.
/// `earlier` is the one three before, which it may repeat.
private func put(
  _ field: String?, after earlier: String? = nil, behind bars: inout Int, to bytes: inout [UInt8]
) {
  if let field {
    for _ in 0..<bars { bytes.append(bar) }
    bars = 0
    if isSame(field, earlier) { bytes.append(equals) } else { append(field, to: &bytes) }
  }
  bars += 1
}

// Bytes and not characters: a combining mark behind a bar would make it another character.
private func append(_ field: String, to bytes: inout [UInt8]) {
  let text = field.utf8Span.span
  if text.isEmpty { bytes += [backslash, UInt8(ascii: "e")] }
  bytes.append(addingCapacity: 2 * text.count) { bytes in
    for index in text.indices {
      switch text[index] {
      case bar: bytes.append(escaped: UInt8(ascii: "p"))
      case backslash: bytes.append(escaped: backslash)
      case equals where index == 0: bytes.append(escaped: UInt8(ascii: "q"))
      case let byte: bytes.append(byte)
      }
    }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(escaped byte: UInt8) {
    append(backslash)
    append(byte)
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
