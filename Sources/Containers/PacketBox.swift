import Linux

extension FileWindow {
  /// The packet of XMP at these places; nil where it is not all there, or larger than any of a photo.
  mutating func packet(
    at ranges: [Range<Int64>], of file: borrowing OpenFile
  ) throws(SystemError) -> [UInt8]? {
    // One by one: no sum of such lengths can be trusted.
    var room = Int64(packetLimit)
    for range in ranges {
      guard range.upperBound <= file.sizeWhenOpened else { return nil }
      room -= range.upperBound - range.lowerBound
      guard room >= 0 else { return nil }
    }
    return try bytes(of: ranges, of: file)
  }

  /// The packet in a box of the file's own (XMP specification, part 3, 1.2.7.1).
  mutating func packetBox(of file: borrowing OpenFile) throws(SystemError) -> [UInt8]? {
    var walk = BoxWalk(file)
    while let box = try walk.next(in: &self, of: file) {
      let start = box.payload.lowerBound
      guard box.type == "uuid", box.payload.upperBound - start > 16,
        try bytes(start, atMost: 16, of: file).elementsEqual(packetIdentifier)
      else { continue }
      return try packet(at: [(start + 16)..<box.payload.upperBound], of: file)
    }
    return nil
  }
}

private let packetIdentifier: [UInt8] = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
]
