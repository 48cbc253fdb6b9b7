import Linux

extension Movie {
  /// Apple's metadata: `keys` lists names, and the items of `ilst` are numbered by them; in a list of
  /// iTunes' kind items have the names of user data (QuickTime File Format, "Metadata").
  ///
  /// Returns false, and takes nothing, when the list stands before its keys: no camera writes that,
  /// and what a camera left in the user data tells more, unless `isLate`.
  mutating func takeMetadata(
    _ box: Box, isLate: Bool, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> Bool {
    var (names, list) = ([[UInt8]](), Box?.none)
    var walk = BoxWalk(try window.content(ofMetadata: box, of: file), of: file)
    while let part = try walk.next(in: &window, of: file) {
      if part.type == "keys", let bytes = try window.bytes(of: [part.payload], of: file) {
        if list != nil && !isLate { return false }
        names = keyNames(bytes[...])
      } else if part.type == "ilst" {
        list = part
      }
    }
    guard let list else { return true }
    var items = BoxWalk(list.payload, of: file)
    while let item = try items.next(in: &window, of: file) {
      let index = Int(item.type.code) - 1
      let name = names.indices.contains(index) ? names[index] : nil
      guard let text = name.map({ keyedTexts[$0] ?? userTexts[named: $0] }) ?? userTexts[item.type],
        item.payload.count < 1 << 16,
        let bytes = try window.bytes(of: [item.payload], of: file),
        let value = itemText(bytes[...])
      else { continue }
      add(text, value)
    }
    return true
  }

  /// What programs and cameras put beside the tracks. Returns where Canon's thumbnail begins, a JPEG
  /// with the EXIF of the shot.
  mutating func takeUserData(
    _ box: Box, of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> Int64? {
    var (thumbnail, metadata) = (Int64?.none, Box?.none)
    var unread = readUserData
    var walk = BoxWalk(box.payload, of: file)
    while let part = try walk.next(in: &window, of: file) {
      if part.type == "meta" {
        metadata = part
      } else if part.type == "CNTH" {
        thumbnail = try window.descend(["CNDA"], from: part, of: file)?.payload.lowerBound
      } else if unread.remove(part.type) != nil, part.payload.count < 1 << 16,
        let bytes = try window.bytes(of: [part.payload], of: file)
      {
        take(part.type, bytes[...])
      }
    }
    if let metadata { _ = try takeMetadata(metadata, isLate: true, of: file, &window) }
    return thumbnail
  }

  private mutating func take(_ type: FourCharacters, _ bytes: ArraySlice<UInt8>) {
    switch type {
    case "loci": place = place ?? Place(location: bytes)
    // Behind version, flags and language, in Samsung's and Canon's films.
    case "manu": add(.make, bytes.dropFirst(6))
    case "modl": add(.model, bytes.dropFirst(6))
    case "slno": add(.serial, bytes)
    case "CNMN":
      add(.make, "Canon".utf8)
      add(.model, bytes)
    case "FIRM": takeGoPro(firmware: bytes)
    case "GPMF": takeGoPro(bytes)
    // Cameras from the time before cameras knew of zones.
    case "TAGS", "NCDT": isCreatedLocal = true
    default:
      if let text = userTexts[type], let value = internationalText(bytes) { add(text, value) }
    }
  }
}

extension FileWindow {
  /// In QuickTime's `meta`, unlike in that of ISO/IEC 14496-12, no version stands before the boxes.
  fileprivate mutating func content(
    ofMetadata box: Box, of file: borrowing OpenFile
  ) throws(SystemError) -> Range<Int64> {
    let head = try bytes(box.payload.lowerBound, atMost: 8, of: file)
    let isPlain = head.dropFirst(4).elementsEqual("hdlr".utf8)
    let start = box.payload.lowerBound + (isPlain ? 0 : 4)
    return min(start, box.payload.upperBound)..<box.payload.upperBound
  }
}

/// Each with its length, a name space, and the name.
private func keyNames(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
  var box = VersionedCursor(bytes)
  guard box.cursor.integer(4) != nil else { return [] }
  var names: [[UInt8]] = []
  // No film has a hundred.
  while names.count < 4096, let key = box.cursor.box() { names.append(Array(key.content)) }
  return names
}

extension Movie.Place {
  /// 3GPP TS 26.244, 8.11: version, flags, language, a name, a role, and three numbers.
  init?(location bytes: ArraySlice<UInt8>) {
    var cursor = ByteCursor(bytes.dropFirst(6))
    let isWide = cursor.rest.starts(with: [0xfe, 0xff])
    repeat {
      guard let character = cursor.integer(isWide ? 2 : 1) else { return nil }
      if character == 0 { break }
    } while true
    guard cursor.integer(1) != nil, let longitude = cursor.fixedPoint(),
      let latitude = cursor.fixedPoint(), let altitude = cursor.fixedPoint()
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }
}

private let keyedTexts: [[UInt8]: Movie.Text] = {
  var texts: [[UInt8]: Movie.Text] = [:]
  for (name, text) in [
    ("com.apple.quicktime.creationdate", .creationDate),
    ("com.apple.quicktime.make", .make),
    ("com.apple.quicktime.model", .model),
    ("com.apple.quicktime.location.ISO6709", .location),
    ("com.apple.quicktime.content.identifier", .contentIdentifier),
    ("manu", .make),
    ("modl", .model),
    ("com.android.manufacturer", .make),
    ("com.android.model", .model),
    ("com.samsung.android.utc_offset", .utcOffset),
  ] as [(String, Movie.Text)] { texts[Array(name.utf8)] = text }
  return texts
}()

private let userTexts: [FourCharacters: Movie.Text] = [
  "©day": .contentDate, "©mak": .make, "©mod": .model, "©xyz": .location,
]

extension [FourCharacters: Movie.Text] {
  /// Some use the names of user data as keys.
  fileprivate subscript(named name: [UInt8]) -> Movie.Text? {
    guard name.count == 4 else { return nil }
    return self[FourCharacters(code: name.reduce(0) { $0 << 8 | UInt32($1) })]
  }
}

private let readUserData: Set<FourCharacters> = Set(userTexts.keys).union([
  "loci", "manu", "modl", "slno", "CNMN", "FIRM", "GPMF", "TAGS", "NCDT",
])
