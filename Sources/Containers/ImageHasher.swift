import Digests
package import Model

/// Hashes the coded picture of a file without its metadata, from the file's bytes in order.
package struct ImageHasher: ~Copyable {
  private var jpeg = JPEGHasher()
  private var chunks = ChunkHasher()
  private var kind = Kind.start

  private enum Kind {
    case start, jpeg, chunks
  }

  package init() {}

  /// Takes the next bytes of the file.
  package mutating func update(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    if kind == .start { kind = bytes[0] == 0xff ? .jpeg : .chunks }
    if kind == .jpeg { jpeg.update(bytes) } else { chunks.update(bytes) }
  }

  /// The hash of the picture in the bytes since the last call; nil where their type is not known
  /// or the picture does not end.
  package mutating func finalize() -> ImageHash? {
    defer { kind = .start }
    return kind == .chunks ? chunks.finalize() : jpeg.finalize()
  }
}
