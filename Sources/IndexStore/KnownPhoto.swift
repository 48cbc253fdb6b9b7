package import Model

/// What the index knows of a file, as far as a sync compares it with the disk.
package struct KnownPhoto: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case present
    case missing
    case excluded
  }

  package enum HashRetry: Int64, Hashable, Sendable {
    case waiting
    case due
  }

  package let id: Int64
  package let path: RelativePath
  package let fingerprint: Fingerprint
  package let readerVersion: Int
  package let mediaType: String?
  package let contentHash: Hash?
  package let state: State
  /// A failed reading of its metadata is to be tried again by now.
  package let isRetryDue: Bool
  /// Whether its hash could not be had, and what comes of that now.
  package let hashRetry: HashRetry?
  /// The digest of the sidecars that were read with it; nil where there were none.
  package let sidecarState: Int64?
  /// It is linked to the picture of its shot.
  package let isCompanion: Bool
}

/// Some of the rows of a directory.
package struct KnownPage: Sendable {
  /// Where a page begins.
  package struct Start: Hashable, Sendable {
    /// Of the states that are asked for, the number of that which comes first.
    let state: Int
    /// The last row of that state that was on the page before.
    let last: RelativePath?

    package static let first = Start(state: 0, last: nil)
  }

  package let photos: [KnownPhoto]
  /// The names of the sub-directories that hold rows of those states, as far as they stand between
  /// these.
  package let subdirectories: Set<[UInt8]>
  /// nil: there are no more.
  package let next: Start?
}

/// A row that may be a file's, of whichever root.
package struct PhotoMatch: Hashable, Sendable {
  package let root: Int64
  package let photo: KnownPhoto

  package init(root: Int64, photo: KnownPhoto) {
    self.root = root
    self.photo = photo
  }
}

/// What makes two pictures under one name the same photo or two.
package struct PhotoLikeness: Hashable, Sendable {
  package let imageHash: ImageHash?
  /// What the file says of its time. The row's own time may be the user's, or be put right by a
  /// `device_clock`, and tells nothing of the file.
  package let time: RawTime
  package let device: DeviceIdentity?
  package let width: Int?
  package let height: Int?

  package init(
    imageHash: ImageHash?, time: RawTime, device: DeviceIdentity?, width: Int?, height: Int?
  ) {
    self.imageHash = imageHash
    self.time = time
    self.device = device
    self.width = width
    self.height = height
  }
}

/// One change to the rows of photos.
package enum PhotoWrite: Sendable {
  case insert(PhotoReading)
  /// New metadata.
  case update(id: Int64, PhotoReading, ContentChange)
  /// Other stamps, the same metadata.
  case refresh(id: Int64, Fingerprint, hashDue: Bool)
  case leave(id: Int64, KnownPhoto.State)
  /// A missing or excluded row is present again.
  case comeBack(id: Int64)
}

/// What a reading says about a file's other bytes, and so about the hashes that a row has.
package enum ContentChange: Sendable {
  case same
  case other
  /// Others, and no photo of its type any more, or not all of it.
  case damaged
  /// Somebody touched the file, but its size and time are as they were: the hash tells.
  case unverified
  /// Nobody knows, for the file could not be read. The row stays what it is, and waits.
  case unknown

  /// Whether the hashes that the row has are those of bytes that are gone.
  var replacesContent: Bool {
    switch self {
    case .same, .unverified: false
    case .other, .damaged, .unknown: true
    }
  }
}

/// A row whose file has another path now.
package struct PhotoMove: Hashable, Sendable {
  package let id: Int64
  package let path: RelativePath
  package let fingerprint: Fingerprint
  /// Whether the new name may be a new date for a row that has no other.
  package let isRedated: Bool

  package init(
    id: Int64, path: RelativePath, fingerprint: Fingerprint, isRedated: Bool = false
  ) {
    self.id = id
    self.path = path
    self.fingerprint = fingerprint
    self.isRedated = isRedated
  }
}
