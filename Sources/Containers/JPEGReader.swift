import Linux

/// What the segments of a JPEG before its coded picture say.
private struct JPEGHead {
  var width: Int?
  var height: Int?
  /// Whether a whole Exif segment was there, be it usable or not.
  var hasExif = false
  /// Whether its tags are in the clean block.
  var hasBlock = false
  /// Whether the file ends before all that could hold metadata.
  var isCut = false
  /// Where Photoshop keeps its things, the EXIF of other files among them.
  fileprivate var photoshop: JPEGSegment?
  var xmp: [UInt8]?
  fileprivate var extended = ExtendedXMP()
  var iptc: [UInt8]?
}

/// Reads the JPEG that is the file, or begins at `base` in it.
func readJPEG(
  at base: Int64 = 0, of file: borrowing OpenFile, _ window: inout FileWindow,
  _ block: inout CleanBlock
) throws(SystemError) -> Container {
  let head = try readHead(at: base, of: file, &window, &block)
  return Container(
    width: head.width, height: head.height, hasBlock: head.hasBlock, xmp: head.xmp,
    extendedXMP: head.xmp.flatMap { head.extended.packet(of: $0) }, iptc: head.iptc,
    isCut: head.isCut)
}

/// Walks the segments up to the picture: the first usable Exif segment goes into `block`.
private func readHead(
  at base: Int64, of file: borrowing OpenFile, _ window: inout FileWindow,
  _ block: inout CleanBlock
) throws(SystemError) -> JPEGHead {
  var head = JPEGHead()
  var position = base + 2
  // No file of junk or of countless tiny segments may take long. Real ones have some hundreds
  // of segments where a depth map is among the metadata.
  var patience = 1 << 20
  for _ in 0..<2000 {
    switch try window.nextSegment(from: position, of: file, &patience) {
    case .picture, .broken:
      try head.takePhotoshop(of: file, &window, &block)
      return head
    case .cut:
      // What is cut off behind the EXIF has been read.
      head.isCut = !head.hasExif
      return head
    case .segment(let segment):
      try head.take(segment, of: file, &window, &block)
      if head.isCut { return head }
      position = segment.end
    }
  }
  return head
}

extension JPEGHead {
  fileprivate mutating func take(
    _ segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    if segment.isFrameHeader {
      try takeFrame(segment, of: file, &window)
    } else if segment.marker == Marker.app1 {
      if !hasBlock { try takeExif(segment, of: file, &window, &block) }
      if xmp == nil { try takeXMP(segment, of: file, &window) }
      try extended.take(segment, of: file, &window)
    } else if segment.marker == Marker.app13, photoshop == nil {
      // Others of Adobe's have the same marker.
      let head = try window.range(at: segment.offset, photoshopHeader.count, of: file)
      if window.bytes[head].elementsEqual(photoshopHeader) { photoshop = segment }
    }
  }

  /// Precision, height and width, as a SOF segment begins. Height 0 means that it follows the
  /// first scan, which nobody uses.
  private mutating func takeFrame(
    _ segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    guard width == nil, segment.length >= 5 else { return }
    let range = try window.range(at: segment.offset, 5, of: file)
    guard range.count == 5 else { return }
    let pixels = (
      height: window.bigEndian16(at: range.lowerBound + 1),
      width: window.bigEndian16(at: range.lowerBound + 3)
    )
    guard pixels.height > 0, pixels.width > 0 else { return }
    (height, width) = (pixels.height, pixels.width)
  }

  private mutating func takeExif(
    _ segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    let range = try window.range(at: segment.offset, segment.length, of: file)
    guard range.count == segment.length else {
      isCut = !hasExif
      return
    }
    guard let start = exifStart(window.bytes[range]) else { return }
    hasExif = true
    let parts = try continuations(of: segment, of: file, &window)
    guard !parts.isEmpty else {
      let range = try window.range(at: segment.offset, segment.length, of: file)
      hasBlock = block.fill(from: TIFFBytes(window.bytes[range.dropFirst(start)]))
      return
    }
    var tiff: [UInt8] = []
    for (part, header) in [(segment, start)] + parts.map({ ($0, exifHeader.count + 1) }) {
      tiff +=
        window.bytes[try window.range(at: part.offset, part.length, of: file).dropFirst(header)]
    }
    hasBlock = block.fill(from: TIFFBytes(tiff[...]))
  }

  /// The segments right behind a full one that go on with its TIFF instead of beginning another:
  /// programs do so where 64 KiB are too little, although the standard does not.
  private mutating func continuations(
    of segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> [JPEGSegment] {
    var parts: [JPEGSegment] = []
    guard segment.length > 65_000 else { return parts }
    var (end, patience) = (segment.end, 1)
    while parts.count < 16 {
      guard case .segment(let next) = try window.nextSegment(from: end, of: file, &patience),
        next.marker == Marker.app1, next.length > 10
      else { break }
      let range = try window.range(at: next.offset, next.length, of: file)
      let head = window.bytes[range].prefix(10)
      guard head.starts(with: exifHeader), !TIFFBytes(head.dropFirst(6)).hasHeader else { break }
      guard range.count == next.length else {
        isCut = true
        return []
      }
      parts.append(next)
      end = next.end
    }
    return parts
  }
}

/// Where the TIFF begins in an Exif segment, behind `Exif` and two NULs (EXIF 2.32, 4.7.2); nil
/// where it is another segment. The second should be NUL, too, but not every writer agrees, and
/// some put a few bytes before it all.
private func exifStart(_ payload: ArraySlice<UInt8>) -> Int? {
  (0...4).first { payload.dropFirst($0).starts(with: exifHeader) }.map { $0 + 6 }
}

extension JPEGHead {
  /// ISO 16684-3: a packet behind its namespace and a NUL.
  private mutating func takeXMP(
    _ segment: JPEGSegment, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    let start = try window.range(at: segment.offset, xmpHeader.count, of: file)
    guard segment.length > xmpHeader.count, window.bytes[start].elementsEqual(xmpHeader) else {
      return
    }
    let range = try window.range(at: segment.offset, segment.length, of: file)
    guard range.count == segment.length else { return }
    xmp = Array(window.bytes[range.dropFirst(xmpHeader.count)])
  }

  fileprivate mutating func takePhotoshop(
    of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
  ) throws(SystemError) {
    guard let segment = photoshop else { return }
    let range = try window.range(at: segment.offset, segment.length, of: file)
    let payload = window.bytes[range]
    iptc = photoshopResource(PhotoshopResource.iptc, inSegment: payload).map { Array($0) }
    guard !hasExif, let exif = photoshopResource(PhotoshopResource.exif, inSegment: payload) else {
      return
    }
    hasBlock = block.fill(from: TIFFBytes(exif))
  }
}

let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

private let exifHeader: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0]
