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

  /// After a transaction that wrote so many, which tells nothing where it had fewer to write.
  package mutating func adapt(to duration: Duration, for written: Int) {
    if duration > .milliseconds(60) { rows = max(least, rows / 2) }
    if duration < .milliseconds(30), written >= rows { rows = min(most, rows * 2) }
  }
}
