/// How long to wait after an event before its directory is looked at.
package struct WatchTimes: Hashable, Sendable {
  /// After a file was closed or moved, and after all that happens to directories.
  package var quiet: Duration
  /// The longest that further events can put a look off.
  package var most: Duration
  /// Until stamps are old enough to be trusted.
  package var settle: Duration
  /// Until a file that is written to, but not closed, counts as written.
  package var rest: Duration

  package init(
    quiet: Duration = .milliseconds(200), most: Duration = .seconds(1),
    settle: Duration = .seconds(2), rest: Duration = .seconds(60)
  ) {
    self.quiet = quiet
    self.most = most
    self.settle = settle
    self.rest = rest
  }
}
