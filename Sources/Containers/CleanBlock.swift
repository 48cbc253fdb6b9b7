/// A small well-formed EXIF block with nothing but the tags that we read.
///
/// libexif gets only this. In the block as the camera or the last editor left it, a bad thumbnail
/// offset makes libexif drop what follows, 64 KiB cut it off without a word, and maker notes
/// reach its most attacked code.
package struct CleanBlock: ~Copyable {
  /// `Exif\0\0` and a TIFF in the byte order of the source.
  package private(set) var bytes: [UInt8] = []
  private var values: [Value] = []
  /// The bytes of the values, one behind the other.
  private var data: [UInt8] = []
  private var isBigEndian = false
  /// Whether a tag that we read, or the directory of such tags, did not lie in the bytes.
  private(set) var isIncomplete = false

  private struct Value {
    let tag: Tag
    let type: UInt16
    let count: Int
    var range: Range<Int>

    /// In the block, where text ends with a NUL.
    var length: Int { range.count + (tag.isText ? 1 : 0) }
    var isInline: Bool { length <= 4 }
  }

  package init() {}

  /// Makes the block anew from the tags of `tiff`. Returns false when there is no directory.
  package mutating func fill(from tiff: TIFFBytes) -> Bool {
    let image = tiff.firstDirectory
    guard image.count > 0 else { return false }
    start(isBigEndian: tiff.isBigEndian)
    let pointers = collect(.image, at: image, of: tiff)
    for (directory, offset) in [(Tag.Directory.exif, pointers.exif), (.gps, pointers.gps)] {
      let found = tiff.directory(at: offset)
      if offset > 0 && found.count == 0 { isIncomplete = true }
      // One that points back at the first directory would give its tags a second meaning.
      if found.start != image.start { _ = collect(directory, at: found, of: tiff) }
    }
    finish()
    return true
  }

  /// Makes the block anew from directories in TIFFs of their own. Returns false when there is none;
  /// one in another byte order than the first does not count.
  mutating func fill(from parts: [(directory: Tag.Directory, tiff: TIFFBytes)]) -> Bool {
    guard let first = parts.first(where: { $0.tiff.firstDirectory.count > 0 }) else { return false }
    start(isBigEndian: first.tiff.isBigEndian)
    for (directory, tiff) in parts where tiff.isBigEndian == first.tiff.isBigEndian {
      _ = collect(directory, at: tiff.firstDirectory, of: tiff)
    }
    finish()
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
        guard let range = tiff.valueRange(of: entry) else {
          isIncomplete = true
          continue
        }
        take(tag, type: entry.type, count: entry.count, tiff.slice(range))
      } else if entry.number == exifPointer {
        pointers.exif = tiff.integer(of: entry) ?? 0
      } else if entry.number == gpsPointer {
        pointers.gps = tiff.integer(of: entry) ?? 0
      }
    }
    return pointers
  }
}

// The collecting half: `start`, then `take` for each value, then `finish`.
extension CleanBlock {
  mutating func start(isBigEndian: Bool) {
    values.removeAll(keepingCapacity: true)
    data.removeAll(keepingCapacity: true)
    self.isBigEndian = isBigEndian
    isIncomplete = false
  }

  /// How many bytes of a value `take` wants to see; nil for one that is not of a kind that the tag
  /// can have.
  static func wanted(_ tag: Tag, type: UInt16, count: Int) -> Int? {
    guard let size = byteCount(ofType: type), count > 0 else { return nil }
    // Text comes as ASCII, and from careless writers as BYTE, UNDEFINED or UTF-8.
    if tag.isText { return size == 1 && type != 6 ? min(count, textLimit) : nil }
    // No number that we read has more than three parts.
    return type == 2 || type == 129 ? nil : min(count, 3) * size
  }

  /// Of two values of one tag the later counts, as with exiftool.
  mutating func take(_ tag: Tag, type: UInt16, count: Int, _ bytes: ArraySlice<UInt8>) {
    guard let wanted = CleanBlock.wanted(tag, type: type, count: count), wanted <= bytes.count
    else { return }
    var bytes = bytes.prefix(wanted)
    if tag.isText { bytes = bytes.prefix { $0 != 0 } }
    guard !bytes.isEmpty else { return }
    if data.count + bytes.count > dataLimit { dropReplaced() }
    let value = Value(
      tag: tag, type: tag.isText ? 2 : type, count: tag.isText ? bytes.count + 1 : min(count, 3),
      range: data.count..<(data.count + bytes.count))
    data.append(contentsOf: bytes)
    if let index = values.firstIndex(where: { $0.tag == tag }) {
      values[index] = value
    } else {
      values.append(value)
    }
  }

  /// Forgets the bytes of values in whose place later ones of their tags are.
  private mutating func dropReplaced() {
    var kept: [UInt8] = []
    for index in values.indices {
      let bytes = data[values[index].range]
      values[index].range = kept.count..<(kept.count + bytes.count)
      kept += bytes
    }
    data = kept
  }

  /// Takes out what could be wrong where the tags that are lost would say more: one date is as good
  /// as another only if the better one is not there, and a position tells the zone of the date.
  mutating func forget(uncertainWithout lost: Set<Tag>) {
    let hasLostPosition = lost.contains { $0.directory == .gps }
    let hasLostTime = hasLostPosition || lost.contains(where: \.isTime)
    values.removeAll { value in
      lost.contains(value.tag) || hasLostPosition && value.tag.directory == .gps
        || hasLostTime && value.tag.isTime
    }
    finish()
  }

  /// Writes the block: directories first, then the values that do not fit into an entry.
  mutating func finish() {
    values.sort { $0.tag.rawValue < $1.tag.rawValue }
    let exifCount = values.count { $0.tag.directory == .exif }
    let gpsCount = values.count { $0.tag.directory == .gps }
    let pointers = (exifCount > 0 ? 1 : 0) + (gpsCount > 0 ? 1 : 0)
    let imageCount = values.count - exifCount - gpsCount + pointers
    let exifOffset = 8 + directorySize(imageCount)
    let gpsOffset = exifOffset + directorySize(exifCount)
    var next = gpsOffset + directorySize(gpsCount)

    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: "Exif\0\0".utf8)
    bytes.append(contentsOf: (isBigEndian ? "MM" : "II").utf8)
    append(short: 42)
    append(long: 8)
    append(short: imageCount)
    appendEntries(of: .image, &next)
    if exifCount > 0 { appendPointer(exifPointer, to: exifOffset) }
    if gpsCount > 0 { appendPointer(gpsPointer, to: gpsOffset) }
    append(long: 0)
    for (directory, count) in [(Tag.Directory.exif, exifCount), (.gps, gpsCount)] where count > 0 {
      append(short: count)
      appendEntries(of: directory, &next)
      append(long: 0)
    }
    for value in values where !value.isInline { appendData(of: value) }
  }

  private func directorySize(_ count: Int) -> Int { count == 0 ? 0 : 2 + 12 * count + 4 }

  private mutating func appendEntries(of directory: Tag.Directory, _ next: inout Int) {
    for value in values where value.tag.directory == directory {
      append(short: Int(value.tag.number))
      append(short: Int(value.type))
      append(long: value.count)
      if value.isInline {
        appendData(of: value)
        for _ in value.length..<4 { bytes.append(0) }
      } else {
        append(long: next)
        next += value.length
      }
    }
  }

  private mutating func appendData(of value: Value) {
    bytes.append(contentsOf: data[value.range])
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

let exifPointer: UInt16 = 0x8769
let gpsPointer: UInt16 = 0x8825

/// More bytes than the 256 characters that we keep can have.
private let textLimit = 1024

/// More than one value of every tag takes; many of one tag may not take more.
private let dataLimit = 64 * 1024
