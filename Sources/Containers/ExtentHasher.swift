import Digests
package import Linux
package import Model

/// Hashes the coded picture of a file of boxes, from the file's bytes in order.
///
/// Of a HEIC or AVIF the primary picture counts, with its tiles and the way in which it is coded; of a
/// film and a CR3 all media data; of a JPEG XL and a JPEG 2000 the codestream.
package struct ExtentHasher: ~Copyable {
  private var window = FileWindow()
  private var digest = XXH3()
  private var rest: ArraySlice<Range<Int64>> = []
  private var hasPicture = false
  private var position: Int64 = 0

  package init() {}

  /// Looks where the picture of the next file is.
  package mutating func begin(_ file: borrowing OpenFile) throws(SystemError) {
    try window.open(file)
    let extents = try window.pictureExtents(of: file)
    (rest, hasPicture, position) = (extents?.ranges[...] ?? [], extents != nil, 0)
    digest.update(extents?.preface ?? [])
  }

  /// Takes the next bytes of the file.
  package mutating func update(_ bytes: Span<UInt8>) {
    let end = position + Int64(bytes.count)
    while let range = rest.first, range.lowerBound < end {
      let part = range.clamped(to: position..<end)
      digest.update(
        bytes.extracting(Int(part.lowerBound - position)..<Int(part.upperBound - position)))
      guard range.upperBound <= end else { break }
      rest.removeFirst()
    }
    position = end
  }

  /// The hash of the picture in the bytes since `begin`; nil where the file has none that is known, or
  /// they ended before its end.
  package mutating func finalize() -> ImageHash? {
    defer { (rest, hasPicture) = ([], false) }
    let hash = digest.finalize()
    return hasPicture && rest.isEmpty ? hash : nil
  }
}
