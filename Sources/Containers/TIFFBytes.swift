/// A TIFF structure in memory, read with a check at every step (TIFF 6.0, section 2).
///
/// Offsets count from its first byte; nothing outside the slice is ever looked at.
package struct TIFFBytes {
  package let bytes: ArraySlice<UInt8>
  package let isBigEndian: Bool

  /// Without a byte order mark nothing can be read: then there is no directory.
  let hasHeader: Bool

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

  /// The entries of the directory at `offset`; none where they do not all fit, for then it is no
  /// directory, or one that was overwritten.
  func directory(at offset: Int) -> Directory {
    guard hasHeader, offset >= 8, holds(offset, 2) else { return Directory(start: 0, count: 0) }
    let count = short(at: offset)
    return Directory(start: offset + 2, count: holds(offset + 2, 12 * count) ? count : 0)
  }

  /// The directory that the header names.
  var firstDirectory: Directory { directory(at: holds(4, 4) ? long(at: 4) : 0) }

  struct Directory {
    let start: Int
    let count: Int
  }

  /// The number alone of an entry, which is all that most are looked at for.
  func number(ofEntry index: Int, of directory: Directory) -> UInt16 {
    UInt16(short(at: directory.start + 12 * index))
  }

  func entry(_ index: Int, of directory: Directory) -> Entry {
    let start = directory.start + 12 * index
    // One check for all.
    let entry = bytes.span.extracting(start..<(start + 12))
    return Entry(
      number: short(in: entry, at: 0), type: short(in: entry, at: 2),
      count: Int(long(in: entry, at: 4)), valueField: start + 8)
  }

  /// Where the value's bytes lie; nil where they are not all there.
  func valueRange(of entry: Entry) -> Range<Int>? {
    guard let size = byteCount(ofType: entry.type), entry.count > 0 else { return nil }
    let length = size * entry.count
    if length <= 4 { return entry.valueField..<(entry.valueField + length) }
    let offset = long(at: entry.valueField)
    return holds(offset, length) ? offset..<(offset + length) : nil
  }

  /// The unsigned integer that a value in the entry itself begins with; for pointers and codes.
  func integer(of entry: Entry) -> Int? {
    guard entry.count > 0 else { return nil }
    switch entry.type {
    case 3: return short(at: entry.valueField)
    case 4, 9, 13: return long(at: entry.valueField)
    default: return nil
    }
  }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
  }

  func holds(_ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length >= 0 && length <= bytes.count && offset <= bytes.count - length
  }

  func short(at offset: Int) -> Int {
    Int(short(in: bytes.span.extracting(offset..<(offset + 2)), at: 0))
  }

  func long(at offset: Int) -> Int {
    Int(long(in: bytes.span.extracting(offset..<(offset + 4)), at: 0))
  }

  // Where they are called the offset is known, and no check of it is left.
  @inline(__always)
  private func short(in field: Span<UInt8>, at offset: Int) -> UInt16 {
    let number = UInt16(field[offset]) << 8 | UInt16(field[offset + 1])
    return isBigEndian ? number : number.byteSwapped
  }

  @inline(__always)
  private func long(in field: Span<UInt8>, at offset: Int) -> UInt32 {
    let number =
      UInt32(field[offset]) << 24 | UInt32(field[offset + 1]) << 16
      | UInt32(field[offset + 2]) << 8 | UInt32(field[offset + 3])
    return isBigEndian ? number : number.byteSwapped
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
