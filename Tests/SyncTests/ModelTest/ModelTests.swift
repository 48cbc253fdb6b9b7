import Linux
import TestSupport
import Testing

/// The model test: whatever happens to a library, to the disk below it and to the program itself,
/// the index says what DESIGN makes of it, row by row.
struct ModelTests {
  /// `scripts/soak model` sets the variables, for more of them and others.
  private static var seeds: Range<UInt64> {
    let first = environment("MODEL_HISTORIES_FROM").flatMap { UInt64($0) } ?? 0
    let count = environment("MODEL_HISTORIES").flatMap { UInt64($0) } ?? 100
    return first..<first + count
  }

  @Test(arguments: seeds)
  func `after each pass the index is what the model says`(seed: UInt64) async throws {
    let all = Array(0..<30)
    guard let failure = try await ModelHistory.failure(seed: seed, steps: all) else { return }
    let shortest = try await shrunk(all, failure) {
      try await ModelHistory.failure(seed: seed, steps: $0)
    }
    Issue.record("seed \(seed), steps \(shortest.steps): \(shortest.failure)")
  }
}
