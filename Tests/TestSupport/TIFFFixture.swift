/// A TIFF structure made tag by tag, as strange as a test wants it.
package struct TIFFFixture {
  package enum Directory: Int, CaseIterable, Sendable {
    case image, exif, gps, thumbnail
  }

  package enum Value: Sendable {
    case ascii(String)
    /// Bytes of any type with the count that they should claim to have.
    case raw(type: UInt16, count: UInt32, [UInt8])
    case byte([UInt8])
    case short([UInt16])
    case long([UInt32])
    case rational([(UInt32, UInt32)])
    case signedRational([(Int32, Int32)])
    /// An entry whose last four bytes are this number, whatever lies there.
    case entry(type: UInt16, count: UInt32, field: UInt32)
  }

  package struct Field: Sendable {
    package var directory: Directory
    package var tag: UInt16
    package var value: Value
  }

  package var isBigEndian = false
  /// In the order in which they are written.
  package var fields: [Field] = []
  /// Bytes between the header and the first directory.
  package var gap = 0

  package init(isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
  }

  package mutating func add(_ directory: Directory, _ tag: UInt16, _ value: Value) {
    fields.append(Field(directory: directory, tag: tag, value: value))
  }

  package mutating func add(_ directory: Directory, _ tag: UInt16, _ text: String) {
    add(directory, tag, .ascii(text))
  }

  /// The header, then each directory with its values. A pointer to a directory is added unless
  /// there is a field of its number.
  package var bytes: [UInt8] {
    var writer = ByteWriter(isBigEndian: isBigEndian)
    writer.bytes += Array((isBigEndian ? "MM" : "II").utf8)
    writer.short(42)
    writer.long(UInt32(8 + gap))
    writer.bytes += Array(repeating: 0, count: gap)
    let children = [Directory.exif, .gps].filter { directory in has(directory) }
    var image = fields.filter { $0.directory == .image }
    for child in children where !image.contains(where: { $0.tag == child.pointer }) {
      image.append(Field(directory: .image, tag: child.pointer, value: .long([0])))
    }
    var offset = UInt32(8 + gap + size(of: image))
    for child in children {
      if let index = image.lastIndex(where: { $0.tag == child.pointer && $0.value.isPlaceholder }) {
        image[index].value = .long([offset])
      }
      offset += UInt32(size(of: fields.filter { $0.directory == child }))
    }
    write(image, next: has(.thumbnail) ? offset : 0, to: &writer)
    for directory in [Directory.exif, .gps, .thumbnail] where has(directory) {
      write(fields.filter { $0.directory == directory }, next: 0, to: &writer)
    }
    return writer.bytes
  }

  private func has(_ directory: Directory) -> Bool {
    fields.contains { $0.directory == directory }
  }

  private func size(of fields: [Field]) -> Int {
    fields.reduce(2 + 12 * fields.count + 4) { size, field in
      let length = field.value.encoded(isBigEndian).bytes.count
      return size + (length > 4 ? length + length % 2 : 0)
    }
  }

  private func write(_ fields: [Field], next: UInt32, to writer: inout ByteWriter) {
    var offset = UInt32(writer.bytes.count + 2 + 12 * fields.count + 4)
    var data: [UInt8] = []
    writer.short(UInt16(fields.count))
    for field in fields {
      let (type, count, bytes) = field.value.encoded(isBigEndian)
      writer.short(field.tag)
      writer.short(type)
      writer.long(count)
      if bytes.count <= 4 {
        writer.bytes += bytes + Array(repeating: 0, count: 4 - bytes.count)
      } else {
        writer.long(offset)
        let padded = bytes + (bytes.count % 2 == 0 ? [] : [0])
        data += padded
        offset += UInt32(padded.count)
      }
    }
    writer.long(next)
    writer.bytes += data
  }
}

extension TIFFFixture.Directory {
  fileprivate var pointer: UInt16 { self == .exif ? 0x8769 : 0x8825 }
}

extension TIFFFixture.Value {
  fileprivate var isPlaceholder: Bool {
    if case .long(let values) = self { values == [0] } else { false }
  }

  fileprivate func encoded(_ isBigEndian: Bool) -> (type: UInt16, count: UInt32, bytes: [UInt8]) {
    var writer = ByteWriter(isBigEndian: isBigEndian)
    switch self {
    case .ascii(let text):
      let bytes = Array(text.utf8) + [0]
      return (2, UInt32(bytes.count), bytes)
    case .raw(let type, let count, let bytes): return (type, count, bytes)
    case .byte(let values): return (1, UInt32(values.count), values)
    case .short(let values):
      for value in values { writer.short(value) }
      return (3, UInt32(values.count), writer.bytes)
    case .long(let values):
      for value in values { writer.long(value) }
      return (4, UInt32(values.count), writer.bytes)
    case .rational(let values):
      for (numerator, denominator) in values {
        writer.long(numerator)
        writer.long(denominator)
      }
      return (5, UInt32(values.count), writer.bytes)
    case .signedRational(let values):
      for (numerator, denominator) in values {
        writer.long(UInt32(bitPattern: numerator))
        writer.long(UInt32(bitPattern: denominator))
      }
      return (10, UInt32(values.count), writer.bytes)
    case .entry(let type, let count, let field):
      writer.long(field)
      return (type, count, writer.bytes)
    }
  }
}

/// Writes numbers in one byte order.
package struct ByteWriter {
  package var bytes: [UInt8] = []
  private let isBigEndian: Bool

  package init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  package mutating func short(_ value: UInt16) {
    let big = [UInt8(value >> 8), UInt8(value & 0xff)]
    bytes += isBigEndian ? big : big.reversed()
  }

  package mutating func long(_ value: UInt32) {
    let (high, low) = (UInt16(value >> 16), UInt16(value & 0xffff))
    short(isBigEndian ? high : low)
    short(isBigEndian ? low : high)
  }
}
