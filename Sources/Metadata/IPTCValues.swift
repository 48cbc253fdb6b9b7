import Model

extension PhotoMetadata {
  /// Adds what IPTC says (IIM version 4), and of time what neither EXIF nor XMP does.
  mutating func fill(fromIPTC bytes: [UInt8]) {
    let record = IPTCRecord(bytes)
    var words = self.words ?? Words()
    words.keywords += Metadata.words(record.texts(of: 25)).map { Words.Keyword($0, .iptc) }
    for (kind, number) in [(Words.Text.Kind.title, UInt8(5)), (.caption, 120)] {
      guard let text = record.texts(of: number).first,
        let clean = cleanWords(text, atMost: textLimit)
      else { continue }
      words.texts.append(Words.Text(kind, language: "x-default", clean, .iptc))
    }
    if !words.isEmpty { self.words = words }
    time.iptcDate = record.date
  }
}

/// The data sets of the application record: the number of each, and its bytes.
private struct IPTCRecord {
  private var sets: [(number: UInt8, bytes: ArraySlice<UInt8>)] = []
  private var isUTF8 = false

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while rest.count >= 5, rest.first == 0x1c, sets.count < setLimit {
      let header = Array(rest.prefix(5))
      let length = Int(header[3]) << 8 | Int(header[4])
      rest = rest.dropFirst(5)
      // More than 32,767 bytes have the length of their length here; no text that we read has so many.
      guard length < 0x8000, length <= rest.count else { return }
      let value = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch (header[1], header[2]) {
      // The escape sequence of ISO 2022 for UTF-8.
      case (1, 90): isUTF8 = value.elementsEqual([0x1b, 0x25, 0x47])
      case (2, let number): sets.append((number, value))
      default: break
      }
    }
  }

  /// Windows' Latin 1 is what writers mean whose text is no UTF-8 and who do not say so.
  func texts(of number: UInt8) -> [String] {
    sets.filter { $0.number == number }.map { set in
      if isUTF8 || String(validating: set.bytes, as: UTF8.self) != nil {
        return String(decoding: set.bytes, as: UTF8.self)
      }
      return String(String.UnicodeScalarView(set.bytes.map(latinLetter)))
    }
  }

  /// `20240501` and `134510+0900`, in the form of ISO 8601.
  var date: String? {
    guard let day = texts(of: 55).first, day.utf8.count == 8 else { return nil }
    let text = "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))"
    guard let time = texts(of: 60).first, time.utf8.count >= 6 else {
      return DateText(text) == nil ? nil : text
    }
    let clock = "\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4).prefix(2))"
    let whole = "\(text)T\(clock)\(time.dropFirst(6))"
    return DateText(whole) == nil ? nil : whole
  }
}

private let setLimit = 4096

private func latinLetter(_ byte: UInt8) -> Unicode.Scalar {
  (0x80...0x9f).contains(byte) ? windowsLetters[Int(byte) - 0x80] : Unicode.Scalar(byte)
}

/// Code page 1252 where it is not Latin 1; five of its places are empty.
private let windowsLetters = Array(
  "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)
