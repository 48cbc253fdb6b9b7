/// A small well-formed EXIF block with nothing but the tags that we read.
///
/// libexif gets only this. In the block as the camera or the last editor left it, a bad thumbnail
/// offset makes libexif drop what follows, 64 KiB cut it off without a word, and maker notes
/// reach its most attacked code.
package struct CleanBlock: ~Copyable {
  /// `Exif\0\0` and a TIFF in the byte order of the source.
  package private(set) var bytes: [UInt8] = []
  private var values: [Value] = []
  private var isBigEndian = false

  private struct Value {
    let tag: Tag
    let type: UInt16
    let count: Int
    let range: Range<Int>

    /// In the block, where text ends with a NUL.
    var length: Int { range.count + (tag.isText ? 1 : 0) }
    var isInline: Bool { length <= 4 }
  }

  package init() {}

  /// Makes the block anew from the tags of `tiff`. Returns false when there is no directory.
  package mutating func fill(from tiff: TIFFBytes) -> Bool {
    values.removeAll(keepingCapacity: true)
    let image = tiff.firstDirectory
    guard image.count > 0 else { return false }
    isBigEndian = tiff.isBigEndian
    let pointers = collect(.image, at: image, of: tiff)
    for (directory, offset) in [(Tag.Directory.exif, pointers.exif), (.gps, pointers.gps)] {
      let found = tiff.directory(at: offset)
      // One that points back at the first directory would give its tags a second meaning.
      if found.start != image.start { _ = collect(directory, at: found, of: tiff) }
    }
    write(from: tiff)
    return true
  }

  /// Collects the tags of a directory, and returns the offsets of two others that it may name.
  private mutating func collect(
    _ directory: Tag.Directory, at entries: TIFFBytes.Directory, of tiff: TIFFBytes
  ) -> (exif: Int, gps: Int) {
    var pointers = (exif: 0, gps: 0)
    for index in 0..<entries.count {
      let entry = tiff.entry(index, of: entries)
      if let tag = Tag(entry.number, among: directory) {
        if let value = value(of: entry, tag, of: tiff) { take(value) }
      } else if entry.number == exifPointer {
        pointers.exif = tiff.integer(of: entry) ?? 0
      } else if entry.number == gpsPointer {
        pointers.gps = tiff.integer(of: entry) ?? 0
      }
    }
    return pointers
  }

  /// Of two with one number the later counts, as with exiftool.
  private mutating func take(_ value: Value) {
    if let index = values.firstIndex(where: { $0.tag == value.tag }) {
      values[index] = value
    } else {
      values.append(value)
    }
  }

  /// Returns nil for a value that is not there, or not of a kind that the tag can have.
  private func value(of entry: TIFFBytes.Entry, _ tag: Tag, of tiff: TIFFBytes) -> Value? {
    guard let range = tiff.valueRange(of: entry), let size = byteCount(ofType: entry.type) else {
      return nil
    }
    if tag.isText {
      // Text comes as ASCII, and from careless writers as BYTE, UNDEFINED or UTF-8.
      guard size == 1, entry.type != 6 else { return nil }
      let text = tiff.slice(range.prefix(textLimit)).prefix { $0 != 0 }
      guard !text.isEmpty else { return nil }
      let end = range.lowerBound + text.count
      return Value(tag: tag, type: 2, count: text.count + 1, range: range.lowerBound..<end)
    }
    guard entry.type != 2, entry.type != 129 else { return nil }
    // No number that we read has more than three parts.
    let count = min(entry.count, 3)
    let end = range.lowerBound + count * size
    return Value(tag: tag, type: entry.type, count: count, range: range.lowerBound..<end)
  }
}

// The writing half. Directories stand first, then the values that do not fit into an entry.
extension CleanBlock {
  private mutating func write(from tiff: TIFFBytes) {
    values.sort { $0.tag.rawValue < $1.tag.rawValue }
    let exifCount = values.count { $0.tag.directory == .exif }
    let gpsCount = values.count { $0.tag.directory == .gps }
    let pointers = (exifCount > 0 ? 1 : 0) + (gpsCount > 0 ? 1 : 0)
    let imageCount = values.count - exifCount - gpsCount + pointers
    let exifOffset = 8 + directorySize(imageCount)
    let gpsOffset = exifOffset + directorySize(exifCount)
    var data = gpsOffset + directorySize(gpsCount)

    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: "Exif\0\0".utf8)
    bytes.append(contentsOf: (isBigEndian ? "MM" : "II").utf8)
    append(short: 42)
    append(long: 8)
    append(short: imageCount)
    appendEntries(of: .image, from: tiff, &data)
    if exifCount > 0 { appendPointer(exifPointer, to: exifOffset) }
    if gpsCount > 0 { appendPointer(gpsPointer, to: gpsOffset) }
    append(long: 0)
    for (directory, count) in [(Tag.Directory.exif, exifCount), (.gps, gpsCount)] where count > 0 {
      append(short: count)
      appendEntries(of: directory, from: tiff, &data)
      append(long: 0)
    }
    for value in values where !value.isInline { appendData(of: value, from: tiff) }
  }

  private func directorySize(_ count: Int) -> Int { count == 0 ? 0 : 2 + 12 * count + 4 }

  private mutating func appendEntries(
    of directory: Tag.Directory, from tiff: TIFFBytes, _ data: inout Int
  ) {
    for value in values where value.tag.directory == directory {
      append(short: Int(value.tag.number))
      append(short: Int(value.type))
      append(long: value.count)
      if value.isInline {
        appendData(of: value, from: tiff)
        for _ in value.length..<4 { bytes.append(0) }
      } else {
        append(long: data)
        data += value.length
      }
    }
  }

  private mutating func appendData(of value: Value, from tiff: TIFFBytes) {
    bytes.append(contentsOf: tiff.slice(value.range))
    if value.tag.isText { bytes.append(0) }
  }

  private mutating func appendPointer(_ number: UInt16, to offset: Int) {
    append(short: Int(number))
    append(short: 4)
    append(long: 1)
    append(long: offset)
  }

  private mutating func append(short value: Int) {
    let (high, low) = (UInt8(value >> 8 & 0xff), UInt8(value & 0xff))
    bytes.append(isBigEndian ? high : low)
    bytes.append(isBigEndian ? low : high)
  }

  private mutating func append(long value: Int) {
    append(short: isBigEndian ? value >> 16 : value & 0xffff)
    append(short: isBigEndian ? value & 0xffff : value >> 16)
  }
}

private let exifPointer: UInt16 = 0x8769
private let gpsPointer: UInt16 = 0x8825

/// More bytes than the 256 characters that we keep can have.
private let textLimit = 1024
