/// A TIFF structure in memory, read with a check at every step (TIFF 6.0, section 2).
///
/// Offsets count from its first byte; nothing outside the slice is ever looked at.
package struct TIFFBytes {
  package let bytes: ArraySlice<UInt8>
  package let isBigEndian: Bool

  /// Without a byte order mark nothing can be read: then every directory is empty.
  private let hasHeader: Bool

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    let mark = bytes.prefix(2)
    isBigEndian = mark.elementsEqual("MM".utf8)
    hasHeader = isBigEndian || mark.elementsEqual("II".utf8)
  }

  /// One field of a directory.
  struct Entry {
    let number: UInt16
    let type: UInt16
    let count: Int
    /// Where the last four bytes of the entry are: the value if it fits, else its offset.
    let valueField: Int
  }

  /// The offset of the first directory.
  var firstDirectory: Int? { hasHeader ? long(at: 4) : nil }

  /// How many entries the directory at `offset` has; 0 where they do not all fit, for then it is
  /// no directory, or one that was overwritten.
  func entryCount(at offset: Int) -> Int {
    guard offset >= 8, let count = short(at: offset), offset + 2 + 12 * count <= bytes.count
    else { return 0 }
    return count
  }

  func entry(_ index: Int, at offset: Int) -> Entry? {
    let start = offset + 2 + 12 * index
    guard let number = short(at: start), let type = short(at: start + 2),
      let count = long(at: start + 4)
    else { return nil }
    return Entry(
      number: UInt16(number), type: UInt16(type), count: count, valueField: start + 8)
  }

  /// Where the value's bytes lie; nil where they are not all there.
  func valueRange(of entry: Entry) -> Range<Int>? {
    guard let size = byteCount(ofType: entry.type), entry.count > 0 else { return nil }
    let length = size * entry.count
    if length <= 4 { return entry.valueField..<(entry.valueField + length) }
    guard let offset = long(at: entry.valueField), offset + length <= bytes.count else {
      return nil
    }
    return offset..<(offset + length)
  }

  /// The unsigned integer that the value begins with; for pointers and codes.
  func integer(of entry: Entry) -> Int? {
    guard let range = valueRange(of: entry) else { return nil }
    switch entry.type {
    case 1, 7: return Int(self[range.lowerBound])
    case 3: return short(at: range.lowerBound)
    case 4, 9, 13: return long(at: range.lowerBound)
    default: return nil
    }
  }

  subscript(offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
  }

  func short(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    let (first, second) = (Int(self[offset]), Int(self[offset + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  func long(at offset: Int) -> Int? {
    guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
    return isBigEndian ? first << 16 | second : second << 16 | first
  }
}

/// The size of one value of a TIFF type; 13 is a pointer, 129 UTF-8 text (EXIF 3.0).
func byteCount(ofType type: UInt16) -> Int? {
  switch type {
  case 1, 2, 6, 7, 129: 1
  case 3, 8: 2
  case 4, 9, 11, 13: 4
  case 5, 10, 12: 8
  default: nil
  }
}
