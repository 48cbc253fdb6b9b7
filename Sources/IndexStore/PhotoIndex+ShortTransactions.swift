import Linux
import SQLite

/// Lets others write between the transactions of a long job.
///
/// SQLite has no queue for those who wait: they ask now and then, up to 100 ms apart, and must happen
/// to ask when nobody writes. So there is a gap after each transaction, and where somebody has written
/// just now, it is as long as that.
struct Courtesy {
  private var version: Int64?
  private var othersWroteAt: ContinuousClock.Instant?

  mutating func leaveGap(
    after duration: Duration, on connection: Connection, onlyIfWanted: Bool = false
  ) throws {
    let now = try connection.first(dataVersion, [])
    if let version, version != now { othersWroteAt = .now }
    version = now
    let isWanted = othersWroteAt.map { .now - $0 < .seconds(2) } ?? false
    if isWanted {
      pause(min(max(duration, .milliseconds(5)), .milliseconds(50)))
    } else if !onlyIfWanted, duration > .milliseconds(2) {
      pause(min(duration / 8, .milliseconds(10)))
    }
  }
}

extension PhotoIndex {
  /// A transaction with a gap behind it; tells how long other writers had to wait.
  func politely(_ body: () throws -> Void) throws -> Duration {
    let duration = try connection.timedTransaction(body)
    try courtesy.leaveGap(after: duration, on: connection)
    return duration
  }

  /// Carries out `body` for each element, some hundred a transaction, and `atEnd` for those of each:
  /// enough to make a commit pay, and as many as leave it far below the 100 ms of the contract.
  func inShortTransactions<Element>(
    _ elements: [Element], _ body: (Element) throws -> Void,
    atEnd: (ArraySlice<Element>) throws -> Void = { _ in }
  ) throws {
    var done = 0
    while done < elements.count {
      let start = done
      _ = try withoutCachesOnFailure {
        try politely {
          let end = ContinuousClock.now + timeOfTransaction
          repeat {
            try body(elements[done])
            done += 1
          } while done < min(start + rowsOfTransaction, elements.count) && ContinuousClock.now < end
          try atEnd(elements[start..<done])
        }
      }
    }
  }
}

/// The commit, which waits for the disk, comes on top.
private let timeOfTransaction: Duration = .milliseconds(30)
private let rowsOfTransaction = 500

/// It changes when another connection has written.
private let dataVersion = SQL("PRAGMA data_version")
