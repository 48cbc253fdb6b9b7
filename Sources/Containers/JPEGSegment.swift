import Linux

/// A part of a JPEG file between two markers (ITU-T T.81, annex B).
struct JPEGSegment {
  let marker: UInt8
  /// Where the payload begins, behind the two bytes of its length.
  let offset: Int64
  let length: Int

  var end: Int64 { offset + Int64(length) }

  /// SOF0 to SOF15. DHT, JPG and DAC have their numbers among them.
  var isFrameHeader: Bool {
    (0xc0...0xcf).contains(marker) && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
  }
}

enum JPEGStep {
  case segment(JPEGSegment)
  /// The coded picture begins, or the file says that it ends.
  case picture
  /// The file ends.
  case cut
  /// What follows is no JPEG.
  case broken
}

enum Marker {
  static let temporary: UInt8 = 0x01
  static let restarts: ClosedRange<UInt8> = 0xd0...0xd7
  static let startOfImage: UInt8 = 0xd8
  static let endOfImage: UInt8 = 0xd9
  static let startOfScan: UInt8 = 0xda
  static let app1: UInt8 = 0xe1
  static let app13: UInt8 = 0xed
}

extension FileWindow {
  /// The next segment from `position` on. Fill bytes and junk before its marker are passed over,
  /// as every decoder does, but no more than `patience`, which they use up.
  mutating func nextSegment(
    from position: Int64, of file: borrowing OpenFile, _ patience: inout Int
  ) throws(SystemError) -> JPEGStep {
    var position = position
    while patience > 0 {
      let range = try range(at: position, 4, of: file)
      guard range.count >= 2 else { return .cut }
      let marker = bytes[range.lowerBound + 1]
      guard bytes[range.lowerBound] == 0xff, marker != 0xff else {
        let skipped = max(distance(to: 0xff, from: range.lowerBound), 1)
        position += Int64(skipped)
        patience -= skipped
        continue
      }
      switch marker {
      case 0, Marker.temporary, Marker.restarts, Marker.startOfImage:
        position += 2
        patience -= 2
      case Marker.startOfScan, Marker.endOfImage: return .picture
      default:
        guard range.count == 4 else { return .cut }
        let length = bigEndian16(at: range.lowerBound + 2)
        guard length >= 2 else { return .broken }
        return .segment(JPEGSegment(marker: marker, offset: position + 4, length: length - 2))
      }
    }
    return .broken
  }

  func bigEndian16(at index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
}
