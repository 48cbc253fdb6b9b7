package import Linux
package import Model

/// What a directory holds of the photos, as the rules let it count.
package struct AdmittedListing: Sendable {
  package struct Photo: Sendable {
    package let name: ArraySlice<UInt8>
    package let fingerprint: Fingerprint
  }

  /// An entry of which only the name is known: a photo or a directory.
  package struct Unreadable: Sendable {
    package let name: ArraySlice<UInt8>
    package let error: SystemError
  }

  package var photos: [Photo] = []
  /// What may be sidecars of theirs.
  package var sidecars: [Photo] = []
  package var unreadable: [Unreadable] = []
  package var subdirectories: [[UInt8]] = []
  /// The directory holds a marker that leaves it out with all below it.
  package var isMarkedExcluded = false
  package let fileSystem: FileSystem
  package let modified: Timestamp
  /// When the listing began, by the clock that stamps files.
  package let listedAt: Timestamp
}

extension AdmittedListing {
  fileprivate mutating func append(_ name: ArraySlice<UInt8>, _ fingerprint: Fingerprint) {
    if isPhotoName(name.span) {
      photos.append(.init(name: name, fingerprint: fingerprint))
    } else {
      sidecars.append(.init(name: name, fingerprint: fingerprint))
    }
  }
}

/// Somebody who watches directories while they are looked at.
package protocol DirectoryAttention: Sendable {
  /// A directory is about to be listed: whoever begins to watch it now misses no change.
  func willList(_ directory: borrowing Directory, at path: RelativePath)

  /// The files in it that are being written to, as far as is known.
  func filesBeingWritten(in directory: RelativePath) -> Set<ArraySlice<UInt8>>
}

/// A root's directory tree, seen through its rules.
package final class RootTree: Sendable {
  package let directory: Directory
  package let rules: PhotoRules
  private let clock: @Sendable () -> Timestamp
  private let attention: (any DirectoryAttention)?
  private let names: FileSystemNames

  package init(
    path: [UInt8], rules: PhotoRules, attention: (any DirectoryAttention)? = nil,
    names: FileSystemNames = FileSystemNames(), clock: @escaping @Sendable () -> Timestamp
  ) throws(SystemError) {
    directory = try Directory(absolutePath: path)
    self.rules = rules
    self.attention = attention
    self.names = names
    self.clock = clock
  }

  /// Whether nothing at all is in it, as in a mount point whose disk is not mounted.
  package func isEmpty() throws(SystemError) -> Bool {
    var isEmpty = true
    _ = try open(.root).list { _, _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }

  package func identity() throws(SystemError) -> RootIdentity {
    RootIdentity(
      fileSystem: try directory.fileSystem(names), path: directory.pathOnFileSystem())
  }

  package func open(_ path: RelativePath) throws(SystemError) -> Directory {
    try directory.directory(at: path, rules.links)
  }

  /// Opens the photo at `path`, which lies in `directory`.
  package func file(at path: RelativePath, in directory: borrowing Directory) throws(SystemError)
    -> OpenFile
  {
    // A link may lead to another directory, so it is resolved from the root.
    rules.links == .followed
      ? try self.directory.file(at: path.bytes, .followed)
      : try directory.file(at: Array(path.name), .refused)
  }

  /// Lists the directory at `path`.
  package func list(_ path: RelativePath) throws(SystemError) -> AdmittedListing {
    let directory = try open(path)
    attention?.willList(directory, at: path)
    let rules = rules.rules(in: path)
    let listedAt = clock()
    var isMarked = false
    let listing = try directory.list { name, kind in
      if isMarker(name) { isMarked = true }
      return rules.admits(name, kind)
    }
    var admitted = AdmittedListing(
      fileSystem: try directory.fileSystem(names),
      modified: try directory.status().fingerprint.modified,
      listedAt: listedAt
    )
    admitted.isMarkedExcluded = isMarked
    if !isMarked { try fill(&admitted, from: listing, of: path) }
    return admitted
  }

  func fill(
    _ admitted: inout AdmittedListing, from listing: DirectoryListing, of path: RelativePath
  ) throws(SystemError) {
    // A directory that changes while it is read may give a name twice.
    var names: Set<ArraySlice<UInt8>> = []
    names.reserveCapacity(listing.entries.count)
    for entry in listing.entries {
      let name = listing.name(of: entry)
      guard names.insert(name).inserted else { continue }
      if let error = entry.failure {
        admitted.unreadable.append(.init(name: name, error: error))
        continue
      }
      switch entry.kind {
      case .file:
        guard let fingerprint = entry.fingerprint else { continue }
        admitted.append(name, fingerprint)
      case .directory:
        admitted.subdirectories.append(Array(name))
      case .symbolicLink:
        try follow(name, in: path, into: &admitted)
      case .other, .unknown:
        continue
      }
    }
  }

  /// Adds what a link stands for; a link that leads nowhere, out of the root or round a loop
  /// stands for nothing.
  private func follow(
    _ name: ArraySlice<UInt8>, in path: RelativePath, into admitted: inout AdmittedListing
  ) throws(SystemError) {
    let link = path.appending(Array(name))
    let status: Status
    do throws(SystemError) {
      status = try self.status(of: link)
    } catch {
      if error.isOfOneEntry { admitted.unreadable.append(.init(name: name, error: error)) }
      return
    }
    let rules = rules.rules(in: path)
    guard rules.admits(name.span, status.kind) else { return }
    switch status.kind {
    case .file:
      admitted.append(name, status.fingerprint)
    case .directory:
      let isLoop = link.ancestors.contains { ancestor in
        let above = try? self.status(of: ancestor)
        return above?.device == status.device
          && above?.fingerprint.inode == status.fingerprint.inode
      }
      if !isLoop { admitted.subdirectories.append(Array(name)) }
    default: return
    }
  }

  private func status(of path: RelativePath) throws(SystemError) -> Status {
    try directory.status(at: path.isRoot ? [UInt8(ascii: ".")] : path.bytes, rules.links)
  }
}

/// What leaves a directory out with all below it.
package enum DirectoryExclusion: Sendable, CustomStringConvertible {
  case pattern(Glob)
  /// The marker file in this directory.
  case marker(RelativePath)

  package var description: String {
    switch self {
    case .pattern(let glob): "the pattern \(glob.text)"
    case .marker(let directory):
      "the marker " + printable(directory.appending(mediaExclusionMarker).bytes)
    }
  }
}

extension PhotoRules {
  /// What leaves out a directory of the root that is open as `root`: a pattern, or a marker in it
  /// or on the way down to it; nil when it is let in, or not there.
  package func exclusion(
    ofDirectory path: RelativePath, below root: borrowing Directory
  ) -> DirectoryExclusion? {
    if let glob = exclusion(ofDirectory: path) { return .pattern(glob) }
    for directory in path.ancestors + (path.isRoot ? [] : [path]) {
      if (try? root.directory(at: directory, links).isMarked()) == true {
        return .marker(directory)
      }
    }
    return nil
  }
}

extension Directory {
  /// By a look at the names, as a walk takes it: what the marker is does not matter.
  fileprivate func isMarked() throws(SystemError) -> Bool {
    var isMarked = false
    _ = try list { name, _ in
      if isMarker(name) { isMarked = true }
      return false
    }
    return isMarked
  }
}

private func isMarker(_ name: Span<UInt8>) -> Bool {
  guard name.count == mediaExclusionMarker.count else { return false }
  for index in 0..<name.count where name[index] != mediaExclusionMarker[index] { return false }
  return true
}
