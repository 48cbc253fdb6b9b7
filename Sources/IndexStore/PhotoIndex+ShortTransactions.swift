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

  /// Carries out `body` for the first of the elements, some at a time, in one transaction that ends
  /// when it has taken long enough.
  func inOneShortTransaction<Elements: Collection>(
    _ elements: Elements, _ body: (Elements.SubSequence) throws -> Void
  ) throws -> Stint {
    var rest = elements[...]
    let duration = try politely {
      let end = ContinuousClock.now + timeOfTransaction
      repeat {
        try body(rest.prefix(rowsOfPiece))
        rest = rest.dropFirst(rowsOfPiece)
      } while !rest.isEmpty && ContinuousClock.now < end
    }
    return Stint(rows: elements.count - rest.count, duration: duration)
  }

  /// Repeats `body`, which returns how many rows it wrote, at most as many as it is given, until
  /// there are no more, or so many, or that has taken long enough; in one transaction.
  func inOneShortTransaction(rows: Int, _ body: (Int) throws -> Int) throws -> Stint {
    var done = 0
    let duration = try politely {
      let end = ContinuousClock.now + timeOfTransaction
      while done < rows {
        let written = try body(min(rowsOfPiece, rows - done))
        done += written
        if written == 0 || ContinuousClock.now >= end { return }
      }
    }
    return Stint(rows: done, duration: duration)
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

/// What one transaction of a long job wrote, and how long others had to wait for it.
package struct Stint: Sendable {
  package let rows: Int
  package let duration: Duration
}

/// The commit, which waits for the disk, comes on top.
let timeOfTransaction: Duration = .milliseconds(30)
private let rowsOfTransaction = 500

/// Few enough that there is time to look at the clock, however busy the machine is; enough to make one
/// statement pay.
private let rowsOfPiece = 64

/// It changes when another connection has written.
private let dataVersion = SQL("PRAGMA data_version")
