import Linux

/// Reads a film: MP4, MOV, M4V or 3GP (ISO/IEC 14496-12, 8.2; Apple's QuickTime File Format).
func readMovie(
  of file: borrowing OpenFile, _ window: inout FileWindow, _ block: inout CleanBlock
) throws(SystemError) -> Container {
  switch try window.find(["moov"], of: file) {
  case .cut: return Container(isCut: true)
  case .none: return Container()
  case .found(let box):
    var reading = MovieReading()
    try reading.take(box, of: file, &window, &block)
    if reading.container.xmp == nil { reading.container.xmp = try window.packetBox(of: file) }
    return reading.container
  }
}

/// What has been found in a film so far.
private struct MovieReading {
  var container = Container()
  private var movie = Movie()
  private var hasEnabledTrack = false
  private var handlers: Set<FourCharacters> = []
  /// Boxes that tell less than others, and so have to wait.
  private var userData: [Box] = []
  private var late: [Box] = []
  /// No film has more than one or two boxes of metadata of a kind.
  private var patience = 4

  mutating func take(
    _ box: Box, of file: borrowing OpenFile, _ window: inout FileWindow,
    _ block: inout CleanBlock
  ) throws(SystemError) {
    var walk = BoxWalk(box.payload, of: file)
    while let part = try walk.next(in: &window, of: file) {
      switch part.type {
      case "mvhd": try takeHeader(part, of: file, &window)
      case "trak": try takeTrack(part, of: file, &window)
      case "meta" where patience > 0:
        patience -= 1
        if try !movie.takeMetadata(part, isLate: false, of: file, &window) { late.append(part) }
      case "udta": userData.append(part)
      case "uuid":
        if try fill(&block, fromCanonBox: part, of: file, &window) { container.hasBlock = true }
      default: break
      }
    }
    for part in userData.prefix(4) {
      if container.xmp == nil, let box = try window.descend(["XMP_"], from: part, of: file) {
        container.xmp = try window.packet(at: [box.payload], of: file)
      }
      let thumbnail = try movie.takeUserData(part, of: file, &window)
      if let thumbnail, !container.hasBlock,
        try window.bytes(thumbnail, atMost: 2, of: file).elementsEqual([0xff, 0xd8])
      {
        container.hasBlock = try readJPEG(at: thumbnail, of: file, &window, &block).hasBlock
      }
    }
    for part in late {
      _ = try movie.takeMetadata(part, isLate: true, of: file, &window)
    }
    movie.isSoundAlone = handlers.contains("soun") && !handlers.contains("vide")
    container.movie = movie
  }

  /// ISO/IEC 14496-12, 8.2.2.
  private mutating func takeHeader(
    _ box: Box, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    let bytes = try window.bytes(box.payload.lowerBound, atMost: 32, of: file)
    var header = VersionedCursor(bytes.prefix(Int(clamping: box.payload.count)))
    let size = header.version == 1 ? 8 : 4
    guard let created = header.cursor.integer(size), header.cursor.integer(size) != nil,
      let scale = header.cursor.integer(4), let duration = header.cursor.integer(size)
    else { return }
    movie.created = created
    // All ones say that it is not known, and 0 that it is in the fragments.
    let unknown: UInt64 = size == 8 ? .max : 0xffff_ffff
    guard scale > 0, duration > 0, duration != unknown else { return }
    let milliseconds = (Double(duration) * 1000 / Double(scale)).rounded()
    container.durationMilliseconds = milliseconds < 1e15 ? Int(milliseconds) : nil
  }

  /// The first track with pictures that is enabled counts, or else the first with any.
  private mutating func takeTrack(
    _ box: Box, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) {
    guard let handler = try window.descend(["mdia", "hdlr"], from: box, of: file) else { return }
    var name = ByteCursor(try window.bytes(handler.payload.lowerBound + 8, atMost: 4, of: file))
    let kind = FourCharacters(code: UInt32(name.integer(4) ?? 0))
    handlers.insert(kind)
    guard !hasEnabledTrack, kind == "vide" || kind == "pict",
      let header = try window.descend(["tkhd"], from: box, of: file)
    else { return }
    let bytes = try window.bytes(header.payload.lowerBound, atMost: 96, of: file)
    guard let track = TrackHeader(bytes.prefix(Int(clamping: header.payload.count))),
      container.width == nil || track.isEnabled
    else { return }
    var size = track.size
    if size == nil { size = try codedSize(inTrack: box, of: file, &window) }
    guard let size else { return }
    (container.width, container.height) = size
    container.orientation = track.orientation?.number
    hasEnabledTrack = track.isEnabled
  }
}

/// The size in the description of a track's first coding, for a track that leaves out its own.
private func codedSize(
  inTrack track: Box, of file: borrowing OpenFile, _ window: inout FileWindow
) throws(SystemError) -> (width: Int, height: Int)? {
  guard let list = try window.descend(["mdia", "minf", "stbl", "stsd"], from: track, of: file)
  else { return nil }
  // Version, flags and count; then the header of the first, and 24 bytes of it.
  let bytes = try window.bytes(list.payload.lowerBound + 40, atMost: 4, of: file)
  guard list.payload.count >= 44 else { return nil }
  var cursor = ByteCursor(bytes)
  return pixels(cursor.integer(2), cursor.integer(2))
}

/// ISO/IEC 14496-12, 8.3.2.
private struct TrackHeader {
  let isEnabled: Bool
  /// Before the picture is turned; scaled as the matrix says.
  let size: (width: Int, height: Int)?
  /// nil where the matrix does more than turn, mirror and scale.
  let orientation: Orientation?

  init?(_ bytes: ArraySlice<UInt8>) {
    var box = VersionedCursor(bytes)
    isEnabled = box.flags & 1 == 1
    // Times, number and duration; then layer, volume and reserved bytes.
    guard box.cursor.take((box.version == 1 ? 32 : 20) + 16) != nil else { return nil }
    var matrix: [Double] = []
    for _ in 0..<9 {
      guard let value = box.cursor.fixedPoint() else { return nil }
      matrix.append(value)
    }
    guard let width = box.cursor.integer(4), let height = box.cursor.integer(4) else { return nil }
    // The shown x is a x + c y, the shown y is b x + d y; a, b, u, c, d, v stand in this order.
    let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
    orientation = Orientation(xx: a, xy: c, yx: b, yy: d)
    let scale = orientation == nil ? (1, 1) : (abs(a) + abs(b), abs(c) + abs(d))
    size = pixels(scaled(width, by: scale.0), scaled(height, by: scale.1))
  }
}

/// Whole pixels of a length with sixteen bits of fraction.
private func scaled(_ length: UInt64, by scale: Double) -> UInt64 {
  UInt64((Double(length) / 65_536 * scale).rounded())
}
