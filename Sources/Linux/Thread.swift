import CLinux
import Glibc
import Synchronization

/// Starts a thread; returns the code of the error when there cannot be another.
func startThread(_ body: @escaping @Sendable () -> Void) -> CInt {
  let work = Unmanaged.passRetained(ThreadWork(body))
  var thread = pthread_t()
  let code = pthread_create(&thread, nil, runThreadWork, work.toOpaque())
  if code == 0 { pthread_detach(thread) } else { work.release() }
  return code
}

/// Runs what waits nearly all of the time, for whatever comes from outside, on a thread of its own.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation {
    (continuation: CheckedContinuation<Result, any Error>) in
    let code = startThread { continuation.resume(with: Swift.Result(catching: body)) }
    guard code == 0 else {
      let error = SystemError(call: "pthread_create", subject: "thread", code: code)
      return continuation.resume(throwing: error)
    }
  }
}

/// Waits so long, or throws as soon as the task is cancelled.
///
/// For `Task.sleep`, which is a timer of libdispatch: once that has been used, it looks each second
/// whether its threads are enough, for good.
package func rest(for duration: Duration) async throws {
  let end = ContinuousClock.now + duration
  let cancellation = try Cancellation()
  try await withTaskCancellationHandler {
    try await onThread { try cancellation.wait(until: end) }
  } onCancel: {
    cancellation.wakeup.signal()
  }
  try Task.checkCancellation()
}

private final class Cancellation: Sendable {
  let wakeup: Wakeup

  init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  func wait(until end: ContinuousClock.Instant) throws(SystemError) {
    while true {
      let left = end - .now
      guard left > .zero else { return }
      if try !Linux.wait(for: [wakeup.readiness], atMost: left).isEmpty { return }
    }
  }
}

/// Runs the work of `main` as a task, and waits on this thread for its status.
///
/// For an async `main`, which libdispatch runs; see `rest(for:)`.
package func runToEnd(_ body: @escaping @Sendable () async -> Int32) -> Int32 {
  let end = End()
  Task(executorPreference: BlockingExecutor.shared) {
    end.status.store(await body(), ordering: .relaxed)
    end.semaphore.signal()
  }
  takeSignals()
  end.semaphore.wait()
  return end.status.load(ordering: .relaxed)
}

/// Whoever started this process may have left signals blocked, and the other threads leave them to
/// this one.
private func takeSignals() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}

private final class End: Sendable {
  let status = Atomic<Int32>(0)
  let semaphore = Semaphore()
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

private func runThreadWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let work else { return nil }
  leaveSignals()
  Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
  return nil
}

/// Leaves the signals from outside to the main thread, so that they interrupt nothing here.
private func leaveSignals() {
  var signals = sigset_t()
  sigfillset(&signals)
  for own in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF] {
    sigdelset(&signals, own)
  }
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}
