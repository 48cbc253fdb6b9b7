import IndexStore
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
  /// The sum over its photos and sidecars; its sub-directories come to it.
  var ownToken: Token
  var photoCount: Int
  var subdirectories: [Int] = []
  /// Those that are known and were not to be listed.
  var unlisted: [RelativePath] = []
  /// Whether a raw or a film is among its photos, by their names or by the links of its rows: it may
  /// have a picture of the same shot.
  var hasCompanions = false
  /// Whether `ownToken` may be stored: no entry may still be changing.
  var isSettled = true

  /// Photos and directories that count.
  var entries: Int { photoCount + subdirectories.count + unlisted.count }
}

/// What a walk over a root, or parts of it, found: one element a directory. Each scope that lies
/// in no other begins a tree, whose elements stand together, parents first.
struct Survey: Sendable {
  /// Whether it is of all the root.
  var isWhole = false
  var directories: [SurveyedDirectory] = []
  var unreadable: [UnreadableDirectoryFound] = []
  var fileCount = 0
  /// Whether a directory has photos and does not look as its state says: there will be files to read.
  private(set) var hasNews = false
  /// The listings themselves, by directory, as long as they are not too many: a directory that has
  /// to be reconciled need not be listed twice.
  private var listings: [Int: AdmittedListing] = [:]
  private var room = listedEntriesKept
  /// Directories whose listings are kept, although they will hardly be needed.
  private var unchanged: [Int] = []

  mutating func keep(_ listing: AdmittedListing, of directory: Int, isNew: Bool) {
    hasNews = hasNews || isNew && !listing.photos.isEmpty
    if isNew, listing.entryCount > room { forgetUnchanged() }
    // One alone is held while it is reconciled in any case.
    guard listing.entryCount <= room || isNew && room == listedEntriesKept else { return }
    room -= listing.entryCount
    listings[directory] = listing
    if !isNew { unchanged.append(directory) }
  }

  private mutating func forgetUnchanged() {
    for directory in unchanged {
      room += listings.removeValue(forKey: directory)?.entryCount ?? 0
    }
    unchanged = []
  }

  func listing(of directory: Int) -> AdmittedListing? { listings[directory] }

  mutating func forgetListing(of directory: Int) { listings[directory] = nil }

  /// The numbers of directories by their paths; empty where the survey is of all the root.
  private(set) var numbers: [RelativePath: Int] = [:]

  mutating func finish() {
    guard !isWhole else { return }
    numbers = Dictionary(uniqueKeysWithValues: directories.enumerated().map { ($1.path, $0) })
  }

  func number(of path: RelativePath) -> Int? { numbers[path] }

  /// Whether it tells what is at the path, be it that nothing is there any more.
  func covers(_ path: RelativePath) -> Bool {
    if isWhole { return true }
    let nearest = (path.ancestors + [path]).last { numbers[$0] != nil }
    guard let number = nearest.flatMap({ numbers[$0] }) else { return false }
    return !directories[number].unlisted.contains { path.isWithin($0) }
  }
}

/// A directory that could not be listed, or an entry of one that does not even say what it is.
struct UnreadableDirectoryFound: Sendable {
  let path: RelativePath
  let parent: Int?
  let error: SystemError
}

extension RootTree {
  /// Walks the trees at and below the scopes, looking at names and stamps only, with so many tasks.
  func survey(
    from scopes: [SyncScope], _ states: [RelativePath: DirectoryState], _ lister: SurveyLister,
    workers: Int, progress: (Survey) throws -> Void
  ) async throws -> Survey {
    var walk = SurveyWalk(scopes)
    var hasher = TokenHasher(salt: lister.salt)
    while let start = walk.nextStart() {
      walk.waiting = [start]
      while !walk.waiting.isEmpty {
        let places = walk.takeWaiting(directoriesPerTask * workers)
        let listed = await lister.list(places.map(\.path), of: self, workers: workers)
        for (place, found) in zip(places, listed) {
          switch found {
          case .failure(let error):
            guard !place.path.isRoot else { throw error }
            walk.note(error, place)
          case .success(let found):
            let isNew = !found.isKnown(at: place.path, states, &hasher)
            walk.survey.append(found, at: place.path, place.parent, isNew: isNew)
            walk.descend(found.listing, place, states)
          }
        }
        try progress(walk.survey)
      }
    }
    walk.survey.finish()
    return walk.survey
  }
}

/// What one task lists at a time: enough to make it pay, few enough to keep all busy.
private let directoriesPerTask = 8

struct ListedDirectory: Sendable {
  let listing: AdmittedListing
  /// The sum over what it holds itself.
  let token: Token

  /// Whether it is as its state says, but for what lies below: that has the tokens which it had.
  fileprivate func isKnown(
    at path: RelativePath, _ states: [RelativePath: DirectoryState], _ hasher: inout TokenHasher
  ) -> Bool {
    guard let known = states[path]?.changeToken else { return false }
    var sum = token
    for name in listing.subdirectories {
      guard let below = states[path.appending(name)]?.changeToken else { return false }
      sum += hasher.directory(name[...], below)
    }
    return sum == known
  }
}

/// Lists directories and computes their tokens, which takes as long.
struct SurveyLister: Sendable {
  let salt: [UInt8]
  /// nil: as their file systems do.
  let countsInodes: Bool?

  func list(
    _ paths: [RelativePath], of tree: RootTree, workers: Int
  ) async -> [Result<ListedDirectory, SystemError>] {
    guard paths.count > 1, workers > 1 else { return list(paths[...], of: tree) }
    let share = (paths.count + workers - 1) / workers
    return await withTaskGroup(of: (Int, [Result<ListedDirectory, SystemError>]).self) { group in
      for start in stride(from: 0, to: paths.count, by: share) {
        let part = paths[start..<min(start + share, paths.count)]
        group.addTask(executorPreference: BlockingExecutor.shared) {
          (start, list(part, of: tree))
        }
      }
      var parts: [(start: Int, listed: [Result<ListedDirectory, SystemError>])] = []
      for await part in group { parts.append(part) }
      return parts.sorted { $0.start < $1.start }.flatMap(\.listed)
    }
  }

  private func list(
    _ paths: ArraySlice<RelativePath>, of tree: RootTree
  ) -> [Result<ListedDirectory, SystemError>] {
    var hasher = TokenHasher(salt: salt)
    var listed: [Result<ListedDirectory, SystemError>] = []
    for path in paths {
      do throws(SystemError) {
        let listing = try tree.list(path)
        hasher.countsInodes = countsInodes ?? listing.fileSystem.keepsInodes
        listed.append(
          .success(ListedDirectory(listing: listing, token: listing.token(&hasher))))
      } catch {
        listed.append(.failure(error))
      }
    }
    return listed
  }
}

/// The state of a walk.
private struct SurveyWalk {
  struct Place {
    let path: RelativePath
    /// The directory above, by its number; nil where a tree begins.
    let parent: Int?
    let isDeep: Bool
  }

  var survey = Survey()
  var waiting: [Place] = []
  private let depths: [RelativePath: Bool]
  /// From the root down, so that a scope within another is met from there.
  private var starts: [RelativePath]
  private var met: Set<RelativePath> = []

  init(_ scopes: [SyncScope]) {
    depths = Dictionary(
      scopes.map { ($0.path, $0.isDeep) }, uniquingKeysWith: { $0 || $1 })
    starts = depths.keys.sorted(by: >)
    survey.isWhole = depths[.root] == true
  }

  mutating func nextStart() -> Place? {
    while let path = starts.popLast() {
      if met.insert(path).inserted {
        return Place(path: path, parent: nil, isDeep: depths[path] ?? false)
      }
    }
    return nil
  }

  /// The next of those that wait, at most so many.
  mutating func takeWaiting(_ count: Int) -> [Place] {
    let taken = Array(waiting.suffix(count).reversed())
    waiting.removeLast(taken.count)
    return taken
  }

  /// The sub-directories to be listed: all, or those that nobody knows and those that are scopes.
  mutating func descend(
    _ listing: AdmittedListing, _ place: Place, _ states: [RelativePath: DirectoryState]
  ) {
    let number = survey.directories.count - 1
    for name in listing.subdirectories.reversed() {
      let path = place.path.appending(name)
      let scope = depths.count > 1 ? depths[path] : nil
      if scope != nil, !met.insert(path).inserted {
        survey.directories[number].unlisted.append(path)
      } else if place.isDeep || scope != nil || states[path] == nil {
        let isDeep = place.isDeep || scope ?? true
        waiting.append(Place(path: path, parent: number, isDeep: isDeep))
      } else {
        survey.directories[number].unlisted.append(path)
      }
    }
  }

  /// A directory that cannot be listed. What vanishes while we walk is looked at by the next pass;
  /// where a scope has vanished, the directory above it tells.
  mutating func note(_ error: SystemError, _ place: Place) {
    guard place.parent == nil, error.reason == .notThere else {
      survey.unreadable.append(
        UnreadableDirectoryFound(path: place.path, parent: place.parent, error: error))
      return
    }
    let above = place.path.directory
    let isListed = survey.directories.contains { $0.path == above }
    guard !isListed, met.insert(above).inserted else { return }
    waiting.append(Place(path: above, parent: nil, isDeep: false))
  }
}

extension Survey {
  fileprivate mutating func append(
    _ found: ListedDirectory, at path: RelativePath, _ parent: Int?, isNew: Bool
  ) {
    let listing = found.listing
    if let parent { directories[parent].subdirectories.append(directories.count) }
    directories.append(
      SurveyedDirectory(
        path: path,
        parent: parent,
        fileSystem: listing.fileSystem,
        modified: listing.modified,
        ownToken: found.token,
        photoCount: listing.photos.count
      ))
    let number = directories.count - 1
    directories[number].hasCompanions = listing.hasCompanions
    for entry in listing.unreadable {
      unreadable.append(
        UnreadableDirectoryFound(
          path: path.appending(Array(entry.name)), parent: number, error: entry.error))
    }
    fileCount += listing.photos.count
    keep(listing, of: number, isNew: isNew)
  }
}

/// Some ten megabytes of names and stamps.
private let listedEntriesKept = 100_000

extension AdmittedListing {
  /// The sum over the photos and what may be their sidecars.
  func token(_ hasher: inout TokenHasher) -> Token {
    var token = hasher.directoryItself(isMarkedExcluded: isMarkedExcluded)
    for photo in photos { token += hasher.photo(photo.name, photo.fingerprint) }
    for sidecar in sidecars { token += hasher.sidecar(sidecar.name, sidecar.fingerprint) }
    return token
  }

  fileprivate var entryCount: Int { photos.count + sidecars.count }

  var hasCompanions: Bool { photos.contains { isCompanionName($0.name.span) } }

  /// Whether a stamp is so young, or lies in the future, that the file may change once more
  /// without a change of its stamps.
  func isRacy(_ fingerprint: Fingerprint, settle: Duration) -> Bool {
    max(fingerprint.modified, fingerprint.changed) + settle > listedAt
  }
}
