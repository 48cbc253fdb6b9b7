package import Linux
package import Metadata
package import Model
import Synchronization

/// Decodes behind a wall: in processes of their own, which can neither write nor reach anybody, and
/// which may crash, hang or lie without harm for this one. There are as many as are asked at the same
/// time.
package final class DecoderPool: Decoder {
  private let program: [UInt8]
  private let arguments: [String]
  private let silence: Duration
  private let state = Mutex(State())

  private struct State: Sendable {
    var idle: [DecoderChild] = []
    /// Those that were ended, and are taken off the kernel's table together with the pool.
    var ended: [DecoderChild] = []
    /// How many have died since one last answered.
    var deaths = 0
    var confinement: Confinement?
  }

  /// `silence`: how long a decoder may go on without a sign that it gets on.
  package init(
    program: [UInt8] = Array("/proc/self/exe".utf8), arguments: [String] = ["--decoder"],
    silence: Duration = .seconds(30)
  ) {
    self.program = program
    self.arguments = arguments
    self.silence = silence
  }

  package func metadata(
    of files: [DecoderInput]
  ) async throws -> [Result<MetadataReading, DecoderFailure>] {
    try await ask(.metadata, files).map { $0.flatMap(\.reading) }
  }

  package func digests(
    of files: [DecoderInput]
  ) async throws -> [Result<FileHashes, DecoderFailure>] {
    var found = try await ask(.digests, files).map { $0.flatMap(\.digests) }
    let deaths = found.enumerated().compactMap { number, found in
      if case .failure(.died(let how)) = found { (number, how) } else { nil }
    }
    // Only a look at what bytes mean can do harm; for the digest of a whole file nobody takes one.
    let contents = try await ask(.contents, deaths.map { files[$0.0] })
    for ((number, how), content) in zip(deaths, contents) {
      guard case .success(let hashes) = content.flatMap(\.digests) else { continue }
      found[number] = .success(
        FileHashes(content: hashes.content, image: nil, imageFailure: how))
    }
    return found
  }

  package func sidecars(
    of files: [DecoderInput]
  ) async throws -> [Result<SidecarValues.Finding, DecoderFailure>] {
    try await ask(.sidecars, files).map { $0.flatMap(\.sidecarFinding) }
  }

  package func prepare(_ count: Int) {
    while state.withLock({ $0.idle.count }) < count {
      guard let child = try? DecoderChild(program, arguments) else { return }
      state.withLock { $0.idle.append(child) }
    }
  }

  /// Which rights its processes take away from themselves: as they do, not as they should.
  package func confinement() async throws -> Confinement {
    if let known = state.withLock({ $0.confinement }) { return known }
    return try await patiently { pool, patience in try pool.take(patience).confinement(patience) }
  }

  /// The processes that nobody has asked something now.
  package var idleProcesses: [Int32] { state.withLock { $0.idle.map(\.identifier) } }

  /// Ends the processes that nobody has asked something now.
  package func rest() {
    // Their ends are waited for outside of the lock, and all at the same time.
    let ended = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for child in ended { child.kill() }
  }

  /// No work will come any more: ends the processes that nobody has asked something now, and does not
  /// wait for their ends. That is left for the pool's own.
  package func dismiss() {
    state.withLock { state in
      for child in state.idle { child.kill() }
      state.ended += state.idle
      state.idle = []
    }
  }

  deinit {
    rest()
  }

  private func ask(
    _ kind: DecoderRequest.Kind, _ files: [DecoderInput]
  ) async throws -> [Result<DecoderAnswer, DecoderFailure>] {
    guard !files.isEmpty else { return [] }
    return try await patiently { pool, patience in
      var answers: [Result<DecoderAnswer, DecoderFailure>] = []
      for start in stride(from: 0, to: files.count, by: mostFilesPerBatch) {
        let batch = Array(files[start..<min(start + mostFilesPerBatch, files.count)])
        answers += try pool.askTogether(kind, batch, patience)
      }
      return answers
    }
  }

  /// Of files of which a decoder dies, each is tried alone, and then that one of which it dies again
  /// is the bad one. Not by halves: each death may cost as long as a decoder is waited for.
  private func askTogether(
    _ kind: DecoderRequest.Kind, _ files: [DecoderInput], _ patience: Patience
  ) throws -> [Result<DecoderAnswer, DecoderFailure>] {
    let child = try take(patience)
    switch try child.ask(kind, files, patience) {
    case .success(let answers):
      state.withLock { state in
        state.deaths = 0
        state.idle.append(child)
      }
      return answers.map { .success($0) }
    case .failure(let failure):
      state.withLock { $0.deaths += 1 }
      guard files.count > 1 else { return [.failure(failure)] }
      return try files.flatMap { try askTogether(kind, [$0], patience) }
    }
  }

  private func take(_ patience: Patience) throws -> DecoderChild {
    let (idle, deaths) = state.withLock { ($0.idle.popLast(), $0.deaths) }
    // One that was started ahead may have ended since.
    if let idle, (try? idle.confinement(patience)) != nil { return idle }
    // A machine on which each one dies must not do nothing but start them.
    if deaths > 0 { pause(.milliseconds(min(100, 1 << min(deaths, 7)))) }
    let child = try DecoderChild(program, arguments)
    let confinement = try child.confinement(patience)
    state.withLock { $0.confinement = confinement }
    return child
  }

  /// Where threads may wait, until the answer is there or the task is cancelled.
  private func patiently<Value: Sendable>(
    _ body: @escaping @Sendable (DecoderPool, Patience) throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try body(self, Patience(silence: silence) { Task.isCancelled })
    }
  }
}
