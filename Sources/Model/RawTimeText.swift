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
    let fields = self.fields
    let start = bytes.count
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(bar) }
      if (3..<9).contains(index), isSame(field, fields[index - 3]) {
        bytes.append(equals)
      } else if let field {
        append(field, to: &bytes)
      }
    }
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
    self.init()
    self.fields = fields + Array(repeating: nil, count: RawTime.fieldCount - fields.count)
  }

  private static var fieldCount: Int { 17 }

  private var fields: [String?] {
    get {
      [
        dateTimeOriginal, subSecTimeOriginal, offsetTimeOriginal,
        dateTimeDigitized, subSecTimeDigitized, offsetTimeDigitized,
        dateTime, subSecTime, offsetTime, gpsDateStamp, gpsTimeStamp, creationDate, movieDate,
        xmpDate, iptcDate, sidecarDate, takeoutDate,
      ]
    }
    set {
      dateTimeOriginal = newValue[0]
      subSecTimeOriginal = newValue[1]
      offsetTimeOriginal = newValue[2]
      dateTimeDigitized = newValue[3]
      subSecTimeDigitized = newValue[4]
      offsetTimeDigitized = newValue[5]
      dateTime = newValue[6]
      subSecTime = newValue[7]
      offsetTime = newValue[8]
      gpsDateStamp = newValue[9]
      gpsTimeStamp = newValue[10]
      creationDate = newValue[11]
      movieDate = newValue[12]
      xmpDate = newValue[13]
      iptcDate = newValue[14]
      sidecarDate = newValue[15]
      takeoutDate = newValue[16]
    }
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
