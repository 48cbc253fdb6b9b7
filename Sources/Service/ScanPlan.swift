package import Model

/// When a root is scanned again, as a net under the events.
package struct ScanPlan: Hashable, Sendable {
  /// nil: a day, or a week where that is enough.
  package var interval: Duration?
  /// The minute of the day at which scans start.
  package var minute: Int?

  package init(interval: Duration? = nil, minute: Int? = nil) {
    self.interval = interval
    self.minute = minute
  }

  /// How long to wait from now on. `isKind`: all is watched, and the disk would have to be woken.
  /// `offset` is that of the clock on the wall, in seconds; `chance` from 0 to 1 keeps many roots
  /// and many machines from starting together.
  package func delay(
    from now: Timestamp, isKind: Bool, offset: Int64, chance: Double
  ) -> Duration {
    let base = interval ?? .seconds(isKind ? 7 * 86_400 : 86_400)
    guard let minute, base >= .seconds(86_400) else { return base + base * (chance / 20) }
    let (local, day) = (now.seconds + offset, Int64(86_400))
    let wanted = local + base.components.seconds
    // The occurrence of that minute that is nearest to the time wanted.
    let start = Int64(minute) * 60
    let days = (wanted - start + day / 2) / day
    return .seconds(days * day + start - local) + .seconds(300) * chance
  }
}
