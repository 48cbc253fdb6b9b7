package import Model

/// A directory to look at.
package struct Look: Hashable, Sendable {
  package let path: RelativePath
  /// Whether all that lies below is to be looked at, too.
  package var isDeep = false
  /// Files that their writers have closed, and that have rested since.
  package var complete: Set<ArraySlice<UInt8>> = []
  /// Whether its files have been given the time to settle.
  package var isLastLook = false

  package init(_ path: RelativePath) {
    self.path = path
  }
}

/// The directories of a root in which something happened, and when it is time to look.
///
/// It knows no clock: whoever tells it something says when that was.
package struct DirtyDirectories: Sendable {
  package typealias Instant = ContinuousClock.Instant

  private struct Dirty {
    var isDeep = false
    /// The first and the last event since the last look.
    var events: (first: Instant, last: Instant)?
    /// When its stamps will be old enough.
    var settlesAt: Instant?
    /// When each file was closed.
    var closed: [ArraySlice<UInt8>: Instant] = [:]
  }

  private let times: WatchTimes
  private var dirty: [RelativePath: Dirty] = [:]
  /// When something was last written to each file that is open for it.
  private var writing: [RelativePath: [ArraySlice<UInt8>: Instant]] = [:]
  private var closedCount = 0
  /// Whether something left the root, and so may have come to another.
  package private(set) var hasDepartures = false

  package init(_ times: WatchTimes) {
    self.times = times
  }

  package mutating func changed(_ directory: RelativePath, isDeep: Bool = false, at now: Instant) {
    note(directory, isDeep: isDeep, at: now)
  }

  package mutating func departed(from directory: RelativePath, _ name: [UInt8], at now: Instant) {
    hasDepartures = true
    stopWriting(name, in: directory)
    note(directory, isDeep: false, at: now)
  }

  /// A name appeared: of a new file, which will be written to and closed, or of a link, which not.
  package mutating func created(in directory: RelativePath, at now: Instant) {
    settle(directory, at: now + times.settle)
  }

  package mutating func written(_ name: [UInt8], in directory: RelativePath, at now: Instant) {
    writing[directory, default: [:]][name[...]] = now
    if dirty[directory]?.closed.removeValue(forKey: name[...]) != nil { closedCount -= 1 }
  }

  /// The file's writer is done with it.
  package mutating func closed(_ name: [UInt8], in directory: RelativePath, at now: Instant) {
    stopWriting(name, in: directory)
    complete(name, in: directory, at: now)
  }

  /// Its permissions or times changed: a closed file is looked at as it is.
  package mutating func touched(_ name: [UInt8], in directory: RelativePath, at now: Instant) {
    guard writing[directory]?[name[...]] == nil else { return }
    complete(name, in: directory, at: now)
  }

  /// Directories with young files, at which to look once more.
  package mutating func unsettled(_ directories: [RelativePath], at now: Instant) {
    // A little more, for the clock that stamps files is a coarse one.
    for path in directories { settle(path, at: now + times.settle + .milliseconds(10)) }
  }

  /// All of the root is to be looked at, and what was known of open files is not any more.
  package mutating func lost(at now: Instant) {
    writing = [:]
    note(.root, isDeep: true, at: now)
  }

  package func beingWritten(in directory: RelativePath) -> Set<ArraySlice<UInt8>> {
    writing[directory].map { Set($0.keys) } ?? []
  }

  /// When the next look is due.
  package var nextDue: Instant? {
    var next = writing.values.lazy.flatMap(\.values).min().map { $0 + times.rest }
    for entry in dirty.values {
      for due in [dueAfterEvents(entry), entry.settlesAt].compactMap({ $0 }) {
        next = min(next ?? due, due)
      }
    }
    return next
  }

  package var isEmpty: Bool { dirty.isEmpty && writing.isEmpty }

  /// The looks to take now, if any is due; then all directories with events are, for a move is
  /// seen in two of them.
  package mutating func take(at now: Instant) -> [Look] {
    letRest(at: now)
    guard let due = nextDue, due <= now else { return [] }
    return takeAll(at: now)
  }

  /// All that is known to have happened, due or not.
  package mutating func takeAll(at now: Instant) -> [Look] {
    hasDepartures = false
    var looks: [Look] = []
    for (path, entry) in dirty where entry.events != nil || isSettled(entry, now) {
      looks.append(take(path, entry, at: now))
    }
    return looks
  }

  private mutating func take(_ path: RelativePath, _ entry: Dirty, at now: Instant) -> Look {
    var look = Look(path)
    look.isDeep = entry.isDeep
    look.isLastLook = isSettled(entry, now)
    let young = entry.closed.filter { $0.value + times.quiet > now }
    look.complete = Set(entry.closed.keys).subtracting(young.keys)
    closedCount -= look.complete.count
    var rest = Dirty()
    rest.settlesAt = look.isLastLook ? nil : entry.settlesAt
    rest.closed = young
    rest.events = young.values.max().map { ($0, $0) }
    dirty[path] = rest.events == nil && rest.settlesAt == nil ? nil : rest
    return look
  }

  private func isSettled(_ entry: Dirty, _ now: Instant) -> Bool {
    entry.settlesAt.map { $0 <= now } ?? false
  }

  private func dueAfterEvents(_ entry: Dirty) -> Instant? {
    entry.events.map { min($0.last + times.quiet, $0.first + times.most) }
  }

  private mutating func note(_ directory: RelativePath, isDeep: Bool, at now: Instant) {
    var entry = dirty[directory] ?? Dirty()
    entry.isDeep = entry.isDeep || isDeep
    entry.events = (entry.events?.first ?? now, now)
    dirty[directory] = entry
  }

  private mutating func complete(_ name: [UInt8], in directory: RelativePath, at now: Instant) {
    note(directory, isDeep: false, at: now)
    // Without its name a file is read when its stamps are old enough, which is later, not worse.
    guard closedCount < mostNames else { return settle(directory, at: now + times.settle) }
    if dirty[directory]?.closed.updateValue(now, forKey: name[...]) == nil { closedCount += 1 }
  }

  private mutating func settle(_ directory: RelativePath, at due: Instant) {
    dirty[directory, default: Dirty()].settlesAt = due
  }

  private mutating func stopWriting(_ name: [UInt8], in directory: RelativePath) {
    writing[directory]?[name[...]] = nil
    if writing[directory]?.isEmpty == true { writing[directory] = nil }
  }

  /// Files that nobody has written to for long are as good as closed.
  private mutating func letRest(at now: Instant) {
    for (directory, files) in writing {
      for (name, last) in files where last + times.rest <= now {
        stopWriting(Array(name), in: directory)
        complete(Array(name), in: directory, at: now - times.quiet)
      }
    }
  }
}

/// As many names as are kept, each of some hundred bytes.
private let mostNames = 100_000
