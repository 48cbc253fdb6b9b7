import Linux

/// Walks the directories of the TIFF that is the file: its tags go into `block`.
///
/// The size is that of the largest picture in the file. A raw has its preview in one directory and
/// the picture in another, which one in which is the maker's choice. Canon's CR2 tells no size but
/// in the first (`isSizeInFirst`).
func readTIFF(
  of file: borrowing OpenFile, isSizeInFirst: Bool, _ window: inout FileWindow,
  _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let whole = 0..<file.sizeWhenOpened
  guard let tiff = try TIFFFile(in: whole, of: file, &window) else {
    return Container(isCut: true)
  }
  var walk = TIFFWalk(tiff: tiff)
  try walk.readTags(of: file, &window, &block)
  guard walk.hasTags else { return Container(isCut: walk.isCut) }
  if walk.isCut { block.forget(uncertainWithout: walk.lost) }
  if !isSizeInFirst { try walk.readSizes(of: file, &window) }
  var size = walk.isSizeKnown ? walk.size : nil
  if let directory = try phaseOneDirectory(of: file, &window) {
    size = try phaseOneSize(at: directory, of: file, &window)
  }
  var container = Container(
    width: size?.width, height: size?.height, hasBlock: true, isCut: walk.isCut)
  try walk.takePackets(&container, of: file)
  return container
}

/// Fills `block` from a TIFF that is a part of the file, and all there: what is not in the part
/// never was. `Exif\0\0` may stand before it. Returns false when it has no directory.
func readTags(
  inTIFF range: Range<Int64>, of file: borrowing OpenFile, _ window: inout FileWindow,
  _ block: inout CleanBlock
) throws(SystemError) -> Bool {
  let head = window.bytes[try window.range(at: range.lowerBound, 6, of: file)]
  let start = range.lowerBound + (head.elementsEqual("Exif\0\0".utf8) ? 6 : 0)
  guard start < range.upperBound,
    let tiff = try TIFFFile(in: start..<range.upperBound, of: file, &window)
  else { return false }
  var walk = TIFFWalk(tiff: tiff)
  try walk.readTags(of: file, &window, &block)
  return walk.hasTags
}

/// What has been found of a TIFF so far.
private struct TIFFWalk {
  let tiff: TIFFFile
  var hasTags = false
  /// Whether the file ends before or inside the metadata.
  var isCut = false
  /// Tags whose values lie behind the end of the file.
  var lost: Set<Tag> = []
  var size: (width: Int, height: Int)?
  /// Whether all directories are there, of which any may be that of the largest picture.
  var isSizeKnown = true
  /// Where the packets of XMP and IPTC are.
  private var packets: [UInt16: Range<Int64>] = [:]
  /// Where the directories are whose sizes count, but for the first, each once.
  private var offsets: [UInt64] = []
  private var known: Set<UInt64> = []
  /// Values that may still be read: no file may keep the reader busy for long.
  private var patience = 8192

  init(tiff: TIFFFile) {
    self.tiff = tiff
  }

  mutating func readTags(
    of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
  ) throws(SystemError) {
    switch try tiff.directory(at: tiff.firstDirectory, of: file, &window) {
    case .none: return
    case .cut: isCut = true
    case .directory(let image):
      hasTags = true
      block.start(isBigEndian: tiff.isBigEndian)
      let pointers = try collect(.image, image, of: file, &window, &block)
      for (directory, offset) in [(Tag.Directory.exif, pointers.exif), (.gps, pointers.gps)]
      // One that points back at the first directory would give its tags a second meaning.
      where offset != nil && offset != tiff.firstDirectory {
        switch try tiff.directory(at: offset ?? 0, of: file, &window) {
        case .none: break
        case .cut:
          isCut = true
          lost.formUnion(Tag.allCases.filter { $0.directory == directory })
        case .directory(let found): _ = try collect(directory, found, of: file, &window, &block)
        }
      }
      block.finish()
      known = [tiff.firstDirectory]
      try takeSize(of: image, of: file, &window)
    }
  }

  /// Collects the tags of a directory, and returns the offsets of two others that it may name.
  private mutating func collect(
    _ directory: Tag.Directory, _ entries: TIFFFile.Directory, of file: borrowing OpenFile,
    _ window: inout FileWindow, _ block: inout CleanBlock
  ) throws(SystemError) -> (exif: UInt64?, gps: UInt64?) {
    var pointers = (exif: UInt64?.none, gps: UInt64?.none)
    for index in 0..<entries.count {
      let entry = tiff.entry(index, of: entries)
      if let tag = Tag(entry.number, among: directory) {
        try take(tag, entry, of: file, &window, &block)
      } else if entry.number == exifPointer {
        pointers.exif = try integers(of: entry, atMost: 1, of: file, &window).first
      } else if entry.number == gpsPointer {
        pointers.gps = try integers(of: entry, atMost: 1, of: file, &window).first
      } else if entry.number == makerNote, directory == .exif, entry.type == 7 {
        try takeNote(entry, of: file, &window, &block)
      } else if directory == .image, packetTags.contains(entry.number) {
        packets[entry.number] = tiff.range(of: entry)
      }
    }
    return pointers
  }

  fileprivate mutating func integers(
    of entry: TIFFFile.Entry, atMost limit: Int, of file: borrowing OpenFile,
    _ window: inout FileWindow
  ) throws(SystemError) -> [UInt64] {
    guard patience > 0 else { return [] }
    patience -= 1
    return try tiff.integers(of: entry, atMost: limit, of: file, &window)
  }

  /// Apple's raws have in it what links them to their films. Those of others are large, and are not read.
  private mutating func takeNote(
    _ entry: TIFFFile.Entry, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    guard patience > 0, (1...noteLimit).contains(entry.count) else { return }
    patience -= 1
    let start = try tiff.value(of: entry, first: appleHeader.count, of: file, &window)
    guard case .bytes(let header) = start, header.elementsEqual(appleHeader) else { return }
    let whole = try tiff.value(of: entry, first: Int(entry.count), of: file, &window)
    if case .bytes(let note) = whole { block.take(note: note) }
  }

  private mutating func take(
    _ tag: Tag, _ entry: TIFFFile.Entry, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    let count = Int(clamping: entry.count)
    guard patience > 0, let wanted = CleanBlock.wanted(tag, type: entry.type, count: count) else {
      return
    }
    patience -= 1
    switch try tiff.value(of: entry, first: wanted, of: file, &window) {
    case .none: break
    case .cut:
      isCut = true
      lost.insert(tag)
    case .bytes(let bytes): block.take(tag, type: entry.type, count: count, bytes.span)
    }
  }
}

extension TIFFWalk {
  func takePackets(
    _ container: inout Container, of file: borrowing OpenFile
  ) throws(SystemError) {
    if let range = packets[xmpTag] { container.xmp = try packet(range, of: file) }
    if let range = packets[iptcTag] { container.iptc = try packet(range, of: file) }
    guard container.iptc == nil, let range = packets[photoshopTag],
      let resources = try packet(range, of: file)
    else { return }
    container.iptc = photoshopResource(PhotoshopResource.iptc, in: resources[...]).map { Array($0) }
  }

  /// Looks at all directories but those of Exif and GPS.
  mutating func readSizes(
    of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    var index = 0
    while index < min(offsets.count, pageLimit - 1) {
      switch try tiff.directory(at: offsets[index], of: file, &window) {
      case .none: break
      case .cut: isSizeKnown = false
      case .directory(let found): try takeSize(of: found, of: file, &window)
      }
      index += 1
    }
  }

  private mutating func takeSize(
    of directory: TIFFFile.Directory, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    var fields = SizeFields()
    for index in 0..<directory.count {
      let entry = tiff.entry(index, of: directory)
      if entry.number == subdirectories {
        let found = try integers(of: entry, atMost: 16, of: file, &window)
        if found.isEmpty { isSizeKnown = false }
        offsets += found.filter { known.insert($0).inserted }
      } else if let field = SizeFields.Field(rawValue: entry.number) {
        fields[field] = try integers(of: entry, atMost: 1, of: file, &window).first
      }
    }
    let next = tiff.next(after: directory)
    if next != 0, known.insert(next).inserted { offsets.append(next) }
    guard let found = fields.size else { return }
    let area = Double(size?.width ?? 0) * Double(size?.height ?? 0)
    if Double(found.width) * Double(found.height) > area { size = found }
  }
}

/// The tags in which a directory tells the size of its picture.
private struct SizeFields {
  enum Field: UInt16 {
    // TIFF 6.0; JPEG XR has numbers of its own (ITU-T T.832, annex A).
    case imageWidth = 0x100
    case imageLength = 0x101
    case extendedWidth = 0xbc80
    case extendedHeight = 0xbc81
    // Panasonic's raws have only the borders of the picture on the sensor.
    case top = 4
    case left = 5
    case bottom = 6
    case right = 7
  }

  private var values: [Field: UInt64] = [:]

  subscript(_ field: Field) -> UInt64? {
    get { values[field] }
    set { values[field] = newValue }
  }

  var size: (width: Int, height: Int)? {
    if let width = self[.imageWidth], let height = self[.imageLength] {
      return pixels(width, height)
    }
    if let width = self[.extendedWidth], let height = self[.extendedHeight] {
      return pixels(width, height)
    }
    guard let left = self[.left], let right = self[.right], let top = self[.top],
      let bottom = self[.bottom], left < right, top < bottom
    else { return nil }
    return pixels(right - left, bottom - top)
  }
}

/// More than the notes of Apple's devices take.
private let noteLimit: UInt64 = 65_536

/// Pages beyond these do not count.
private let pageLimit = 128

private let subdirectories: UInt16 = 0x014a

// ISO 16684-3; the two others are Adobe's.
private let xmpTag: UInt16 = 700
private let iptcTag: UInt16 = 33_723
private let photoshopTag: UInt16 = 34_377
private let packetTags = [xmpTag, iptcTag, photoshopTag]
