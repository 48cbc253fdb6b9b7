import Linux

/// A TIFF structure in a file, of which one directory at a time is in memory (TIFF 6.0, section 2;
/// for BigTIFF the Adobe Pagemaker technical notes of libtiff).
///
/// Raws put their directories anywhere, behind many megabytes of picture. Nothing is read that is
/// not all there.
struct TIFFFile {
  /// Where it is in the file. Offsets count from its first byte.
  let range: Range<Int64>
  let isBigEndian: Bool
  /// Whether counts and offsets have eight bytes.
  let isBig: Bool
  let firstDirectory: UInt64

  /// Returns nil for what has no header of a TIFF. Makers of raws write a magic number of their
  /// own in the place of 42; the media type has told already that this is one.
  init?(
    in range: Range<Int64>, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    let wanted = Int(min(Int64(range.count), 16))
    let head = window.bytes[try window.range(at: range.lowerBound, wanted, of: file)]
    let mark = head.prefix(2)
    guard head.count >= 8, mark.elementsEqual("II".utf8) || mark.elementsEqual("MM".utf8) else {
      return nil
    }
    self.range = range
    isBigEndian = mark.elementsEqual("MM".utf8)
    isBig = unsigned(head.dropFirst(2).prefix(2), isBigEndian: isBigEndian) == 43
    guard !isBig || head.count == 16 else { return nil }
    firstDirectory = unsigned(
      isBig ? head.dropFirst(8) : head.dropFirst(4).prefix(4), isBigEndian: isBigEndian)
  }

  struct Directory {
    /// The entries, and behind them the offset of the next directory, as far as it is there.
    fileprivate let bytes: [UInt8]
    let count: Int
  }

  struct Entry {
    let number: UInt16
    let type: UInt16
    let count: UInt64
    /// The value if it fits, else its offset.
    fileprivate let field: ArraySlice<UInt8>
  }

  enum Found {
    case directory(Directory)
    /// The file ends before the end of the directory.
    case cut
    /// What stands there is no directory.
    case none
  }

  func directory(
    at offset: UInt64, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> Found {
    guard offset >= 8 else { return .none }
    let countSize = isBig ? 8 : 2
    guard let start = position(offset, countSize) else { return .cut }
    let head = try window.range(at: start, countSize, of: file)
    guard head.count == countSize else { return .cut }
    let count = unsigned(window.bytes[head], isBigEndian: isBigEndian)
    guard (1...directoryLimit).contains(count) else { return .none }
    let length = Int(count) * entrySize
    guard position(offset, countSize + length) != nil else { return .cut }
    // Where the last directory ends with the file, its link may be missing.
    let table = try window.range(at: start + Int64(countSize), length + offsetSize, of: file)
    guard table.count >= length else { return .cut }
    return .directory(Directory(bytes: Array(window.bytes[table]), count: Int(count)))
  }

  func entry(_ index: Int, of directory: Directory) -> Entry {
    let bytes = directory.bytes[(index * entrySize)..<((index + 1) * entrySize)]
    return Entry(
      number: UInt16(unsigned(bytes.prefix(2), isBigEndian: isBigEndian)),
      type: UInt16(unsigned(bytes.dropFirst(2).prefix(2), isBigEndian: isBigEndian)),
      count: unsigned(bytes.dropFirst(4).prefix(offsetSize), isBigEndian: isBigEndian),
      field: bytes.suffix(offsetSize))
  }

  /// The offset of the directory that follows; 0 when it is the last.
  func next(after directory: Directory) -> UInt64 {
    let link = directory.bytes.dropFirst(directory.count * entrySize)
    return link.count == offsetSize ? unsigned(link, isBigEndian: isBigEndian) : 0
  }

  enum Value {
    case bytes(ArraySlice<UInt8>)
    /// The file ends before the end of the value.
    case cut
    /// Of a type that nobody knows, or empty.
    case none
  }

  /// The first `wanted` bytes of a value that is all there.
  func value(
    of entry: Entry, first wanted: Int, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> Value {
    guard let size = self.size(ofType: entry.type), entry.count > 0 else { return .none }
    let (length, overflows) = UInt64(size).multipliedReportingOverflow(by: entry.count)
    if !overflows, length <= offsetSize {
      return .bytes(entry.field.prefix(min(Int(length), wanted)))
    }
    guard !overflows, let length = Int(exactly: length),
      let start = position(unsigned(entry.field, isBigEndian: isBigEndian), length)
    else { return .cut }
    let range = try window.range(at: start, min(length, wanted), of: file)
    guard range.count == min(length, wanted) else { return .cut }
    return .bytes(window.bytes[range])
  }

  /// Where a value is that does not fit into its entry; nil where it does, or is not all there.
  func range(of entry: Entry) -> Range<Int64>? {
    guard let size = size(ofType: entry.type) else { return nil }
    let (length, overflows) = UInt64(size).multipliedReportingOverflow(by: entry.count)
    guard !overflows, length > offsetSize, let length = Int(exactly: length),
      let start = position(unsigned(entry.field, isBigEndian: isBigEndian), length)
    else { return nil }
    return start..<(start + Int64(length))
  }

  /// The unsigned integers of a value, at most `limit`; none where it is of another type or not
  /// all there.
  func integers(
    of entry: Entry, atMost limit: Int, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> [UInt64] {
    guard [3, 4, 13, 16, 18].contains(entry.type), let size = size(ofType: entry.type),
      case .bytes(var rest) = try value(of: entry, first: limit * size, of: file, &window)
    else { return [] }
    var integers: [UInt64] = []
    while rest.count >= size {
      integers.append(unsigned(rest.prefix(size), isBigEndian: isBigEndian))
      rest = rest.dropFirst(size)
    }
    return integers
  }

  private var offsetSize: Int { isBig ? 8 : 4 }
  private var entrySize: Int { isBig ? 20 : 12 }

  /// BigTIFF has three types more, of eight bytes.
  private func size(ofType type: UInt16) -> Int? {
    isBig && (16...18).contains(type) ? 8 : byteCount(ofType: type)
  }

  /// Where `length` bytes from `offset` on are in the file; nil where they are not all there.
  private func position(_ offset: UInt64, _ length: Int) -> Int64? {
    guard let offset = Int64(exactly: offset), length >= 0, range.count >= length,
      offset <= range.count - length
    else { return nil }
    return range.lowerBound + offset
  }
}

/// No directory of a photo has more entries than this; junk may claim 65,535, or more in BigTIFF.
private let directoryLimit: UInt64 = 2048
