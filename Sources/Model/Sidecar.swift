/// A file beside a photo that says something about it.
package struct Sidecar: Hashable, Sendable {
  /// As the index spells it.
  package enum Kind: String, Hashable, Sendable {
    /// `IMG.NEF.xmp`, of the one file `IMG.NEF`.
    case xmp
    /// `IMG.xmp`, of every file of that shot.
    case xmpOfShot = "xmp-shot"
    /// `IMG_01.NEF.xmp`: another way in which darktable develops `IMG.NEF`. It says nothing of the photo.
    case xmpOfVersion = "xmp-version"
    /// A JSON file of Google Takeout's.
    case takeout
  }

  package let name: [UInt8]
  package let kind: Kind
  package let fingerprint: Fingerprint

  package init(name: [UInt8], kind: Kind, fingerprint: Fingerprint) {
    self.name = name
    self.kind = kind
    self.fingerprint = fingerprint
  }
}

/// What became of a sidecar when its photo was read.
package struct SidecarReading: Hashable, Sendable {
  package let sidecar: Sidecar
  /// What it says, as JSON; nil where it was not read, or could not be.
  package let values: String?
  /// Why nothing of it counts.
  package let note: String?

  package init(_ sidecar: Sidecar, values: String? = nil, note: String? = nil) {
    self.sidecar = sidecar
    self.values = values
    self.note = note
  }
}
