import Linux
import TestSupport
import Testing

/// The law of DESIGN §6.10, on random histories with passes in between, some of them cut short.
struct HistoryTests {
  /// `scripts/soak` sets the variables, for more of them and others.
  private static var seeds: Range<UInt64> {
    let first = environment("HISTORIES_FROM").flatMap { UInt64($0) } ?? 0
    let count = environment("HISTORIES").flatMap { UInt64($0) } ?? 60
    return first..<first + count
  }

  @Test(arguments: seeds)
  func `whatever happened, one pass makes the index that a fresh one would be`(seed: UInt64)
    async throws
  {
    let all = Array(0..<40)
    guard let failure = try await History.failure(seed: seed, steps: all) else { return }
    let shortest = try await shrunk(all, failure) {
      try await History.failure(seed: seed, steps: $0)
    }
    Issue.record("seed \(seed), steps \(shortest.steps): \(shortest.failure)")
  }
}
