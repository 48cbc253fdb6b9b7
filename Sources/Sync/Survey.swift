import Library
import Linux
import Model

/// One directory as a pass found it.
struct SurveyedDirectory: Sendable {
  let path: RelativePath
  /// The index of the directory above; nil for the one where the survey began.
  let parent: Int?
  let fileSystem: FileSystem
  let modified: Timestamp
  /// The sum over its photos; its sub-directories come to it.
  var ownToken: Token
  var photoCount: Int
  var subdirectories: [Int] = []
  /// Whether `ownToken` may be stored: no entry may still be changing.
  var isSettled = true

  /// Photos and directories that count.
  var entries: Int { photoCount + subdirectories.count }
}

/// What a walk over a root, or a part of it, found: one element a directory, parents first.
struct Survey: Sendable {
  var directories: [SurveyedDirectory] = []
  var unreadable: [UnreadableDirectoryFound] = []
  var fileCount = 0
  /// The listings themselves, by directory, as long as they are not too many: a directory that has
  /// to be reconciled need not be listed twice.
  private var listings: [Int: AdmittedListing] = [:]
  private var room = listedEntriesKept

  mutating func keep(_ listing: AdmittedListing, of directory: Int) {
    guard listing.photos.count <= room else { return }
    room -= listing.photos.count
    listings[directory] = listing
  }

  func listing(of directory: Int) -> AdmittedListing? { listings[directory] }

  mutating func forgetListing(of directory: Int) { listings[directory] = nil }

  /// The tokens of all directories, children included; nil where one below is not settled or
  /// could not be listed.
  func tokens(_ hasher: inout TokenHasher) -> [Token?] {
    var tokens: [Token?] = directories.map { $0.isSettled ? $0.ownToken : nil }
    for unreadable in unreadable {
      if let parent = unreadable.parent { tokens[parent] = nil }
    }
    for index in directories.indices.reversed() {
      guard let parent = directories[index].parent else { continue }
      guard let token = tokens[index] else {
        tokens[parent] = nil
        continue
      }
      tokens[parent]? += hasher.directory(directories[index].path.name, token)
    }
    return tokens
  }
}

/// A directory that could not be listed, or an entry of one that does not even say what it is.
struct UnreadableDirectoryFound: Sendable {
  let path: RelativePath
  let parent: Int?
  let error: SystemError
}

extension RootTree {
  /// Walks the tree at and below `start`, looking at names and stamps only.
  func survey(
    from start: RelativePath, _ hasher: inout TokenHasher, countsInodes: Bool?,
    progress: (Survey) throws -> Void
  ) throws -> Survey {
    var survey = Survey()
    var waiting: [(path: RelativePath, parent: Int?)] = [(start, nil)]
    while let (path, parent) = waiting.popLast() {
      let listing: AdmittedListing
      do throws(SystemError) {
        listing = try list(path)
      } catch {
        guard path != start else { throw error }
        // What vanishes while we walk is looked at by the next pass.
        survey.unreadable.append(
          UnreadableDirectoryFound(path: path, parent: parent, error: error))
        continue
      }
      let index = survey.directories.count
      survey.append(listing, at: path, parent, &hasher, countsInodes)
      for name in listing.subdirectories.reversed() {
        waiting.append((path.appending(name), index))
      }
      try progress(survey)
    }
    return survey
  }
}

extension Survey {
  fileprivate mutating func append(
    _ listing: AdmittedListing, at path: RelativePath, _ parent: Int?,
    _ hasher: inout TokenHasher, _ countsInodes: Bool?
  ) {
    hasher.countsInodes = countsInodes ?? listing.fileSystem.keepsInodes
    if let parent { directories[parent].subdirectories.append(directories.count) }
    directories.append(
      SurveyedDirectory(
        path: path,
        parent: parent,
        fileSystem: listing.fileSystem,
        modified: listing.modified,
        ownToken: listing.token(&hasher),
        photoCount: listing.photos.count
      ))
    let number = directories.count - 1
    for entry in listing.unreadable {
      unreadable.append(
        UnreadableDirectoryFound(
          path: path.appending(Array(entry.name)), parent: number, error: entry.error))
    }
    fileCount += listing.photos.count
    keep(listing, of: number)
  }
}

/// Some ten megabytes of names and stamps.
private let listedEntriesKept = 100_000

extension AdmittedListing {
  /// The sum over the photos.
  func token(_ hasher: inout TokenHasher) -> Token {
    var token = Token.empty
    for photo in photos { token += hasher.photo(photo.name, photo.fingerprint) }
    return token
  }

  /// Whether a stamp is so young, or lies in the future, that the file may change once more
  /// without a change of its stamps.
  func isRacy(_ photo: Photo, settle: Duration) -> Bool {
    max(photo.fingerprint.modified, photo.fingerprint.changed) + settle > listedAt
  }
}
