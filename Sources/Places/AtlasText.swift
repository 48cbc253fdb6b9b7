import Linux

/// Writes each text once: its length in bytes, then its UTF-8, four bytes a word.
struct TextWriter {
  private var offsets: [String: UInt32] = [:]

  /// The offset of the text in `words`.
  mutating func offset(of text: String, in words: inout [UInt32]) -> UInt32 {
    if let offset = offsets[text] { return offset }
    let offset = UInt32(words.count)
    let bytes = Array(text.utf8)
    words.append(UInt32(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 4) {
      words.append(
        bytes[start..<min(start + 4, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
    // The dictionary calls the NFC and the NFD spelling of a name equal; either will do.
    offsets[text] = offset
    return offset
  }
}

extension MappedWords {
  /// The text at an offset.
  func text(at offset: UInt32) -> String {
    let count = Int(self[Int(offset)])
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: 4) {
      let word = self[Int(offset) + 1 + start / 4]
      for index in 0..<min(4, count - start) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * index)))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
