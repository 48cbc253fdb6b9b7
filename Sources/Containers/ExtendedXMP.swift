import Linux

/// What a JPEG has of XMP beyond the 64 KiB of a segment, in parts of one or more segments each: an
/// identifier, which the first packet names, the length of all, and where the part belongs (XMP
/// specification, part 3, 1.1.3.1).
struct ExtendedXMP {
  private struct Extension {
    let length: Int
    var parts: [Int: [UInt8]] = [:]
  }

  private var extensions: [[UInt8]: Extension] = [:]
  private var room = packetLimit

  /// What is larger than any that tells something of the shot holds pictures: it is left alone.
  mutating func take(
    _ segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    guard segment.length > header.count + 40 else { return }
    let start = try window.range(at: segment.offset, header.count + 40, of: file)
    let head = window.bytes[start]
    guard head.starts(with: header) else { return }
    var cursor = ByteCursor(head.dropFirst(header.count))
    guard let identifier = cursor.take(32), let length = cursor.integer(4),
      let offset = cursor.integer(4), length <= packetLimit, offset < length
    else { return }
    let count = segment.length - header.count - 40
    let isKnown = extensions[Array(identifier)] != nil
    guard count <= room, isKnown || extensions.count < 4 else { return }
    let range = try window.range(at: segment.offset, segment.length, of: file)
    guard range.count == segment.length else { return }
    room -= count
    extensions[Array(identifier), default: Extension(length: Int(length))].parts[Int(offset)] =
      Array(window.bytes[range.dropFirst(header.count + 40)])
  }

  /// The packet that the first one names; nil where it is not all there.
  func packet(of first: [UInt8]) -> [UInt8]? {
    guard !extensions.isEmpty else { return nil }
    for (identifier, found) in extensions.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where isNamed(identifier, in: first) {
      var bytes: [UInt8] = []
      while let part = found.parts[bytes.count], !part.isEmpty { bytes += part }
      if bytes.count == found.length { return bytes }
    }
    return nil
  }

  private func isNamed(_ identifier: [UInt8], in packet: [UInt8]) -> Bool {
    guard packet.count >= identifier.count, let first = identifier.first else { return false }
    return (0...(packet.count - identifier.count)).contains {
      packet[$0] == first && packet[$0...].starts(with: identifier)
    }
  }
}

private let header = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
