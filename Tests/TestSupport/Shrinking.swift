/// What is left of the steps of a history that fails when all are left out without which it fails,
/// too: halves first, then ever smaller parts, at last single steps.
///
/// `failing` tells what is wrong after some of the steps; nil: nothing.
package func shrunk<Step: Sendable, Failure: Sendable>(
  _ steps: [Step], _ failure: Failure, attempts: Int = 200,
  failing: ([Step]) async throws -> Failure?
) async throws -> (steps: [Step], failure: Failure) {
  var shortest = (steps: steps, failure: failure)
  var (size, left) = (max(1, steps.count / 2), attempts)
  while size > 0 {
    var start = 0
    while start < shortest.steps.count, left > 0 {
      var rest = shortest.steps
      rest.removeSubrange(start..<min(start + size, rest.count))
      left -= 1
      if let failure = try await failing(rest) {
        shortest = (rest, failure)
      } else {
        start += size
      }
    }
    size /= 2
  }
  return shortest
}

extension SeededGenerator {
  /// That of one step of a history, so that others can be left out without changing it.
  package init(seed: UInt64, step: Int) {
    self.init(seed: seed << 20 | UInt64(step))
  }
}
