package import Linux

/// The part of a file that is in memory: its head, or where a reader had to look beyond it.
///
/// One buffer serves all files. It holds the largest JPEG segment whole, and the head that is read
/// at once holds the metadata of nearly every photo.
package struct FileWindow: ~Copyable {
  package private(set) var bytes = [UInt8](repeating: 0, count: 68 * 1024)
  private var start: Int64 = 0
  private var count = 0
  private var isAtEnd = false
  private var boxesLeft = 0
  private var bytesLeft = 0

  package init() {}

  /// Forgets the last file and reads the head of this one.
  package mutating func open(_ file: borrowing OpenFile) throws(SystemError) {
    (boxesLeft, bytesLeft) = (boxLimit, byteLimit)
    try load(at: 0, headSize, of: file)
  }

  /// Whether one more box of this file may be looked at.
  mutating func takeBox() -> Bool {
    boxesLeft -= 1
    return boxesLeft >= 0
  }

  /// Where in `bytes` the `wanted` bytes from `offset` on are; fewer only at the end of the file,
  /// or when the buffer holds no more.
  package mutating func range(
    at offset: Int64, _ wanted: Int, of file: borrowing OpenFile
  ) throws(SystemError) -> Range<Int> {
    let isLoaded = offset >= start && offset + Int64(wanted) <= start + Int64(count)
    if !isLoaded && !(isAtEnd && offset >= start) {
      try load(at: offset, max(wanted, probeSize), of: file)
    }
    let low = Int(min(offset - start, Int64(count)))
    return low..<min(low + wanted, count)
  }

  /// Whether so many more bytes of this file's boxes may be copied.
  mutating func takeBytes(_ count: Int) -> Bool {
    guard count <= bytesLeft else { return false }
    bytesLeft -= count
    return true
  }

  /// How many bytes in memory stand before the first `byte` from `index` on.
  func distance(to byte: UInt8, from index: Int) -> Int {
    let found = firstIndex(of: byte, in: bytes.span.extracting(0..<count), from: index)
    return (found ?? count) - index
  }

  private mutating func load(
    at offset: Int64, _ wanted: Int, of file: borrowing OpenFile
  ) throws(SystemError) {
    let limit = min(wanted, bytes.count)
    count = try file.read(at: offset, into: &bytes, atMost: limit)
    start = offset
    isAtEnd = count < limit
  }
}

/// A second look for what lies behind a thumbnail is cheaper than a large first one for every file.
private let headSize = 16 * 1024

/// Enough for the header of a segment or a directory, where what follows it may be skipped.
private let probeSize = 4096

/// Films have some hundred boxes before their metadata ends; no file of tiny ones may take long.
private let boxLimit = 20_000

/// Many times what the metadata of any file has.
private let byteLimit = 32 << 20
