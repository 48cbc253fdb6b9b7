/// The text of an item, as UTF-8; nil where its value is not text. Kind 0 leaves it open.
func itemText(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  var item = ByteCursor(bytes)
  while let (type, content) = item.box() {
    var value = ByteCursor(content)
    guard type == "data", let kind = value.integer(4), value.integer(4) != nil else { continue }
    switch kind {
    case 0, 1, 4: return Array(value.rest)
    case 2, 5: return utf8(ofUTF16: value.rest)
    default: return nil
    }
  }
  return nil
}

private func utf8(ofUTF16 bytes: ArraySlice<UInt8>) -> [UInt8] {
  var (cursor, units) = (ByteCursor(bytes), [UInt16]())
  while let unit = cursor.integer(2) { units.append(UInt16(unit)) }
  return Array(String(decoding: units, as: UTF16.self).utf8)
}

/// The first of the texts in user data: each with a length and a language before it. Some writers
/// leave these out.
func internationalText(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  var cursor = ByteCursor(bytes)
  if let length = cursor.integer(2), cursor.integer(2) != nil, length > 0,
    let text = cursor.take(Int(length))
  {
    return text.starts(with: [0xfe, 0xff]) ? utf8(ofUTF16: text.dropFirst(2)) : Array(text)
  }
  return bytes.first.map { $0 >= 0x20 } == true ? Array(bytes) : nil
}
