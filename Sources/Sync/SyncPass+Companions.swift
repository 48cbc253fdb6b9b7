import IndexStore
import Library
import Model

extension SyncPass {
  /// Links the raws and films of shots to their pictures, wherever something happened: in the
  /// directories that were looked at by names, and in all of the root by Apple's identifiers.
  mutating func linkCompanions() async throws {
    for number in dirty where survey.directories[number].hasCompanions {
      try Task.checkCancellation()
      let path = survey.directories[number].path
      let links = linksByName(try await index.shotFiles(in: path, of: root.id))
      if !links.isEmpty { try await index.store(links, of: root.id) }
    }
    while true {
      let identifiers = try await index.dueIdentifiers(of: root.id)
      guard !identifiers.isEmpty else { return }
      try Task.checkCancellation()
      var links: [(id: Int64, link: CompanionLink?)] = []
      for identifier in identifiers {
        let files = try await index.shotFiles(withIdentifier: identifier, of: root.id)
        links += linksByIdentifier(files)
      }
      try await index.store(links, doneWith: identifiers, of: root.id)
    }
  }
}

/// The links that differ from those in the index, of one directory's files. A file counts as a raw or
/// a film by its content if its name says so, too.
func linksByName(_ files: [ShotFile]) -> [(id: Int64, link: CompanionLink?)] {
  var pictures: [ArraySlice<UInt8>: [ShotFile]] = [:]
  for file in files where file.part == .picture {
    pictures[splitName(file.path.name).stem, default: []].append(file)
  }
  return files.compactMap { file in
    let stem = splitName(file.path.name).stem
    let link: CompanionLink?
    // One with Apple's identifier is found by that.
    if file.part == .film, file.contentIdentifier != nil { return nil }
    let isNamed = isCompanionName(Array(file.path.name).span)
    switch file.part {
    case .raw where isNamed: link = linkOfRaw(file, pictures[stem] ?? [])
    case .film where isNamed: link = linkOfFilm(pictures, stem)
    default: link = nil
    }
    return link == file.link ? nil : (file.id, link)
  }
}

/// The films that have an identifier, each with a picture that has it, too: in its own directory if
/// there is one, else the only one in the root. Where there is only a raw, it is that, or what the raw
/// is a companion of.
func linksByIdentifier(_ files: [ShotFile]) -> [(id: Int64, link: CompanionLink?)] {
  let pictures = files.filter { $0.part == .picture }
  let raws = files.filter { $0.part == .raw }
  let byDirectory = Dictionary(grouping: pictures + raws) { $0.path.directory }
  let anywhere = pictures.isEmpty ? raws : pictures
  return files.filter { $0.part == .film }.compactMap { film in
    let beside = byDirectory[film.path.directory] ?? []
    let stem = splitName(film.path.name).stem
    let named = beside.first { splitName($0.path.name).stem == stem }
    let still = named ?? beside.first ?? (anywhere.count == 1 ? anywhere[0] : nil)
    let link = still.map {
      CompanionLink(photo: $0.link?.photo ?? $0.id, evidence: .contentIdentifier)
    }
    return link == film.link ? nil : (film.id, link)
  }
}

/// By what the files themselves say; a sidecar may put the time of one of them right.
private func linkOfRaw(_ raw: ShotFile, _ pictures: [ShotFile]) -> CompanionLink? {
  guard !pictures.isEmpty, let taken = local(raw.time)?.secondsAsUTC else { return nil }
  return pictures.first { local($0.time)?.secondsAsUTC == taken }
    .map { CompanionLink(photo: $0.id, evidence: .nameAndTime) }
}

/// `IMG.MP.jpg` is the picture of `IMG.MP.mp4` or `IMG.MP4`, and any that holds a film is that of a
/// film of its name.
private func linkOfFilm(
  _ pictures: [ArraySlice<UInt8>: [ShotFile]], _ stem: ArraySlice<UInt8>
) -> CompanionLink? {
  let isNamed = stem.count > motionEnding.count && stem.suffix(3).elementsEqual(motionEnding)
  let named = pictures[stem]?.first { isNamed || $0.hasMotion }
  let picture = named ?? pictures[(Array(stem) + motionEnding)[...]]?.first
  return picture.map { CompanionLink(photo: $0.id, evidence: .nameAndMotion) }
}

private let motionEnding = Array(".MP".utf8)

extension ShotFile {
  fileprivate enum Part {
    case picture, raw, film, other
  }

  /// As the view `shots` has it.
  fileprivate var part: Part {
    guard let mediaType else { return .other }
    if mediaType.hasPrefix("video/") { return .film }
    guard mediaType.hasPrefix("image/") else { return .other }
    let plain = ["image/x-icon", "image/x-tiff-big", "image/x-j2c"]
    return mediaType.hasPrefix("image/x-") && !plain.contains(mediaType) ? .raw : .picture
  }
}
