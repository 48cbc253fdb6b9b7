import Decoding
import IndexStore
import Library
import Linux
import Metadata
import Model
import Places

/// Reads files of one root. Each task that reads has one of its own.
struct PhotoReader {
  private let settings: ReaderSettings
  private(set) var filesRead = 0
  private(set) var bytesRead: Int64 = 0

  init(_ settings: ReaderSettings) {
    self.settings = settings
  }

  /// Reads the tasks, which are files of the directory at `path`.
  mutating func read(
    _ tasks: [ReadTask], in path: RelativePath, of tree: RootTree
  ) async throws -> [ReadOutcome] {
    var outcomes = [ReadOutcome](repeating: .unsettled, count: tasks.count)
    let files = try await open(tasks, in: path, tree, &outcomes)
    filesRead += files.count
    let found = try await settings.decoder.metadata(of: files.map { $0.input(tasks) })
    var unhashed: [(OpenTask, PhotoMetadata)] = []
    for (file, found) in zip(files, found) {
      let task = tasks[file.number]
      switch found {
      case .success(.metadata(let own)):
        let metadata = own.filled(from: file.beside.values)
        // A write from now on gives the file another stamp, which the next look will find.
        if wantsHash(task, metadata) || isHashedAtOnce(task, metadata) {
          unhashed.append((file, metadata))
        } else {
          outcomes[file.number] = outcome(
            of: task, reading(task, metadata, nil, nil, file.beside.readings))
        }
      case .success(.truncated(let own)):
        let failure = ReadFailure(
          .truncated, message: "the file ends before or inside its metadata")
        outcomes[file.number] = stillOutcome(
          of: task, file,
          reading(
            task, own.filled(from: file.beside.values), nil, failure, file.beside.readings))
      case .failure(let failure): outcomes[file.number] = outcome(of: task, failure)
      }
    }
    try await readHashes(of: unhashed, tasks, &outcomes)
    return outcomes
  }

  private mutating func readHashes(
    of files: [(file: OpenTask, metadata: PhotoMetadata)], _ tasks: [ReadTask],
    _ outcomes: inout [ReadOutcome]
  ) async throws {
    guard !files.isEmpty else { return }
    let found = try await settings.decoder.digests(of: files.map { $0.file.input(tasks) })
    for ((file, metadata), found) in zip(files, found) {
      let task = tasks[file.number]
      switch found {
      case .success(let digests):
        bytesRead += file.file.file.sizeWhenOpened
        outcomes[file.number] = stillOutcome(
          of: task, file,
          reading(task, metadata, digests, nil, file.beside.readings))
      case .failure where !wantsHash(task, metadata):
        outcomes[file.number] = stillOutcome(
          of: task, file, reading(task, metadata, nil, nil, file.beside.readings))
      case .failure(let failure): outcomes[file.number] = outcome(of: task, failure)
      }
    }
  }

  /// Opens what is still as it was listed; of the others the outcome is known.
  private func open(
    _ tasks: [ReadTask], in path: RelativePath, _ tree: RootTree, _ outcomes: inout [ReadOutcome]
  ) async throws -> [OpenTask] {
    guard let directory = try? tree.open(path) else { return [] }
    // Before the photos, so that these are not open meanwhile.
    let beside = try await SidecarReader(
      decoder: settings.decoder, countsInodes: settings.countsInodes
    ).read(tasks, in: directory, tree)
    var files: [OpenTask] = []
    for (number, task) in tasks.enumerated() {
      do throws(SystemError) {
        let file = SharedFile(try tree.file(at: task.path, in: directory))
        guard isAsListed(file.file.statusWhenOpened, task.fingerprint) else {
          outcomes[number] = disturbed(task)
          continue
        }
        // Without what is beside it, the outcome stays open.
        guard let beside = beside[number] else { continue }
        files.append(OpenTask(number: number, file: file, beside: beside))
      } catch {
        outcomes[number] = outcome(of: task, .system(error))
      }
    }
    return files
  }

  /// What a failure comes to.
  private func outcome(of task: ReadTask, _ failure: DecoderFailure) -> ReadOutcome {
    guard let failure = ReadFailure(failure) else { return .unsettled }
    return outcome(of: task, reading(task, PhotoMetadata(), nil, failure))
  }

  /// The outcome, unless the file is another by now.
  private func stillOutcome(
    of task: ReadTask, _ open: OpenTask, _ reading: PhotoReading
  ) -> ReadOutcome {
    do throws(SystemError) {
      guard isAsListed(try open.file.file.status(), task.fingerprint) else {
        return disturbed(task)
      }
      return outcome(of: task, reading)
    } catch {
      return outcome(of: task, .system(error))
    }
  }

  private func disturbed(_ task: ReadTask) -> ReadOutcome {
    settings.isLastLook ? busy(task) : .unsettled
  }

  private func isAsListed(_ status: Status, _ listed: Fingerprint) -> Bool {
    status.isAsListed(listed, countsInodes: settings.countsInodes)
  }

  private func busy(_ task: ReadTask) -> ReadOutcome {
    let failure = ReadFailure(.busy, message: "the file was being written while it was read")
    return outcome(of: task, reading(task, PhotoMetadata(), nil, failure))
  }

  /// The bytes decide where a name alone cannot: is it the photo that was here, or went missing?
  private func wantsHash(_ task: ReadTask, _ metadata: PhotoMetadata) -> Bool {
    switch task.purpose {
    case .arrival: task.wantsHash
    case .reappearance(let known):
      task.wantsHash || known.fingerprint.size == task.fingerprint.size
    case .changedContent(let known, let likeness):
      likeness.map {
        $0.imageHash != nil
          && (differs(metadata, $0) || task.fingerprint.size < known.fingerprint.size)
      } ?? false
    case .changedStatus, .again: false
    }
  }

  /// Whether the bytes are new and so few that they are hashed now. Where that fails, the row is there,
  /// and the hash is tried with those of large files.
  private func isHashedAtOnce(_ task: ReadTask, _ metadata: PhotoMetadata) -> Bool {
    guard let hashing = settings.hashing,
      hashing.films || metadata.mediaType?.hasPrefix("video/") != true
    else { return false }
    let isSmall = task.fingerprint.size <= hashing.smallFile
    switch task.purpose {
    case .arrival, .reappearance: return isSmall
    case .changedContent(let known, _): return isSmall || isTouched(task, known)
    case .changedStatus, .again: return false
    }
  }

  /// Whether the file may have another time alone: then the feed is not to tell that its hash goes, and
  /// comes back as it was. More than that takes long to read, and the row must not wait for it.
  private func isTouched(_ task: ReadTask, _ known: KnownPhoto) -> Bool {
    task.fingerprint.size == known.fingerprint.size && known.contentHash != nil
      && task.fingerprint.size <= 64 << 20
  }

  private func outcome(of task: ReadTask, _ reading: PhotoReading) -> ReadOutcome {
    switch task.purpose {
    case .arrival:
      return arrival(of: reading, task)
    case .changedStatus(let known):
      return .write([.update(id: known.id, reading, .unverified)])
    case .again(let known):
      return .write([.update(id: known.id, reading, .same)])
    // Also of an empty file: a later look tells whether that is what became of the photo.
    case .changedContent(let known, _) where reading.failure?.isOfAccess == true:
      return .unread(.update(id: known.id, reading, .unknown))
    case .changedContent(let known, let likeness) where isBroken(reading, known, likeness):
      return .broken(row: known.id, .update(id: known.id, reading, .damaged))
    case .changedContent(let known, let likeness):
      guard let likeness, isAnotherPhoto(reading, than: likeness) else {
        return .write([.update(id: known.id, reading, .other)])
      }
      return .write([.leave(id: known.id, .missing), .insert(reading)])
    case .reappearance(let known):
      let isSame = reading.hashes.map { $0.content == known.contentHash } ?? false
      return isSame
        ? .write([.comeBack(id: known.id), .update(id: known.id, reading, .same)])
        : arrival(of: reading, task)
    }
  }

  private func arrival(of reading: PhotoReading, _ task: ReadTask) -> ReadOutcome {
    task.wantsHash && reading.hashes != nil ? .candidate(reading) : .write([.insert(reading)])
  }

  private func reading(
    _ task: ReadTask, _ metadata: consuming PhotoMetadata, _ hashes: FileHashes?,
    _ failure: ReadFailure?, _ sidecars: [SidecarReading] = []
  ) -> PhotoReading {
    let location = metadata.position.flatMap { settings.places?.locate($0) }
    let taken = taken(metadata, task, location, isRead: failure == nil)
    let place = settings.places?.placed(metadata.position, location)
    return PhotoReading(
      path: task.path,
      fingerprint: task.fingerprint,
      readerVersion: settings.versions.version(of: metadata.mediaType),
      metadata: metadata,
      taken: taken,
      place: place,
      hashes: hashes,
      failure: failure,
      sidecars: sidecars,
      sidecarState: task.sidecars.state
    )
  }

  private func taken(
    _ metadata: PhotoMetadata, _ task: ReadTask, _ location: Location?, isRead: Bool
  ) -> TakenTime? {
    // Of a file that could not be read, nobody knows whether it has a date of its own.
    TakenTime.resolve(
      metadata.time, name: settings.namesTellDates && isRead ? Array(task.path.name) : nil,
      modified: task.fingerprint.modified, placeZone: location?.landZone,
      configuredZone: settings.timeZone, seaZone: location?.seaZone, zones: .system)
  }
}

extension PhotoMetadata {
  fileprivate func filled(from values: [SidecarValues]) -> PhotoMetadata {
    guard !values.isEmpty else { return self }
    var filled = self
    for values in values { filled.fill(from: values) }
    return filled
  }
}

/// A file that is open, and the number of the task that it is for.
private struct OpenTask {
  let number: Int
  let file: SharedFile
  let beside: Beside

  func input(_ tasks: [ReadTask]) -> DecoderInput {
    DecoderInput(file, suffix: suffix(of: tasks[number].path))
  }
}

extension ReadFailure {
  /// Returns nil when the file is simply not there any more, or has become something else.
  init?(_ failure: DecoderFailure) {
    switch failure {
    case .system(let error): self.init(error)
    case .died(let how): self.init(.decoder, message: how)
    }
  }

  /// Returns nil when the file is simply not there any more, or has become something else.
  init?(_ error: SystemError) {
    switch error.reason {
    case .notThere, .cancelled: return nil
    case .permission:
      self.init(.permission, errorNumber: Int(error.code), message: error.message)
    case .busy: self.init(.busy, errorNumber: Int(error.code), message: error.message)
    case .other: self.init(.io, errorNumber: Int(error.code), message: error.message)
    }
  }
}

private func suffix(of path: RelativePath) -> String {
  guard let dot = path.name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
  return String(decoding: path.name[(dot + 1)...], as: UTF8.self)
}

/// Whether the file's own capture time or the device is another than before.
private func differs(_ metadata: PhotoMetadata, _ likeness: PhotoLikeness) -> Bool {
  local(metadata.time) != local(likeness.time) || metadata.device != likeness.device
}

/// What the camera's clock showed, which no zone changes.
func local(_ time: RawTime) -> LocalTime? {
  TakenTime.resolve(
    time.ownWords, modified: Timestamp(nanoseconds: 0), placeZone: nil, configuredZone: nil,
    zones: .system)?.local
}

/// Whether the file does not open any more as what it was, or ends before its picture does.
private func isBroken(
  _ reading: PhotoReading, _ known: KnownPhoto, _ likeness: PhotoLikeness?
) -> Bool {
  guard let type = known.mediaType else { return false }
  guard reading.fingerprint.size > 0 else { return true }
  let isShorter = reading.fingerprint.size < known.fingerprint.size
  if let failure = reading.failure { return isShorter && failure.reason == .truncated }
  guard let found = reading.metadata.mediaType else { return true }
  return isShorter && found == type && likeness?.imageHash != nil && reading.hashes != nil
    && reading.hashes?.image == nil && reading.hashes?.imageFailure == nil
}

/// Whether other bytes under a photo's name are another photo, as when a camera's counter has
/// come round, and not an edit of the same one.
func isAnotherPhoto(_ reading: PhotoReading, than likeness: PhotoLikeness) -> Bool {
  guard reading.failure == nil else { return false }
  if let old = likeness.imageHash, let new = reading.hashes?.image {
    return old != new && differs(reading.metadata, likeness)
  }
  // With an image hash that was not compared, time and device are the same.
  guard likeness.imageHash == nil, let width = likeness.width, let height = likeness.height else {
    return false
  }
  return reading.metadata.device != likeness.device || reading.metadata.width != width
    || reading.metadata.height != height
}
