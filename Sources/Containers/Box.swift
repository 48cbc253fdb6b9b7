import Linux

/// The four characters that name the kind of a box, an item or a brand.
struct FourCharacters: Hashable, ExpressibleByStringLiteral {
  let code: UInt32

  init(code: UInt32) { self.code = code }

  /// `©` is one byte here, 0xA9, as QuickTime writes it.
  init(stringLiteral text: StaticString) {
    code = "\(text)".unicodeScalars.reduce(0) { $0 << 8 | ($1.value & 0xff) }
  }
}

/// A part of a file that says its kind and its length (ISO/IEC 14496-12, 4.2): what QuickTime calls
/// an atom.
struct Box {
  let type: FourCharacters
  /// What follows the header. It may reach behind the end of the file.
  let payload: Range<Int64>
}

/// Walks the boxes of a file, or of a box in it, one behind the other.
struct BoxWalk {
  private var position: Int64
  private let end: Int64
  private let fileSize: Int64
  private var isOver = false
  /// Whether the file ended where a box should have begun or in the middle of its header.
  private(set) var isCut = false
  /// Whether zeros stand where a box should begin, as where a copy under way has its space already.
  private(set) var isUnwritten = false

  /// Over the boxes of a whole file.
  init(_ file: borrowing OpenFile, from start: Int64 = 0) {
    let size = file.sizeWhenOpened
    (position, end, fileSize) = (start, .max, size)
  }

  /// Over the boxes in a part of a file.
  init(_ range: Range<Int64>, of file: borrowing OpenFile) {
    fileSize = file.sizeWhenOpened
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// Whether all that is left of the file has been walked over.
  var isAtEnd: Bool { position == fileSize }

  /// The next box; nil at the end, and where what follows is no box. One in another does not reach
  /// beyond it.
  mutating func next(
    in window: inout FileWindow, of file: borrowing OpenFile
  ) throws(SystemError) -> Box? {
    guard !isOver, end - position >= 8, window.takeBox() else { return nil }
    let header = try window.bytes(position, atMost: 16, of: file)
    var cursor = ByteCursor(header[...])
    guard position < fileSize, let size = cursor.integer(4), let type = cursor.integer(4) else {
      return stop(isCut: true)
    }
    var (start, length) = (position + 8, Int64(size))
    if size == 1 {
      guard let large = cursor.integer(8) else { return stop(isCut: true) }
      (start, length) = (position + 16, Int64(clamping: large))
    } else if size == 0 {
      // To the end of the file, or of the box around it.
      length = min(end, fileSize) - position
    }
    isUnwritten = size == 0 && type == 0
    guard type != 0, length >= start - position, length <= end - position else {
      return stop(isCut: false)
    }
    defer { position += length }
    return Box(
      type: FourCharacters(code: UInt32(truncatingIfNeeded: type)),
      payload: start..<(position + length))
  }

  private mutating func stop(isCut: Bool) -> Box? {
    isOver = true
    self.isCut = isCut
    return nil
  }
}

enum BoxSearch {
  case found(Box)
  /// The file ends before or inside it, or has not been written so far.
  case cut
  case none
}

extension FileWindow {
  /// The first of the file's own boxes that is of one of these types.
  mutating func find(
    _ types: Set<FourCharacters>, of file: borrowing OpenFile, from start: Int64 = 0
  ) throws(SystemError) -> BoxSearch {
    var walk = BoxWalk(file, from: start)
    while let box = try walk.next(in: &self, of: file) {
      guard types.contains(box.type) else { continue }
      let isWhole = box.payload.upperBound <= file.sizeWhenOpened
      return isWhole ? .found(box) : .cut
    }
    return walk.isCut || walk.isUnwritten ? .cut : .none
  }

  /// The bytes from `offset` on, fewer at the end of the file; for what is small.
  mutating func bytes(
    _ offset: Int64, atMost count: Int, of file: borrowing OpenFile
  ) throws(SystemError) -> ArraySlice<UInt8> {
    let size = file.sizeWhenOpened
    guard offset >= 0, offset < size else { return [] }
    return bytes[try range(at: offset, count, of: file)]
  }

  /// All bytes of the ranges, one behind the other; nil where they are not all in the file, or more
  /// than any metadata that we read has.
  mutating func bytes(
    of ranges: [Range<Int64>], of file: borrowing OpenFile
  ) throws(SystemError) -> [UInt8]? {
    let size = file.sizeWhenOpened
    var (bytes, total) = ([UInt8](), 0)
    for range in ranges {
      guard range.lowerBound >= 0, range.upperBound <= size, range.count <= metadataLimit,
        total + range.count <= metadataLimit
      else { return nil }
      total += range.count
    }
    guard takeBytes(total) else { return nil }
    for range in ranges {
      var part = [UInt8](repeating: 0, count: range.count)
      let found: Int
      if range.count <= 4096 {
        let place = try self.range(at: range.lowerBound, range.count, of: file)
        part = Array(self.bytes[place])
        found = place.count
      } else {
        found = try file.read(at: range.lowerBound, into: &part)
      }
      guard found == range.count else { return nil }
      bytes += part
    }
    return bytes
  }
}

/// Larger than any EXIF with its preview; what is larger is not read at all, rather than in part.
private let metadataLimit = 4 << 20
