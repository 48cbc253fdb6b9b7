import Digests
package import Linux
package import Model

/// Which entries of a root are photos, which directories are walked, and what is left out.
package struct PhotoRules: Sendable {
  private let patterns: [Glob]
  package let links: SymbolicLinks

  /// User patterns come after the built-in ones; the last pattern that matches decides.
  package init(exclude: [Glob] = [], links: SymbolicLinks = .refused) {
    patterns = defaultExclusions + exclude
    self.links = links
  }

  /// The rules as they apply to the entries of one directory.
  package func rules(in directory: RelativePath) -> DirectoryRules {
    let components = directory.components
    return DirectoryRules(patterns: patterns.filter { $0.reaches(components) }, links: links)
  }

  /// The pattern that leaves out a file, by its own name or one of the directories above it.
  package func exclusion(of path: RelativePath) -> Glob? {
    exclusion(ofDirectory: path.directory)
      ?? rules(in: path.directory).exclusion(of: path.name.span, isDirectory: false)
  }

  /// The pattern that leaves out a directory, by its own name or one above it.
  package func exclusion(ofDirectory path: RelativePath) -> Glob? {
    for directory in path.ancestors.dropFirst() + (path.isRoot ? [] : [path]) {
      let rules = rules(in: directory.directory)
      if let glob = rules.exclusion(of: directory.name.span, isDirectory: true) { return glob }
    }
    return nil
  }

  /// Tells these rules from all others; part of each change token, so that a new rule is noticed
  /// although no file changed.
  package var digest: [UInt8] {
    var hasher = SHA256()
    for line in patterns.map(\.text) + photoExtensions.sorted() + ["\(links)"] {
      hasher.update(Array(line.utf8) + [0])
    }
    return hasher.finalize().bytes
  }
}

/// The rules that can touch an entry of one directory.
package struct DirectoryRules: Sendable {
  fileprivate let patterns: [Glob]
  fileprivate let links: SymbolicLinks

  /// Whether the entry counts, before anything but its name and kind is known.
  package func admits(_ name: Span<UInt8>, _ kind: EntryKind) -> Bool {
    switch kind {
    case .file: guard isPhotoName(name) || isSidecarName(name) else { return false }
    case .directory: break
    // What a link stands for is known only once it has been followed.
    case .symbolicLink: guard links == .followed else { return false }
    case .other, .unknown: return false
    }
    return exclusion(of: name, isDirectory: kind == .directory) == nil
  }

  /// The pattern that leaves the entry out, if one does.
  package func exclusion(of name: Span<UInt8>, isDirectory: Bool) -> Glob? {
    for glob in patterns.reversed() where isDirectory || !glob.wantsDirectory {
      if glob.last.matches(name) { return glob.isNegated ? nil : glob }
    }
    return nil
  }
}

/// Whether the name ends like a photo's or a video's.
package func isPhotoName(_ name: Span<UInt8>) -> Bool {
  ending(of: name).map { photoEndings.contains($0) } ?? false
}

/// Whether the name ends like a video's.
package func isVideoName(_ name: Span<UInt8>) -> Bool {
  ending(of: name).map { videoEndings.contains($0) } ?? false
}

/// Whether the name ends like that of a raw or a video: what a shot may have beside its picture.
package func isCompanionName(_ name: Span<UInt8>) -> Bool {
  ending(of: name).map { companionEndings.contains($0) } ?? false
}

/// The extension as a number, the last letter lowest; nil where there is none of a usual length.
private func ending(of name: Span<UInt8>) -> UInt64? {
  var ending: UInt64 = 0
  for position in 1..<max(1, min(name.count, 7)) {
    let byte = name[name.count - position]
    if byte == UInt8(ascii: ".") { return ending }
    ending |= UInt64(lowercased(byte)) << (8 * UInt64(position - 1))
  }
  return nil
}

/// A directory that holds a file of this name is left out with all below it (Android's MediaStore).
package let mediaExclusionMarker = Array(".nomedia".utf8)

func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// The extensions as numbers, the last letter lowest: each file of a walk is asked.
private let photoEndings = endings(photoExtensions)
private let videoEndings = endings(videoExtensions)
private let companionEndings = endings(rawExtensions + videoExtensions)

private func endings(_ extensions: [String]) -> Set<UInt64> {
  Set(extensions.map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })
}

/// A copy under way ends in `.part` or `.tmp`, and so is no photo until it gets its name.
private let photoExtensions = pictureExtensions + rawExtensions + videoExtensions

private let pictureExtensions = [
  "jpg", "jpeg", "jpe", "jfif", "mpo", "heic", "heif", "hif", "avif", "png", "apng", "webp", "tif",
  "tiff", "jxl", "jp2", "jxr", "gif", "bmp", "insp",
]

private let rawExtensions = [
  "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "rw2", "rwl", "orf", "raf", "pef",
  "srw", "3fr", "fff", "iiq", "kdc", "dcr", "gpr", "erf", "mrw", "x3f", "mos", "mef",
]

private let videoExtensions = ["mp4", "m4v", "mov", "qt", "3gp", "3g2"]

/// What every system that touches photo folders leaves in them.
private let defaultExclusions: [Glob] = [
  ".*", "@eaDir/", "#recycle/", "#snapshot/", "@Recycle/", "@Recently-Snapshot/", "*.lrdata/",
  "**/CaptureOne/Cache/", "**/*.photoslibrary/*", "!**/*.photoslibrary/originals/",
  "!**/*.photoslibrary/Masters/", "lost+found/",
].compactMap(Glob.init)
