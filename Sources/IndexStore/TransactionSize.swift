/// The number of rows that one transaction writes: the more, the fewer times a page of an index
/// is written; yet no transaction may last 100 ms, for a person may be waiting to write.
package struct TransactionSize: Sendable {
  package private(set) var rows: Int
  private let least: Int
  private let most: Int

  package init(rows: Int = 1000, least: Int = 250, most: Int = 2000) {
    self.rows = rows
    self.least = least
    self.most = most
  }

  /// After a transaction that wrote so many, which tells nothing where it had fewer to write. What is
  /// far from 100 ms leaves room for a disk or a machine that is busy just then.
  package mutating func adapt(to duration: Duration, for written: Int) {
    if duration > .milliseconds(50) { rows = max(least, rows / 2) }
    if duration < .milliseconds(25), written >= rows { rows = min(most, rows * 2) }
  }

  package mutating func adapt(to stint: Stint) { adapt(to: stint.duration, for: stint.rows) }
}
