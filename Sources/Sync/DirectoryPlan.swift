import IndexStore
import Library
import Metadata
import Model

/// What must be done to make a directory's rows agree with its files.
struct DirectoryPlan: Sendable {
  var writes: [PhotoWrite] = []
  var reads: [ReadTask] = []
  /// Rows of files that are there, whatever was thought before.
  var seen: [Int64] = []
  /// Rows whose changes are held, and whose files are as they were when that was found.
  var stillBroken: [Int64] = []
  /// Rows whose changes were held, and whose files are what they had been.
  var whole: [Int64] = []
  /// Whether a file may still be changing, so that the directory must be looked at again.
  var isUnsettled = false
}

/// Compares what a directory holds with what the index knows of it.
struct DirectoryComparison {
  let settle: Duration
  let countsInodes: Bool
  /// After the wait at a pass's end, files are taken as they are. A stamp that still lies in the
  /// future is no longer a reason to wait.
  let isLastLook: Bool
  /// The sizes of rows that are gone and can be found again by their hash.
  let sizesSought: Set<Int64>
  let versions: ReaderVersions
  /// The files of rows whose changes are held.
  var held: [Int64: Fingerprint] = [:]
  var complete: Set<ArraySlice<UInt8>> = []
  var beingWritten: Set<ArraySlice<UInt8>> = []

  func plan(
    _ listing: AdmittedListing, in directory: RelativePath, known: [KnownPhoto]
  ) -> DirectoryPlan {
    let knownByName = Dictionary(grouping: known) { $0.path.name }
    let sidecars = Sidecars(listing)
    var plan = DirectoryPlan()
    for photo in listing.photos {
      let beside = PhotoSidecars(
        of: photo.name, among: sidecars, countsInodes: countsInodes)
      let unrest = unrest(of: photo, beside, in: listing)
      if unrest != .none { plan.isUnsettled = true }
      let rows = knownByName[photo.name] ?? []
      let row =
        rows.first { $0.state == .present } ?? rows.first { $0.state == .excluded } ?? rows.last
      if let row, row.state != .missing { plan.seen.append(row.id) }
      if unrest == .open || unrest == .young && !isUnchanged(photo, beside, row) { continue }
      let path = directory.appending(Array(photo.name))
      compare(photo, at: path, with: row, beside, &plan)
    }
    return plan
  }

  private enum Unrest {
    case none
    /// The stamps are young, but the writer is known to be done, or has had the time.
    case complete
    case young
    /// Somebody is writing.
    case open
  }

  /// A photo and its sidecars are read together, when all of them have come to rest.
  private func unrest(
    of photo: AdmittedListing.Photo, _ beside: PhotoSidecars, in listing: AdmittedListing
  ) -> Unrest {
    var unrest = unrest(of: photo.name, photo.fingerprint, in: listing)
    for sidecar in beside.files {
      let other = self.unrest(of: sidecar.name[...], sidecar.fingerprint, in: listing)
      if other == .open || unrest == .none || other == .young && unrest == .complete {
        unrest = other
      }
    }
    return unrest
  }

  private func unrest(
    of name: ArraySlice<UInt8>, _ fingerprint: Fingerprint, in listing: AdmittedListing
  ) -> Unrest {
    if beingWritten.contains(name) { return .open }
    guard isRacy(fingerprint, in: listing) else { return .none }
    return isLastLook || complete.contains(name) ? .complete : .young
  }

  private func isRacy(_ fingerprint: Fingerprint, in listing: AdmittedListing) -> Bool {
    guard listing.isRacy(fingerprint, settle: settle) else { return false }
    return !isLastLook || max(fingerprint.modified, fingerprint.changed) <= listing.listedAt
  }

  private func isUnchanged(
    _ photo: AdmittedListing.Photo, _ beside: PhotoSidecars, _ row: KnownPhoto?
  ) -> Bool {
    guard let row, row.state == .present, row.sidecarState == beside.state else { return false }
    return difference(of: photo.fingerprint, from: row.fingerprint) == .none
  }

  private func compare(
    _ photo: AdmittedListing.Photo, at path: RelativePath, with row: KnownPhoto?,
    _ beside: PhotoSidecars, _ plan: inout DirectoryPlan
  ) {
    let size = photo.fingerprint.size
    let isSought = size > 0 && sizesSought.contains(size)
    func read(_ purpose: ReadTask.Purpose, wantsHash: Bool = false) {
      plan.reads.append(
        ReadTask(
          path: path, fingerprint: photo.fingerprint, purpose: purpose, wantsHash: wantsHash,
          sidecars: beside))
    }
    guard let row else { return read(.arrival, wantsHash: isSought) }
    let difference = difference(of: photo.fingerprint, from: row.fingerprint)
    if row.state == .missing {
      // A file that was moved away and back has another change time, and the inode it had.
      let isBack = difference == .status && photo.fingerprint.inode == row.fingerprint.inode
      guard difference == .none || isBack else {
        return read(.reappearance(row), wantsHash: isSought)
      }
      plan.writes.append(.comeBack(id: row.id))
    }
    if row.state == .excluded { plan.writes.append(.comeBack(id: row.id)) }
    if difference != .content, held[row.id] != nil { plan.whole.append(row.id) }
    switch difference {
    case .content where isStillHeld(photo, beside, row): plan.stillBroken.append(row.id)
    case .content: read(.changedContent(row, nil))
    case .status: read(.changedStatus(row))
    case .hours:
      plan.writes.append(.refresh(id: row.id, photo.fingerprint, hashDue: true))
      if row.sidecarState != beside.state { read(.again(row)) }
    case .none:
      if row.readerVersion < versions.version(of: row.mediaType) || row.isRetryDue
        || row.sidecarState != beside.state
      {
        read(.again(row))
      }
    }
  }

  private func isStillHeld(
    _ photo: AdmittedListing.Photo, _ beside: PhotoSidecars, _ row: KnownPhoto
  ) -> Bool {
    guard let seen = held[row.id], row.state == .present, row.sidecarState == beside.state else {
      return false
    }
    return difference(of: photo.fingerprint, from: seen) == .none
  }

  private enum Difference {
    case none
    /// Only the change time or the inode.
    case status
    /// Only the modification time, and by whole hours: FAT keeps local time.
    case hours
    case content
  }

  private func difference(of new: Fingerprint, from old: Fingerprint) -> Difference {
    guard new.size == old.size else { return .content }
    if new.modified != old.modified {
      return !countsInodes && isHours(new.modified - old.modified) ? .hours : .content
    }
    let isSame = !countsInodes || new.changed == old.changed && new.inode == old.inode
    return isSame ? .none : .status
  }
}

/// Whole hours, up to the 26 between the farthest zones; times on FAT are 2 seconds coarse.
private func isHours(_ shift: Duration) -> Bool {
  let seconds = abs(shift.components.seconds)
  let rest = seconds % 3600
  return seconds >= 3598 && seconds <= 26 * 3600 + 2 && min(rest, 3600 - rest) <= 2
}
