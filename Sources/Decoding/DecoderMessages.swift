import Linux
import Metadata
import Model

/// What a decoder is asked to do with the files that come with the message.
struct DecoderRequest: Hashable {
  enum Kind: Int, Hashable {
    case metadata, digests, sidecars, contents
  }

  struct File: Hashable {
    var size: Int64 = 0
    var hint = ""
  }

  var kind = Kind.metadata
  var files: [File] = []

  init(_ kind: Kind, _ inputs: [DecoderInput]) {
    self.kind = kind
    files = inputs.map { File(size: $0.file.file.sizeWhenOpened, hint: $0.hint) }
  }

  /// Returns nil for what is no request.
  init?(message: [UInt8]) {
    var reader = FieldReader(message)
    code(&reader)
    guard reader.isComplete else { return nil }
  }

  var message: [UInt8] {
    var (writer, copy) = (FieldWriter(), self)
    copy.code(&writer)
    return writer.bytes
  }

  private mutating func code(_ coder: inout some FieldCoder) {
    var number = kind.rawValue
    coder.integer(&number, in: 0...3)
    kind = Kind(rawValue: number) ?? .metadata
    coder.list(&files, atMost: mostFilesPerBatch, blank: File()) { coder, file in
      var size = Int(file.size)
      coder.integer(&size, in: 0...Int.max)
      file.size = Int64(size)
      coder.text(&file.hint)
    }
  }
}

/// What the answer has for one file.
enum DecoderAnswer: Hashable {
  case metadata(MetadataReading)
  case digests(FileHashes)
  case sidecar(SidecarValues.Finding)
  /// A system call failed with this code.
  case failed(call: String, code: Int32)

  static func code(_ answer: inout DecoderAnswer, _ coder: inout some FieldCoder) {
    var kind = answer.kind
    coder.integer(&kind, in: 0...4)
    switch kind {
    case 0, 1:
      var metadata = answer.metadata ?? blank
      metadata.code(&coder)
      answer = .metadata(kind == 0 ? .metadata(metadata) : .truncated(metadata))
    case 2: answer = FileHashes.code(answer, &coder)
    case 3:
      var finding = answer.sidecar ?? .unreadable(.empty)
      SidecarValues.Finding.code(&finding, &coder)
      answer = .sidecar(finding)
    default:
      var (call, number) = answer.failure ?? ("", 0)
      coder.text(&call)
      coder.integer(&number, in: 0...4095)
      answer = .failed(call: call, code: Int32(number))
    }
  }

  private var kind: Int {
    switch self {
    case .metadata(.metadata): 0
    case .metadata(.truncated): 1
    case .digests: 2
    case .sidecar: 3
    case .failed: 4
    }
  }

  private var metadata: PhotoMetadata? {
    switch self {
    case .metadata(.metadata(let metadata)), .metadata(.truncated(let metadata)): metadata
    case .digests, .sidecar, .failed: nil
    }
  }

  private var sidecar: SidecarValues.Finding? {
    if case .sidecar(let finding) = self { finding } else { nil }
  }

  private var failure: (String, Int)? {
    guard case .failed(let call, let code) = self else { return nil }
    return (call, Int(code))
  }
}

/// To make one anew takes longer than to copy it.
private let blank = PhotoMetadata()

extension FileHashes {
  fileprivate static func code(
    _ answer: DecoderAnswer, _ coder: inout some FieldCoder
  ) -> DecoderAnswer {
    var (content, image): ([UInt8], [UInt8]?) = ([], nil)
    if case .digests(let digests) = answer {
      (content, image) = (digests.content.bytes, digests.image?.bytes)
    }
    coder.bytes(&content, atMost: 32)
    coder.optional(&image, blank: []) { $0.bytes(&$1, atMost: 16) }
    let imageHash = image.flatMap { ImageHash(bytes: $0) }
    guard let hash = Hash(bytes: content), image == nil || imageHash != nil else {
      coder.refuse()
      return .failed(call: "", code: 0)
    }
    return .digests(FileHashes(content: hash, image: imageHash))
  }
}

/// What a decoder sends: each message begins with its kind.
enum DecoderMessage {
  /// The first one: which rights the process has taken away from itself.
  static let hello: UInt8 = 1
  /// It gets on.
  static let alive: UInt8 = 2
  /// A part of the answer, and more will follow.
  static let part: UInt8 = 3
  /// The last part of the answer.
  static let end: UInt8 = 4
}

/// Says, too, that it is a decoder that speaks, and none of another version.
func hello(_ confinement: Confinement) -> [UInt8] {
  let flags = [
    confinement.filtersSystemCalls, confinement.hasLandlock, confinement.limitsMemory,
  ]
  return [DecoderMessage.hello] + magic + flags.map { $0 ? 1 : 0 }
}

/// Returns nil for anything else.
func confinement(fromHello message: [UInt8]) -> Confinement? {
  let flags = message.dropFirst(1 + magic.count)
  guard message.starts(with: [DecoderMessage.hello] + magic), flags.count == 3 else { return nil }
  let values = flags.map { $0 == 1 }
  return Confinement(
    filtersSystemCalls: values[0], hasLandlock: values[1], limitsMemory: values[2])
}

private let magic = Array("photoindexd decoder 1".utf8)
