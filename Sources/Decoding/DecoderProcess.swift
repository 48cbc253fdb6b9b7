import Linux
import Metadata
import Model

/// The life of a decoder, in a process of its own: what it is given open it reads, and answers with
/// values. It ends when nobody asks any more.
///
/// Returns the exit status.
package func runDecoder<Work: DecoderWork & ~Copyable>(
  _ work: consuming Work, memory: UInt = 256 << 20
) -> Int32 {
  // Before anything else: there must be no other thread, and nothing hostile in here yet.
  guard endWithParent() else { return notADecoder }
  let socket = DescriptorSocket.inherited()
  do throws(SystemError) {
    try socket.send(hello(confine(memory: memory)))
    while var message = try socket.receive() {
      guard let request = DecoderRequest(message: message.bytes),
        request.files.count == message.files.count
      else { return notADecoder }
      try answer(request, &message.files, &work, socket)
    }
    return 0
  } catch {
    // The parent has gone, or does not listen any more.
    return 1
  }
}

/// As in sysexits(3), EX_USAGE: nobody but this program may start it.
private let notADecoder: Int32 = 64

private func answer<Work: DecoderWork & ~Copyable>(
  _ request: DecoderRequest, _ files: inout ReceivedFiles, _ work: inout Work,
  _ socket: borrowing DescriptorSocket
) throws(SystemError) {
  var writer = FieldWriter()
  var pulse = Pulse()
  for described in request.files {
    try pulse.beat(socket)
    guard let file = files.next(size: described.size) else { return }
    var answer: DecoderAnswer
    do throws(SystemError) {
      switch request.kind {
      case .metadata:
        answer = .metadata(try work.metadata(of: file, suffix: described.hint))
      case .digests:
        answer = .digests(
          try work.digests(of: file) { () throws(SystemError) in try pulse.beat(socket) })
      case .contents:
        let content = try work.content(of: file) { () throws(SystemError) in
          try pulse.beat(socket)
        }
        answer = .digests(FileHashes(content: content, image: nil))
      case .sidecars: answer = .sidecar(try work.sidecar(of: file, kind: described.hint))
      }
    } catch {
      answer = .failed(call: error.call, code: error.code)
    }
    DecoderAnswer.code(&answer, &writer)
  }
  try send(writer.bytes, socket)
}

private func send(
  _ answer: [UInt8], _ socket: borrowing DescriptorSocket
) throws(SystemError) {
  var rest = answer[...]
  repeat {
    let part = rest.prefix(DescriptorSocket.mostBytes - 1)
    rest = rest.dropFirst(part.count)
    try socket.send([rest.isEmpty ? DecoderMessage.end : DecoderMessage.part] + part)
  } while !rest.isEmpty
}

/// Tells the parent now and then that the work gets on.
private struct Pulse {
  private var last = ContinuousClock.now

  mutating func beat(_ socket: borrowing DescriptorSocket) throws(SystemError) {
    let now = ContinuousClock.now
    guard now - last >= .seconds(1) else { return }
    last = now
    try socket.send([DecoderMessage.alive])
  }
}
