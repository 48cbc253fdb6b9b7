import TestSupport
import Testing

/// What a failing history is cut down to.
struct ShrinkingTests {
  @Test func `only the steps are left without which nothing fails`() async throws {
    let shortest = try await shrunk(Array(0..<60), "as a whole") { steps in
      // It takes 7 and, later, 31 or 44.
      guard let first = steps.firstIndex(of: 7),
        steps[first...].contains(31) || steps[first...].contains(44)
      else { return nil as String? }
      return "after \(steps.count)"
    }
    #expect(shortest.steps == [7, 44])
    #expect(shortest.failure == "after 2")
  }

  @Test func `a history that fails only as a whole stays whole`() async throws {
    let all = Array(0..<9)
    let shortest = try await shrunk(all, 1) { $0 == all ? 2 : nil }
    #expect(shortest.steps == all)
    #expect(shortest.failure == 1)
  }
}
