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
  /// What Apple's devices write into both files of a shot with a film.
  package private(set) var contentIdentifier: [UInt8]?

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
      let number = tiff.number(ofEntry: index, of: entries)
      if let tag = Tag(number, among: directory) {
        let entry = tiff.entry(index, of: entries)
        guard let range = tiff.valueRange(of: entry) else {
          isIncomplete = true
          continue
        }
        take(tag, type: entry.type, count: entry.count, tiff.bytes.span.extracting(range))
      } else if number == exifPointer {
        pointers.exif = tiff.integer(of: tiff.entry(index, of: entries)) ?? 0
      } else if number == gpsPointer {
        pointers.gps = tiff.integer(of: tiff.entry(index, of: entries)) ?? 0
      } else if number == makerNote, directory == .exif,
        let range = tiff.valueRange(of: tiff.entry(index, of: entries))
      {
        take(note: tiff.slice(range))
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
    contentIdentifier = nil
  }

  mutating func take(note: ArraySlice<UInt8>) {
    contentIdentifier = Containers.contentIdentifier(inMakerNote: note)
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
  mutating func take(_ tag: Tag, type: UInt16, count: Int, _ bytes: Span<UInt8>) {
    guard let wanted = CleanBlock.wanted(tag, type: type, count: count), wanted <= bytes.count
    else { return }
    let isText = tag.isText
    let length = isText ? bytes.extracting(first: wanted).countBeforeNUL : wanted
    guard length > 0 else { return }
    if data.count + length > dataLimit { dropReplaced() }
    let value = Value(
      tag: tag, type: isText ? 2 : type, count: isText ? length + 1 : min(count, 3),
      range: data.count..<(data.count + length))
    data.append(addingCapacity: length) { output in
      for index in 0..<length { output.append(bytes[index]) }
    }
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
    sortValues()
    let exifCount = values.count { $0.tag.directory == .exif }
    let gpsCount = values.count { $0.tag.directory == .gps }
    let pointers = (exifCount > 0 ? 1 : 0) + (gpsCount > 0 ? 1 : 0)
    let imageCount = values.count - exifCount - gpsCount + pointers
    // The first directory is written even when nothing is in it.
    let exifOffset = 8 + 2 + 12 * imageCount + 4
    let gpsOffset = exifOffset + directorySize(exifCount)
    let dataOffset = gpsOffset + directorySize(gpsCount)

    let size = values.reduce(dataOffset) { $0 + ($1.isInline ? 0 : $1.length) }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: exifHeader)
    bytes.append(addingCapacity: size) { $0.append(repeating: 0, count: size) }
    let (values, data) = (values, data)
    var writer = BlockWriter(
      isBigEndian: isBigEndian, position: exifHeader.count, dataOffset: dataOffset)
    var block = bytes.mutableSpan
    writer.put(short: writer.isBigEndian ? 0x4d4d : 0x4949, &block)
    writer.put(short: 42, &block)
    writer.put(long: 8, &block)
    writer.put(short: imageCount, &block)
    writer.putEntries(of: .image, values, data, &block)
    if exifCount > 0 { writer.putPointer(exifPointer, to: exifOffset, &block) }
    if gpsCount > 0 { writer.putPointer(gpsPointer, to: gpsOffset, &block) }
    writer.put(long: 0, &block)
    for (directory, count) in [(Tag.Directory.exif, exifCount), (.gps, gpsCount)] where count > 0 {
      writer.put(short: count, &block)
      writer.putEntries(of: directory, values, data, &block)
      writer.put(long: 0, &block)
    }
    for value in values where !value.isInline { writer.put(value, data, &block) }
  }

  /// In nearly all files they stand in order, as they have to (TIFF 6.0, section 2).
  private mutating func sortValues() {
    let isSorted = zip(values, values.dropFirst()).allSatisfy { $0.tag.rawValue < $1.tag.rawValue }
    if !isSorted { values.sort { $0.tag.rawValue < $1.tag.rawValue } }
  }

  private func directorySize(_ count: Int) -> Int { count == 0 ? 0 : 2 + 12 * count + 4 }

  /// Writes a block from front to back, in place: a byte that is appended to an array costs ten
  /// times as much, and this is done for each photo.
  private struct BlockWriter {
    let isBigEndian: Bool
    var position: Int
    /// Where the next value lies that does not fit into its entry.
    var dataOffset: Int

    mutating func putEntries(
      of directory: Tag.Directory, _ values: [Value], _ data: [UInt8],
      _ block: inout MutableSpan<UInt8>
    ) {
      for value in values where value.tag.directory == directory {
        put(short: Int(value.tag.number), &block)
        put(short: Int(value.type), &block)
        put(long: value.count, &block)
        if value.isInline {
          put(value, data, &block)
          position += 4 - value.length
        } else {
          put(long: dataOffset, &block)
          dataOffset += value.length
        }
      }
    }

    /// The NUL behind a text stands there already.
    mutating func put(_ value: Value, _ data: [UInt8], _ block: inout MutableSpan<UInt8>) {
      var position = position
      for index in value.range {
        block[position] = data[index]
        position += 1
      }
      self.position += value.length
    }

    mutating func putPointer(
      _ number: UInt16, to offset: Int, _ block: inout MutableSpan<UInt8>
    ) {
      put(short: Int(number), &block)
      put(short: 4, &block)
      put(long: 1, &block)
      put(long: offset, &block)
    }

    mutating func put(short value: Int, _ block: inout MutableSpan<UInt8>) {
      let (high, low) = (UInt8(value >> 8 & 0xff), UInt8(value & 0xff))
      block[position] = isBigEndian ? high : low
      block[position + 1] = isBigEndian ? low : high
      position += 2
    }

    mutating func put(long value: Int, _ block: inout MutableSpan<UInt8>) {
      put(short: isBigEndian ? value >> 16 : value & 0xffff, &block)
      put(short: isBigEndian ? value & 0xffff : value >> 16, &block)
    }
  }
}

let exifPointer: UInt16 = 0x8769
let gpsPointer: UInt16 = 0x8825
let makerNote: UInt16 = 0x927c

private let exifHeader = Array("Exif\0\0".utf8)

extension Span<UInt8> {
  fileprivate var countBeforeNUL: Int {
    var count = 0
    while count < self.count, self[count] != 0 { count += 1 }
    return count
  }
}

/// More bytes than the 256 characters that we keep can have.
private let textLimit = 1024

/// More than one value of every tag takes; many of one tag may not take more.
private let dataLimit = 64 * 1024
