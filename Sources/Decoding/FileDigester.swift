import Containers
import Digests
import Linux
import Model

/// Computes the digests of whole files, one after the other, with one buffer for all.
struct FileDigester: ~Copyable {
  private var content = SHA256()
  private var image = ImageHasher()
  private var extents = ExtentHasher()
  private var buffer = [UInt8](repeating: 0, count: 256 * 1024)

  init() {}

  /// Reads the file from front to back, once, and shows after each part that it gets on.
  ///
  /// Without the picture, it does not look at what the bytes mean.
  mutating func digest(
    _ file: borrowing OpenFile, withPicture: Bool = true,
    _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> FileHashes {
    file.expectSequentialReading()
    do throws(SystemError) {
      try feed(file, withPicture: withPicture, progress)
    } catch {
      // All must be empty for the next file.
      _ = (content.finalize(), image.finalize(), extents.finalize())
      throw error
    }
    let (jpeg, boxes) = (image.finalize(), extents.finalize())
    return FileHashes(content: content.finalize(), image: jpeg ?? boxes)
  }

  private mutating func feed(
    _ file: borrowing OpenFile, withPicture: Bool, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) {
    var offset: Int64 = 0
    while true {
      try progress()
      let count = try file.read(at: offset, into: &buffer)
      // Of a JPEG nothing need be looked up elsewhere in the file.
      if withPicture, offset == 0, buffer[0] != 0xff || buffer[1] != 0xd8 {
        try extents.begin(file)
      }
      Decoding.feed(buffer, first: count, to: &content)
      if withPicture { Decoding.feed(buffer, first: count, to: &image, &extents) }
      offset += Int64(count)
      guard count == buffer.count else { return }
    }
  }
}

/// Functions of their own, since a span of one part of a value forbids changes of its other parts.
private func feed(_ buffer: [UInt8], first count: Int, to content: inout SHA256) {
  content.update(buffer.span.extracting(first: count))
}

private func feed(
  _ buffer: [UInt8], first count: Int, to image: inout ImageHasher,
  _ extents: inout ExtentHasher
) {
  let block = buffer.span.extracting(first: count)
  image.update(block)
  extents.update(block)
}
