import Synchronization
import Testing

@testable import Linux

/// Tasks on threads of our own. What would hang fails by its time.
@Suite(.timeLimit(.minutes(2)))
struct BlockingExecutorTests {
  @Test func `each of ten thousand jobs runs, before and after it gives way`() async {
    let executor = BlockingExecutor(mostThreads: 4)
    let crowd = Crowd()
    await withTaskGroup { group in
      for _ in 0..<10_000 {
        group.addTask(executorPreference: executor) {
          crowd.enter()
          crowd.leave()
          await Task.yield()
          crowd.enter()
          crowd.leave()
        }
      }
    }
    #expect(crowd.entered == 20_000)
    #expect(crowd.most <= 4)
  }

  /// Each waits until the last one has come, so all of them must have a thread at the same time.
  @Test func `as many jobs as there may be threads can wait for each other`() async {
    let executor = BlockingExecutor(mostThreads: 32)
    let crowd = Crowd()
    await withTaskGroup { group in
      for _ in 0..<32 {
        group.addTask(executorPreference: executor) {
          crowd.enter()
          while crowd.entered < 32 { pause(.milliseconds(1)) }
        }
      }
    }
    #expect(crowd.most == 32)
  }

  @Test func `more jobs than there may be threads take turns`() async {
    let executor = BlockingExecutor(mostThreads: 2)
    let crowd = Crowd()
    await withTaskGroup { group in
      for _ in 0..<6 {
        group.addTask(executorPreference: executor) {
          crowd.enter()
          pause(.milliseconds(20))
          crowd.leave()
        }
      }
    }
    #expect(crowd.entered == 6)
    #expect(crowd.most == 2)
  }

  /// Nearly every ball finds the other's thread just about to wait.
  @Test func `no wake-up is lost where threads come to rest all the time`() async {
    let executor = BlockingExecutor(mostThreads: 2)
    let (there, serve) = AsyncStream<Int>.makeStream()
    let (back, answer) = AsyncStream<Int>.makeStream()
    let last = await withTaskGroup(of: Int.self, returning: Int.self) { group in
      group.addTask(executorPreference: executor) {
        for await ball in there { answer.yield(ball + 1) }
        answer.finish()
        return 0
      }
      group.addTask(executorPreference: executor) {
        var last = 0
        serve.yield(0)
        for await ball in back {
          last = ball
          if ball < 20_000 { serve.yield(ball) } else { serve.finish() }
        }
        return last
      }
      return await group.reduce(0, max)
    }
    #expect(last == 20_000)
  }

  @Test func `rests end in the order of their length, none too early`() async throws {
    let start = ContinuousClock.now
    let ends = try await withThrowingTaskGroup(of: Int.self, returning: [Int].self) { group in
      for milliseconds in [400, 100, 250] {
        group.addTask(executorPreference: BlockingExecutor.shared) {
          try await rest(for: .milliseconds(milliseconds))
          #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
          return milliseconds
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends == [100, 250, 400])
  }

  @Test(arguments: [true, false])
  func `a rest ends when its task is cancelled`(isCancelledBefore: Bool) async {
    let task = Task(executorPreference: BlockingExecutor.shared) {
      if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
      try await rest(for: .seconds(100_000))
    }
    if !isCancelledBefore {
      pause(.milliseconds(20))
      task.cancel()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `jobs that wait for a disk do not hold up a rest`() async throws {
    let executor = BlockingExecutor(mostThreads: 4)
    let rested = Crowd()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask(executorPreference: executor) {
          while rested.entered == 0 { pause(.milliseconds(1)) }
        }
      }
      group.addTask(executorPreference: executor) {
        try await rest(for: .milliseconds(10))
        rested.enter()
      }
      try await group.waitForAll()
    }
    #expect(rested.entered == 1)
  }

  @Test func `the work of main returns its status, after what it waited for`() {
    let status = runToEnd {
      try? await rest(for: .milliseconds(10))
      return 69
    }
    #expect(status == 69)
  }
}

/// Counts who comes and goes.
private final class Crowd: Sendable {
  private let counts = Mutex((entered: 0, inside: 0, most: 0))

  var entered: Int { counts.withLock { $0.entered } }
  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock {
      $0.entered += 1
      $0.inside += 1
      $0.most = max($0.most, $0.inside)
    }
  }

  func leave() {
    counts.withLock { $0.inside -= 1 }
  }
}
