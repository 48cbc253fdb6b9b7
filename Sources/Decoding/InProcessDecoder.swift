import Linux
package import Metadata
package import Model

/// Decodes without a wall, where nobody would send hostile files: in tests of what lies behind it.
///
/// Values go through the same bytes as between two processes.
package struct InProcessDecoder: Decoder {
  package init() {}

  package func metadata(
    of files: [DecoderInput]
  ) async throws -> [Result<MetadataReading, DecoderFailure>] {
    var work = FileWork()
    return try coded(files) { (input) throws(SystemError) in
      .metadata(try work.metadata(of: input.file.file, suffix: input.hint))
    }.map(\.reading)
  }

  package func digests(
    of files: [DecoderInput]
  ) async throws -> [Result<FileHashes, DecoderFailure>] {
    var work = FileWork()
    return try coded(files) { (input) throws(SystemError) in
      .digests(
        try work.digests(of: input.file.file) { () throws(SystemError) in
          if Task.isCancelled { throw SystemError.cancelled(on: "open file") }
        })
    }.map(\.digests)
  }

  package func sidecars(
    of files: [DecoderInput]
  ) async throws -> [Result<SidecarValues.Finding, DecoderFailure>] {
    var work = FileWork()
    return try coded(files) { (input) throws(SystemError) in
      .sidecar(try work.sidecar(of: input.file.file, kind: input.hint))
    }.map(\.sidecarFinding)
  }

  package func rest() {}

  private func coded(
    _ files: [DecoderInput], _ body: (DecoderInput) throws(SystemError) -> DecoderAnswer
  ) throws -> [DecoderAnswer] {
    var writer = FieldWriter()
    for file in files {
      var answer: DecoderAnswer
      do throws(SystemError) {
        answer = try body(file)
      } catch {
        answer = .failed(call: error.call, code: error.code)
      }
      DecoderAnswer.code(&answer, &writer)
    }
    guard let answers = answers(in: writer.bytes, count: files.count) else {
      throw DecoderError("the answers for \(files.count) files cannot be read back")
    }
    return answers
  }
}

/// The answers for so many files; nil where that is not what the bytes are.
func answers(in bytes: [UInt8], count: Int) -> [DecoderAnswer]? {
  var reader = FieldReader(bytes)
  var answers: [DecoderAnswer] = []
  for _ in 0..<count {
    var answer = DecoderAnswer.failed(call: "", code: 0)
    DecoderAnswer.code(&answer, &reader)
    guard reader.isSound else { return nil }
    answers.append(answer)
  }
  return reader.isComplete ? answers : nil
}

extension DecoderAnswer {
  var reading: Result<MetadataReading, DecoderFailure> {
    switch self {
    case .metadata(let reading): .success(reading)
    case .failed(let call, let code): .failure(failure(call, code))
    case .digests, .sidecar: .failure(.died(senseless))
    }
  }

  var digests: Result<FileHashes, DecoderFailure> {
    switch self {
    case .digests(let digests): .success(digests)
    case .failed(let call, let code): .failure(failure(call, code))
    case .metadata, .sidecar: .failure(.died(senseless))
    }
  }

  var sidecarFinding: Result<SidecarValues.Finding, DecoderFailure> {
    switch self {
    case .sidecar(let finding): .success(finding)
    case .failed(let call, let code): .failure(failure(call, code))
    case .metadata, .digests: .failure(.died(senseless))
    }
  }
}

private func failure(_ call: String, _ code: Int32) -> DecoderFailure {
  .system(SystemError(call: call, subject: "open file", code: code))
}

let senseless = "the decoder's answer made no sense"

/// Nothing can be decoded here at all.
package struct DecoderError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
