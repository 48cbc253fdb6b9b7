/// What Apple's devices leave in the maker note of a shot with a film: the identifier that its film has,
/// too. Returns nil in all other notes.
///
/// Behind `Apple iOS`, a version and `MM` stands a directory as in a TIFF, whose offsets count from
/// the start of the note (exiftool's Image::ExifTool::Apple, tag 0x0011).
func contentIdentifier(inMakerNote note: ArraySlice<UInt8>) -> [UInt8]? {
  guard note.starts(with: appleHeader) else { return nil }
  var cursor = ByteCursor(note.dropFirst(14))
  guard let count = cursor.integer(2) else { return nil }
  for _ in 0..<min(count, 500) {
    guard let tag = cursor.integer(2), let type = cursor.integer(2), let length = cursor.integer(4),
      let offset = cursor.integer(4)
    else { return nil }
    // Of entries that have no type (TIFF 6.0, section 2) no other one tells anything, either.
    guard (1...13).contains(type) else { return nil }
    guard tag == 0x11 else { continue }
    // An identifier has 36 characters, so that it never stands in the entry itself.
    guard type == 2, (5...256).contains(length), offset <= note.count else { return nil }
    let bytes = note.dropFirst(Int(offset)).prefix(Int(length))
    guard bytes.count == Int(length) else { return nil }
    let text = bytes.prefix { $0 != 0 }
    return text.isEmpty ? nil : Array(text)
  }
  return nil
}

/// What the notes of Apple's devices begin with.
let appleHeader = Array("Apple iOS\0".utf8)
