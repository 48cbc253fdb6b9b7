/// A TIFF structure made tag by tag, as strange as a test wants it.
package struct TIFFFixture {
  package enum Directory: Int, CaseIterable, Sendable {
    case image, exif, gps, thumbnail
    /// The one that SubIFDs of the first names.
    case picture
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
  /// What stands in the place of 42, as makers of raws have their own.
  package var magic: UInt16 = 42
  /// A BigTIFF, with eight bytes for each count and offset.
  package var isBig = false
  /// Bytes right behind the header, and so many more before the first directory.
  package var preamble: [UInt8] = []
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
    let start = (isBig ? 16 : 8) + preamble.count + gap
    if isBig {
      for value in [43, 8, 0] as [UInt16] { writer.short(value) }
    } else {
      writer.short(magic)
    }
    offset(UInt32(start), to: &writer)
    writer.bytes += preamble + Array(repeating: 0, count: gap)
    let children = [Directory.exif, .gps, .picture].filter { directory in has(directory) }
    var image = fields.filter { $0.directory == .image }
    for child in children where !image.contains(where: { $0.tag == child.pointer }) {
      image.append(Field(directory: .image, tag: child.pointer, value: .long([0])))
    }
    var next = UInt32(start + size(of: image))
    for child in children {
      if let index = image.lastIndex(where: { $0.tag == child.pointer && $0.value.isPlaceholder }) {
        image[index].value = .long([next])
      }
      next += UInt32(size(of: fields.filter { $0.directory == child }))
    }
    write(image, next: has(.thumbnail) ? next : 0, to: &writer)
    for directory in [Directory.exif, .gps, .picture, .thumbnail] where has(directory) {
      write(fields.filter { $0.directory == directory }, next: 0, to: &writer)
    }
    return writer.bytes
  }

  private func has(_ directory: Directory) -> Bool {
    fields.contains { $0.directory == directory }
  }

  private var inlineSize: Int { isBig ? 8 : 4 }

  /// Of a directory without values: the count of entries, they, and where the next one is.
  private func size(ofEntries count: Int) -> Int { isBig ? 16 + 20 * count : 6 + 12 * count }

  private func size(of fields: [Field]) -> Int {
    fields.reduce(size(ofEntries: fields.count)) { size, field in
      let length = field.value.encoded(isBigEndian).bytes.count
      return size + (length > inlineSize ? length + length % 2 : 0)
    }
  }

  private func write(_ fields: [Field], next: UInt32, to writer: inout ByteWriter) {
    var start = UInt32(writer.bytes.count + size(ofEntries: fields.count))
    var data: [UInt8] = []
    if isBig {
      offset(UInt32(fields.count), to: &writer)
    } else {
      writer.short(UInt16(fields.count))
    }
    for field in fields {
      let (type, count, bytes) = field.value.encoded(isBigEndian)
      writer.short(field.tag)
      writer.short(type)
      offset(count, to: &writer)
      if case .entry(_, _, let field) = field.value {
        offset(field, to: &writer)
      } else if bytes.count <= inlineSize {
        writer.bytes += bytes + Array(repeating: 0, count: inlineSize - bytes.count)
      } else {
        offset(start, to: &writer)
        let padded = bytes + (bytes.count % 2 == 0 ? [] : [0])
        data += padded
        start += UInt32(padded.count)
      }
    }
    offset(next, to: &writer)
    writer.bytes += data
  }

  private func offset(_ value: UInt32, to writer: inout ByteWriter) {
    if isBig && isBigEndian { writer.long(0) }
    writer.long(value)
    if isBig && !isBigEndian { writer.long(0) }
  }
}

extension TIFFFixture.Directory {
  fileprivate var pointer: UInt16 {
    switch self {
    case .exif: 0x8769
    case .gps: 0x8825
    default: 0x014a
    }
  }
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
