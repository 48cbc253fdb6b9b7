/// How the index spells a path: as it is where it is valid UTF-8; in a name that is not, each
/// byte that does not belong to a valid sequence, and each backslash, as `\xHH`.
///
/// Names are spelled one by one, so that the spelling of a directory is the start of the
/// spelling of each path below it. Two different paths can have one spelling (a name may hold
/// the very characters `\xFF`), so spellings identify nothing; the bytes do.
package func indexSpelling(of path: RelativePath) -> String {
  if let text = validUTF8(path.bytes[...]) { return text }
  return path.components.map { name in
    validUTF8(name) ?? escaped(name) { $0 == UInt8(ascii: "\\") }
  }.joined(separator: "/")
}

/// How a terminal, a log line or a JSON string shows bytes: control characters and bytes that
/// are not UTF-8 as `\xHH`, so that no name can move the cursor or forge a line.
package func printable(_ bytes: some Sequence<UInt8>) -> String {
  let bytes = Array(bytes)
  // Nearly all are harmless as a whole.
  if let text = validUTF8(bytes[...]), text.unicodeScalars.allSatisfy(isHarmless) { return text }
  return escaped(bytes[...]) { $0 < 0x20 || $0 == 0x7f }
}

private func isHarmless(_ character: Unicode.Scalar) -> Bool {
  character.value >= 0x20 && !(0x7f...0x9f).contains(character.value)
}

/// The text that the bytes spell; nil when they are not UTF-8.
package func validUTF8(_ bytes: ArraySlice<UInt8>) -> String? {
  String(validating: bytes, as: UTF8.self)
}

private func escaped(_ bytes: ArraySlice<UInt8>, unless isHarmful: (UInt8) -> Bool) -> String {
  var text = ""
  var rest = bytes
  while let byte = rest.first {
    let length = min(sequenceLength(startingWith: byte), rest.count)
    let sequence = rest.prefix(length)
    if let character = validUTF8(sequence), !isHarmful(byte), !isC1Control(character) {
      text += character
      rest = rest.dropFirst(length)
    } else {
      text += hexEscape(byte)
      rest = rest.dropFirst()
    }
  }
  return text
}

/// U+0080 to U+009F steer some terminals as ESC sequences do.
private func isC1Control(_ character: String) -> Bool {
  character.unicodeScalars.contains { (0x80...0x9f).contains($0.value) }
}

private func sequenceLength(startingWith byte: UInt8) -> Int {
  switch byte {
  case 0xc2...0xdf: 2
  case 0xe0...0xef: 3
  case 0xf0...0xf4: 4
  default: 1
  }
}

private func hexEscape(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return "\\x" + (digits.count == 1 ? "0" : "") + digits
}
