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
    var length: Int { range.count + (tag.form == .text ? 1 : 0) }
    var isInline: Bool { length <= 4 }
  }

  package init() {}

  /// Makes the block anew from the tags of `tiff`. Returns false when there is no directory.
  package mutating func fill(from tiff: TIFFBytes) -> Bool {
    values.removeAll(keepingCapacity: true)
    guard let first = tiff.firstDirectory, tiff.entryCount(at: first) > 0 else { return false }
    isBigEndian = tiff.isBigEndian
    collect(.image, at: first, of: tiff)
    for (pointer, directory) in [(exifPointer, Tag.Directory.exif), (gpsPointer, .gps)] {
      // One that points back at the first directory would give its tags a second meaning.
      guard let offset = self.offset(pointer, in: first, of: tiff), offset != first else {
        continue
      }
      collect(directory, at: offset, of: tiff)
    }
    write(from: tiff)
    return true
  }

  private func offset(_ pointer: UInt16, in directory: Int, of tiff: TIFFBytes) -> Int? {
    for index in 0..<tiff.entryCount(at: directory) {
      if let entry = tiff.entry(index, at: directory), entry.number == pointer {
        return tiff.integer(of: entry)
      }
    }
    return nil
  }

  private mutating func collect(_ directory: Tag.Directory, at offset: Int, of tiff: TIFFBytes) {
    for index in 0..<tiff.entryCount(at: offset) {
      guard let entry = tiff.entry(index, at: offset),
        let tag = Tag.wanted(entry.number, in: directory),
        let value = value(of: entry, tag, of: tiff)
      else { continue }
      // Of two with one number the later counts, as with exiftool.
      values.removeAll { $0.tag == tag }
      values.append(value)
    }
  }

  /// Returns nil for a value that is not there, or not of a kind that the tag can have.
  private func value(of entry: TIFFBytes.Entry, _ tag: Tag, of tiff: TIFFBytes) -> Value? {
    guard let range = tiff.valueRange(of: entry), let size = byteCount(ofType: entry.type) else {
      return nil
    }
    switch tag.form {
    case .text:
      // Text comes as ASCII, and from careless writers as BYTE, UNDEFINED or UTF-8.
      guard size == 1, entry.type != 6 else { return nil }
      let text = tiff.slice(range.prefix(textLimit)).prefix { $0 != 0 }
      guard !text.isEmpty else { return nil }
      let end = range.lowerBound + text.count
      return Value(tag: tag, type: 2, count: text.count + 1, range: range.lowerBound..<end)
    case .number:
      guard entry.type != 2, entry.type != 129 else { return nil }
      // No number that we read has more than three parts.
      let count = min(entry.count, 3)
      let end = range.lowerBound + count * size
      return Value(tag: tag, type: entry.type, count: count, range: range.lowerBound..<end)
    }
  }
}

// The writing half. Directories stand first, then the values that do not fit into an entry.
extension CleanBlock {
  private mutating func write(from tiff: TIFFBytes) {
    values.sort { $0.tag.place < $1.tag.place }
    let exifCount = values.count { $0.tag.directory == .exif }
    let gpsCount = values.count { $0.tag.directory == .gps }
    let pointers = (exifCount > 0 ? 1 : 0) + (gpsCount > 0 ? 1 : 0)
    let imageCount = values.count - exifCount - gpsCount + pointers
    let exifOffset = 8 + directorySize(imageCount)
    let gpsOffset = exifOffset + directorySize(exifCount)
    var data = gpsOffset + directorySize(gpsCount)

    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: [0x45, 0x78, 0x69, 0x66, 0, 0])
    bytes.append(contentsOf: isBigEndian ? [0x4d, 0x4d] : [0x49, 0x49])
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
    if value.tag.form == .text { bytes.append(0) }
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
