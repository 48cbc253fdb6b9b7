package import Linux
package import Metadata
package import Model

/// What a decoder does with one file after the other, wherever it runs.
package protocol DecoderWork: ~Copyable {
  mutating func metadata(
    of file: borrowing OpenFile, suffix: String
  ) throws(SystemError) -> MetadataReading

  /// Calls `progress` again and again meanwhile.
  mutating func digests(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> FileHashes

  /// The same of the bytes alone, whatever they mean.
  mutating func content(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> Hash

  mutating func sidecar(
    of file: borrowing OpenFile, kind: String
  ) throws(SystemError) -> SidecarValues.Finding
}

/// The work of this program.
package struct FileWork: DecoderWork, ~Copyable {
  private var reader = MetadataReader()
  private var digester = FileDigester()

  package init() {}

  package mutating func metadata(
    of file: borrowing OpenFile, suffix: String
  ) throws(SystemError) -> MetadataReading {
    try reader.read(file, named: suffix)
  }

  package mutating func digests(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> FileHashes {
    try digester.digest(file, progress)
  }

  package mutating func content(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> Hash {
    try digester.digest(file, withPicture: false, progress).content
  }

  package mutating func sidecar(
    of file: borrowing OpenFile, kind: String
  ) throws(SystemError) -> SidecarValues.Finding {
    guard let kind = Sidecar.Kind(rawValue: kind) else { return .unreadable(.unknownKind) }
    return try readSidecar(file, kind)
  }
}
