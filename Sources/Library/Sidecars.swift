package import Model

/// Which sidecars belong to which photos of one directory, by their names alone.
package struct Sidecars: Sendable {
  private typealias Name = ArraySlice<UInt8>

  private let files: [AdmittedListing.Photo]
  /// Numbers of XMP files by their names without `.xmp`.
  private var xmp: [Name: Int] = [:]
  /// Those of darktable's further versions by the photo's name.
  private var versions: [Name: [Int]] = [:]
  /// The names of the photos, where there is any XMP.
  private var photos: Set<ArraySlice<UInt8>> = []
  private var takeout = TakeoutFiles()

  /// Costs nothing where no sidecar is in the listing.
  package init(_ listing: AdmittedListing) {
    // In the order of names: what a directory gives first is chance.
    files = listing.sidecars.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    for (number, file) in files.enumerated() {
      if file.name.last == UInt8(ascii: "p") || file.name.last == UInt8(ascii: "P") {
        let base = file.name.dropLast(".xmp".utf8.count)
        if xmp[base] == nil { xmp[base] = number }
      } else if let name = TakeoutName(file.name) {
        takeout.add(name, number)
      }
    }
    if !xmp.isEmpty { findVersions(listing) }
  }

  package var isEmpty: Bool { files.isEmpty }

  /// An XMP file that no photo has for its own is one of a version, if its name says so.
  private mutating func findVersions(_ listing: AdmittedListing) {
    photos = Set(listing.photos.map(\.name))
    let stems = Set(listing.photos.map { splitName($0.name).stem })
    for (base, number) in xmp where !photos.contains(base) && !stems.contains(base) {
      let (stem, ending) = splitName(base)
      let digits = stem.reversed().prefix(while: isDigit).count
      guard digits >= 2, stem.dropLast(digits).last == UInt8(ascii: "_") else { continue }
      let name = Array(stem.dropLast(digits + 1)) + ending
      if photos.contains(name[...]) { versions[name[...], default: []].append(number) }
    }
  }

  /// Those of the photo of this name; that of its very name first.
  package func of(_ name: ArraySlice<UInt8>) -> [Sidecar] {
    guard !files.isEmpty else { return [] }
    var found: [Sidecar] = []
    func add(_ number: Int, _ kind: Sidecar.Kind) {
      let file = files[number]
      found.append(Sidecar(name: Array(file.name), kind: kind, fingerprint: file.fingerprint))
    }
    if let number = xmp[name] { add(number, .xmp) }
    let stem = splitName(name).stem
    if stem.count < name.count, !photos.contains(stem), let number = xmp[stem] {
      add(number, .xmpOfShot)
    }
    for number in (versions[name] ?? []).sorted() { add(number, .xmpOfVersion) }
    if let number = takeout.number(of: name) { add(number, .takeout) }
    return found
  }
}

/// The JSON files of Google Takeout's in one directory.
private struct TakeoutFiles: Sendable {
  private struct Key: Hashable {
    let title: ArraySlice<UInt8>
    let number: ArraySlice<UInt8>
  }

  private var byTitle: [Key: Int] = [:]
  private var cut: [Key: Int] = [:]
  /// By the title without its extension.
  private var byStem: [Key: Int] = [:]

  /// Of two with one title the later name counts: that is the newer form.
  mutating func add(_ name: TakeoutName, _ file: Int) {
    let key = Key(title: name.title, number: name.number)
    if name.isCut { cut[key] = file }
    byTitle[key] = file
    byStem[Key(title: splitName(name.title).stem, number: name.number)] = file
  }

  func number(of photo: ArraySlice<UInt8>) -> Int? {
    guard !byTitle.isEmpty else { return nil }
    let (stem, ending) = splitName(photo)
    if let file = file(of: stem, ending) { return file }
    let (plain, number) = numbered(stem)
    if let edited = original(ofEdited: plain) {
      // The picture that was edited may be of another type.
      return file(of: Array(edited + number)[...], ending)
        ?? byStem[Key(title: edited, number: number)]
    }
    // The film of a shot shares the file of its picture.
    return isVideoName(Array(photo).span) ? byStem[Key(title: plain, number: number)] : nil
  }

  private func file(of stem: ArraySlice<UInt8>, _ ending: ArraySlice<UInt8>) -> Int? {
    let whole = Array(stem + ending)[...]
    let (plain, number) = numbered(stem)
    var keys = [Key(title: whole, number: [])]
    if !number.isEmpty { keys.append(Key(title: Array(plain + ending)[...], number: number)) }
    for key in keys {
      if let file = byTitle[key] { return file }
      for title in shortened(key.title) {
        if let file = cut[Key(title: title, number: key.number)] { return file }
      }
    }
    // A title need not have an extension; the file got one.
    return byTitle[Key(title: stem, number: [])] ?? byTitle[Key(title: plain, number: number)]
  }
}

/// As much of the title as Takeout keeps: 46 characters, of which some count as two in UTF-16.
private func shortened(_ title: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
  guard title.count > titleLimit else { return [] }
  var lengths: Set<Int> = [titleLimit]
  var (bytes, scalars, units) = (0, 0, 0)
  for scalar in String(decoding: title, as: UTF8.self).unicodeScalars {
    bytes += UTF8.width(scalar)
    scalars += 1
    units += UTF16.width(scalar)
    if scalars == titleLimit || units == titleLimit { lengths.insert(bytes) }
  }
  return lengths.sorted().map { title.prefix($0) }
}
