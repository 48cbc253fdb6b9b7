package import Linux
package import Metadata

/// What a decoder does with one file after the other, wherever it runs.
package protocol DecoderWork: ~Copyable {
  mutating func metadata(
    of file: borrowing OpenFile, suffix: String
  ) throws(SystemError) -> MetadataReading

  /// Calls `progress` again and again meanwhile.
  mutating func digests(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> FileDigests
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
  ) throws(SystemError) -> FileDigests {
    try digester.digest(file, progress)
  }
}
