import CFuzzer
import Decoding
import Glibc
import Linux
import Synchronization
import TestSupport

/// Tries one reader with bytes that libFuzzer makes up. `scripts/fuzz` builds and runs it.
///
///     fuzz --list
///     fuzz TARGET --seeds DIR
///     fuzz TARGET DIR -max_total_time=60 …
@main
struct Fuzz {
  static func main() throws {
    let words = programArguments().map { String(decoding: $0, as: UTF8.self) }
    if words == ["--list"] {
      return print(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
    }
    guard let target = words.first.flatMap({ FuzzTarget(rawValue: $0) }), words.count > 1 else {
      print("fuzz TARGET DIR [libFuzzer's options], one of: fuzz --list")
      exit(64)
    }
    if words[1] == "--seeds", words.count == 3 { return try write(target.seeds, to: words[2]) }
    trial.withLock { $0 = target }
    exit(run(Array(words.dropFirst())))
  }

  private static func write(_ seeds: [[UInt8]], to directory: String) throws {
    for (number, seed) in seeds.enumerated() {
      let raw = open("\(directory)/seed-\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      guard raw >= 0, Glibc.write(raw, seed, seed.count) == seed.count else { exit(74) }
      close(raw)
    }
  }

  private static func run(_ words: [String]) -> Int32 {
    var count = CInt(words.count + 1)
    var pointers = (["fuzz"] + words).map { strdup($0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &start) { bytes, size in
        tryOut(Array(UnsafeBufferPointer(start: bytes, count: size)))
      }
    }
  }
}

/// libFuzzer's callback has no room for them.
private let trial = Mutex<FuzzTarget?>(nil)
private let workshop = Mutex(Workshop())

private struct Workshop: ~Copyable {
  var work = FileWork()
  let scratch = ScratchFile()
}

/// -1: of no use for further trials.
private func tryOut(_ bytes: [UInt8]) -> CInt {
  guard let target = trial.withLock({ $0 }) else { return 0 }
  return workshop.withLock { workshop in
    do {
      return try target.run(bytes, &workshop.work, workshop.scratch) ? 0 : -1
    } catch {
      fatalError("\(error)")
    }
  }
}

/// A file in memory, written anew for each trial.
final class ScratchFile: Sendable {
  private let descriptor: CInt
  let path: [UInt8]

  init() {
    let name = "/dev/shm/photoindexd-fuzz.\(getpid())"
    descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    unlink(name)
    path = Array("/proc/self/fd/\(descriptor)".utf8)
  }

  func write(_ bytes: [UInt8]) throws {
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    else { throw SystemError(call: "pwrite", subject: "scratch file", code: errno) }
  }
}
