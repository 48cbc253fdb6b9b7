import Linux
import Model
import Synchronization

/// How long to wait for a decoder that does not get on, and whether to wait at all any more.
struct Patience: Sendable {
  let silence: Duration
  let isCancelled: @Sendable () -> Bool
}

/// A decoder in a process of its own, as its user sees it. It takes one request at a time.
final class DecoderChild: Sendable {
  private let program: [UInt8]
  private let process: ChildProcess
  private let known = Mutex<Confinement?>(nil)

  /// Starts one, which takes its time until it can answer.
  init(_ program: [UInt8], _ arguments: [String]) throws {
    self.program = program
    do throws(SystemError) {
      process = try ChildProcess(program: program, arguments: arguments)
    } catch {
      throw DecoderError("\(error). \(consequence)")
    }
  }

  /// Waits until it has confined itself, before which nothing is to be asked; tells how it has.
  func confinement(_ patience: Patience) throws -> Confinement {
    if let known = known.withLock({ $0 }) { return known }
    guard case .message(let message) = try next(process, patience),
      let found = Decoding.confinement(fromHello: message)
    else {
      let ending = process.end().map { " (\($0))" } ?? ""
      throw DecoderError("\(printable(program)) is no decoder here\(ending). \(consequence)")
    }
    known.withLock { $0 = found }
    return found
  }

  func kill() { process.kill() }

  var identifier: Int32 { process.identifier }

  /// Its answers, or how it died, and then it is of no use any more. Throws when nobody wants to wait
  /// any longer.
  func ask(
    _ kind: DecoderRequest.Kind, _ files: [DecoderInput], _ patience: Patience
  ) throws -> Result<[DecoderAnswer], DecoderFailure> {
    do throws(SystemError) {
      try process.socket.send(DecoderRequest(kind, files).message, with: files.map(\.file))
    } catch {
      return .failure(.died(howItEnded()))
    }
    var answer: [UInt8] = []
    while true {
      switch try next(process, patience) {
      case .silence:
        _ = process.end()
        return .failure(.died("the decoder did not get on for \(patience.silence)"))
      case .end: return .failure(.died(howItEnded()))
      case .message(let message):
        switch message.first {
        case DecoderMessage.alive where message.count == 1: continue
        case DecoderMessage.part, DecoderMessage.end: answer += message.dropFirst()
        default: return .failure(.died(senseless))
        }
        guard answer.count <= answerLimit else { return .failure(.died(senseless)) }
        guard message.first == DecoderMessage.end else { continue }
        return answers(in: answer, count: files.count).map { .success($0) }
          ?? .failure(.died(senseless))
      }
    }
  }

  private func howItEnded() -> String {
    process.end().map { "the decoder was ended by \($0)" } ?? "the decoder does not end"
  }
}

private enum Heard {
  case message([UInt8])
  /// The process has ended, or sent what no decoder sends.
  case end
  case silence
}

/// The next message. Time is counted in small steps, for this process may be the one that stood still.
private func next(_ process: borrowing ChildProcess, _ patience: Patience) throws -> Heard {
  let step = Duration.milliseconds(100)
  var silence = Duration.zero
  while silence < patience.silence {
    if try !wait(for: [process.socket.readiness], atMost: step).isEmpty {
      // Files that come from there are closed at once.
      guard let message = try? process.socket.receive() else { return .end }
      return .message(message.bytes)
    }
    if patience.isCancelled() { throw CancellationError() }
    silence += step
  }
  return .silence
}

private let consequence =
  "Photos are decoded by a second process of this program, which cannot be started; is /proc mounted?"

/// Many times what the files of a batch have to say.
private let answerLimit = 16 << 20
