import Decoding
import Glibc
import Linux
import Metadata
import Model

/// A decoder that does what a file says, in place of what hostile bytes could make a real one do.
@main
struct FaultyDecoder {
  /// With a path, it has another one of these decode that file, and waits for it.
  static func main() async {
    let arguments = programArguments()
    if arguments == [Array("--decoder".utf8)] { exit(runDecoder(ObedientWork(), memory: 64 << 20)) }
    guard let path = arguments.first, let file = try? OpenFile(absolutePath: path) else { exit(64) }
    let found = try? await DecoderPool().metadata(of: [DecoderInput(SharedFile(file), suffix: "")])
    exit(found == nil ? 1 : 0)
  }
}

private struct ObedientWork: DecoderWork, ~Copyable {
  private var real = FileWork()

  mutating func metadata(
    of file: borrowing OpenFile, suffix: String
  ) throws(SystemError) -> MetadataReading {
    try obeyEnd(of: file, ["of all: "])
    let order = try obey(file)
    guard order != "probe" else { return .metadata(report()) }
    return try real.metadata(of: file, suffix: suffix)
  }

  mutating func digests(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> FileHashes {
    try obeyEnd(of: file, ["of picture: ", "of bytes: ", "of all: "])
    if try obey(file) == "slow" {
      // Three seconds in all: much longer than the tests are patient with one that is silent.
      let end = ContinuousClock.now + .seconds(3)
      while ContinuousClock.now < end { try progress() }
    }
    return try real.digests(of: file, progress)
  }

  mutating func content(
    of file: borrowing OpenFile, _ progress: () throws(SystemError) -> Void
  ) throws(SystemError) -> Hash {
    try obeyEnd(of: file, ["of bytes: ", "of all: "])
    return try real.content(of: file, progress)
  }

  mutating func sidecar(
    of file: borrowing OpenFile, kind: String
  ) throws(SystemError) -> SidecarValues.Finding {
    _ = try obey(file)
    return try real.sidecar(of: file, kind: kind)
  }

  private func obey(_ file: borrowing OpenFile) throws(SystemError) -> String {
    let order = try text(of: file, at: 0)
    obey(order)
    return order
  }

  /// Does what stands at the end of a file that is a photo otherwise, behind one of these words.
  private func obeyEnd(
    of file: borrowing OpenFile, _ words: [String]
  ) throws(SystemError) {
    let end = try text(of: file, at: max(0, file.sizeWhenOpened - 20))
    for word in words {
      if let range = end.firstRange(of: word) { obey(String(end[range.upperBound...])) }
    }
  }

  private func text(of file: borrowing OpenFile, at offset: Int64) throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = try file.read(at: offset, into: &bytes)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func obey(_ order: String) {
    switch order {
    case "crash": fatalError("as ordered")
    case "exit": _exit(3)
    case "hang": while true {}
    case "eat": while true { _ = memset(malloc(1 << 20)!, 1, 1 << 20) }
    case "lie": lie()
    default: break
    }
  }

  /// Sends what no decoder sends.
  private func lie() {
    let bytes: [UInt8] = [4, 0xff, 0xff, 0xff]
    var part = bytes.withUnsafeBytes {
      iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }
    withUnsafeMutablePointer(to: &part) {
      var message = msghdr()
      message.msg_iov = $0
      message.msg_iovlen = 1
      _ = sendmsg(0, &message, 0)
    }
  }

  /// Tries what a decoder must not be able to do, and tells what came of it.
  private func report() -> PhotoMetadata {
    var words = Words()
    func note(_ name: String, _ result: Int) {
      words.keywords.append(Words.Keyword("\(name) \(result == -1 ? errno : 0)", .xmp))
    }
    note("open", Int(open("/etc/passwd", O_RDONLY)))
    note("create", Int(open("/tmp/photoindexd-decoder", O_WRONLY | O_CREAT, 0o600)))
    note("write", write(2, "x", 1))
    note("socket", Int(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)))
    note("kill", Int(kill(getppid(), 0)))
    note("fork", Int(spawnShell()))
    note("fcntl", Int(fcntl(3, F_SETFL, 0)))
    let executable = mmap(
      nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    note("code", executable == MAP_FAILED ? -1 : 0)
    // Which descriptors are open: those that have flags cannot be asked for, but reading tells.
    for descriptor: CInt in 0..<64 where read(descriptor, nil, 0) == 0 {
      words.keywords.append(Words.Keyword("open \(descriptor)", .xmp))
    }
    var metadata = PhotoMetadata(mediaType: "image/probe")
    metadata.words = words
    return metadata
  }

  private func spawnShell() -> Int32 {
    var pid = pid_t()
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), nil]
    let code = posix_spawn(&pid, "/bin/sh", nil, nil, words, [nil])
    errno = code
    return code == 0 ? 0 : -1
  }
}
