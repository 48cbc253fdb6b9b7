import FoundationEssentials
import Linux
import Model
import Sync

/// What a running service says of itself.
struct LiveStatus: Codable, Equatable {
  let pid: Int
  /// What it is doing, in words.
  let activity: String
  /// How it decodes.
  let decoder: String
}

/// What a program asks of the running service: one message, fields with NULs between them.
enum ControlRequest: Equatable {
  struct Rescan: Equatable {
    let directories: [[UInt8]]
    let hashes: Bool
    var confirmedRoot: String?
    var acceptedRoot: String?
    var scrubs = false
  }

  /// What changes the index without a look at the disk; for root and the index's own user alone.
  enum Change: Equatable {
    case forget(root: String, withMarks: Bool)
    /// Without names, of all roots.
    case forgetMissing(roots: [String])
    case rename(root: String, to: String)
    /// What is at the path is right.
    case accept([UInt8])
  }

  case status
  case rescan(Rescan)
  case change(Change)
  /// The root of this name is to be read again.
  case resume(String)

  var message: [UInt8] {
    switch self {
    case .status: return Array("status".utf8)
    case .resume(let root): return Array("resume\0\(root)".utf8)
    case .rescan(let rescan):
      let words = [
        "rescan", rescan.hashes ? "hash" : "", rescan.confirmedRoot ?? "",
        rescan.acceptedRoot ?? "", rescan.scrubs ? "scrub" : "",
      ]
      // No path holds a NUL.
      return Array((words.map { Array($0.utf8) } + rescan.directories).joined(separator: [0]))
    case .change(.accept(let path)): return Array("accept".utf8) + [0] + path
    case .change(let change):
      return Array(change.words.map { Array($0.utf8) }.joined(separator: [0]))
    }
  }

  init?(message: [UInt8]) {
    let fields = message.split(separator: 0, omittingEmptySubsequences: false)
    let words = fields.prefix(5).map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case "status" where fields.count == 1: self = .status
    case "resume" where fields.count == 2: self = .resume(words[1])
    case "rescan" where fields.count >= 5:
      self = .rescan(
        Rescan(
          directories: fields.dropFirst(5).map { Array($0) }, hashes: words[1] == "hash",
          confirmedRoot: words[2].isEmpty ? nil : words[2],
          acceptedRoot: words[3].isEmpty ? nil : words[3], scrubs: words[4] == "scrub"))
    case "accept" where fields.count == 2: self = .change(.accept(Array(fields[1])))
    default:
      guard let change = Change(words: fields.map { String(decoding: $0, as: UTF8.self) }) else {
        return nil
      }
      self = .change(change)
    }
  }
}

extension ControlRequest.Change {
  fileprivate var words: [String] {
    switch self {
    case .forget(let root, let withMarks): ["forget", root, withMarks ? "marks" : ""]
    case .forgetMissing(let roots): ["forget-missing"] + roots
    case .rename(let root, let name): ["rename", root, name]
    case .accept: ["accept"]
    }
  }

  fileprivate init?(words: [String]) {
    switch words.first {
    case "forget" where words.count == 3:
      self = .forget(root: words[1], withMarks: words[2] == "marks")
    case "forget-missing": self = .forgetMissing(roots: Array(words.dropFirst()))
    case "rename" where words.count == 3: self = .rename(root: words[1], to: words[2])
    default: return nil
    }
  }
}

/// What the service answers: messages that begin with a letter for their kind.
enum ControlAnswer: Equatable {
  /// For standard output.
  case output(String)
  /// A line for standard error.
  case error(String)
  case progress(ProgressStep)
  case status(LiveStatus)
  /// The last one: the exit status.
  case end(Int32)

  var message: [UInt8] {
    switch self {
    case .output(let text): Array(("o" + text).utf8)
    case .error(let text): Array(("e" + text).utf8)
    case .progress(let step): Array("p".utf8) + encoded(step)
    case .status(let status): Array("s".utf8) + encoded(status)
    case .end(let status): Array("x\(status)".utf8)
    }
  }

  init?(message: [UInt8]) {
    guard let kind = message.first else { return nil }
    let rest = Array(message.dropFirst())
    let text = String(decoding: rest, as: UTF8.self)
    switch kind {
    case UInt8(ascii: "o"): self = .output(text)
    case UInt8(ascii: "e"): self = .error(text)
    case UInt8(ascii: "p"):
      guard let step = decoded(ProgressStep.self, rest) else { return nil }
      self = .progress(step)
    case UInt8(ascii: "s"):
      guard let status = decoded(LiveStatus.self, rest) else { return nil }
      self = .status(status)
    case UInt8(ascii: "x"):
      guard let status = Int32(text) else { return nil }
      self = .end(status)
    default: return nil
    }
  }
}

/// How far a pass has come, as it travels.
struct ProgressStep: Codable, Equatable {
  let phase: String
  let done: Int
  let total: Int

  /// Returns nil for what is not progress.
  init?(_ event: SyncEvent) {
    switch event {
    case .surveying(let directories, let files):
      (phase, done, total) = ("listing", files, directories)
    case .reading(let done, let total): (phase, self.done, self.total) = ("reading", done, total)
    case .hashing(let done, let total): (phase, self.done, self.total) = ("hashing", done, total)
    case .verifying(let done, let total):
      (phase, self.done, self.total) = ("verifying", done, total)
    case .labelling(let done, let total):
      (phase, self.done, self.total) = ("naming places", done, total)
    case .settling(let duration):
      (phase, done, total) = ("waiting", Int(duration / .milliseconds(1)), 0)
    case .unreadable, .failed, .unreadSidecar, .suspect: return nil
    }
  }

  var event: SyncEvent? {
    switch phase {
    case "listing": .surveying(directories: total, files: done)
    case "reading": .reading(done: done, of: total)
    case "hashing": .hashing(done: done, of: total)
    case "verifying": .verifying(done: done, of: total)
    case "naming places": .labelling(done: done, of: total)
    case "waiting": .settling(.milliseconds(done))
    default: nil
    }
  }
}

private func encoded(_ value: some Encodable) -> [UInt8] {
  (try? JSONEncoder().encode(value)).map { Array($0) } ?? []
}

private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
  try? JSONDecoder().decode(type, from: Data(bytes))
}

/// Asks the running service, and passes on what it answers.
struct ControlClient: ~Copyable {
  private let connection: UnixConnection
  private let progress: Progress

  init(_ connection: consuming UnixConnection, _ level: Configuration.LogLevel) {
    self.connection = connection
    progress = Progress(level: level)
  }

  /// Sends the request, and waits for the end of what comes of it.
  func ask(_ request: ControlRequest) throws -> ExitStatus {
    let message = request.message
    // Rather than a message that would be cut off at the other end.
    guard message.count <= 60_000, connection.send(message) else {
      throw Failure(.temporaryFailure, "the running service does not take the request")
    }
    while case .message(let bytes) = connection.receive() {
      switch ControlAnswer(message: bytes) {
      case .output(let text):
        progress.finish()
        try printOutput(text)
      case .error(let text):
        progress.finish()
        printError("photoindexd: \(text)\n")
      case .progress(let step): if let event = step.event { progress.report(event) }
      case .end(let status): return ExitStatus(rawValue: status) ?? .software
      case .status, nil: continue
      }
    }
    progress.finish()
    throw Failure(
      .temporaryFailure,
      "the running service ended before the work did; a scan goes on at its next start")
  }
}
