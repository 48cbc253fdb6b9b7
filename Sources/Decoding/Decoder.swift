package import Linux
package import Metadata
package import Model

/// A file to decode.
package struct DecoderInput: Sendable {
  package let file: SharedFile
  /// What the bytes alone do not tell: the suffix of a photo's name, without the dot, or the kind of a
  /// sidecar.
  let hint: String

  package init(_ file: SharedFile, suffix: String) {
    self.file = file
    hint = suffix
  }

  package init(_ file: SharedFile, sidecar kind: Sidecar.Kind) {
    self.file = file
    hint = kind.rawValue
  }
}

/// Why one file has no answer.
package enum DecoderFailure: Error, Hashable {
  /// It could not be read.
  case system(SystemError)
  /// The decoder died of it, and how.
  case died(String)
}

/// Finds out what files say: the only road on which a file's bytes are looked at.
///
/// There is one answer for each file, in their order. What is thrown concerns all: that the task was
/// cancelled, or that nothing can be decoded here.
package protocol Decoder: Sendable {
  func metadata(
    of files: [DecoderInput]
  ) async throws -> [Result<MetadataReading, DecoderFailure>]

  func digests(of files: [DecoderInput]) async throws -> [Result<FileHashes, DecoderFailure>]

  func sidecars(
    of files: [DecoderInput]
  ) async throws -> [Result<SidecarValues.Finding, DecoderFailure>]

  /// Work is about to come, for so many at the same time. Does not wait; what keeps it from being done
  /// shows then.
  func prepare(_ count: Int)

  /// No work is to be expected for a while.
  func rest()
}

extension Decoder {
  package func prepare(_ count: Int) {}
}

/// The number of files in a batch that keeps all of them open at a time, in both processes.
package let mostFilesPerBatch = DescriptorSocket.mostFiles
