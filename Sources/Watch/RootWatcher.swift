package import Library
package import Linux
package import Model
import Synchronization

/// Watches the directories of one root, and remembers where something happened.
///
/// Events are hints: they say where to look, never what is there. Whoever lists the root's
/// directories tells it of each one before, and so it comes to watch them.
package final class RootWatcher: DirectoryAttention {
  package typealias Instant = ContinuousClock.Instant

  private struct State: ~Copyable {
    let inotify: Inotify
    var watched: [Inotify.Watch: RelativePath] = [:]
    var watches: [RelativePath: Inotify.Watch] = [:]
    /// Directories that could not be watched.
    var unwatched: Set<RelativePath> = []
    var reason: String?
    var blindness: String?
    var dirty: DirtyDirectories
    /// The rules of the directory that the last event was of.
    var lastRules: (directory: RelativePath, rules: DirectoryRules)?
  }

  private let rules: PhotoRules
  private let budget: WatchBudget
  /// The directory that holds the index, if it lies in the root.
  private let indexDirectory: RelativePath?
  private let state: Mutex<State>
  package let readiness: Readiness

  package init(
    rules: PhotoRules, times: WatchTimes, budget: WatchBudget, indexDirectory: RelativePath? = nil
  ) throws(SystemError) {
    let inotify = try Inotify()
    readiness = inotify.readiness
    self.rules = rules
    self.budget = budget
    self.indexDirectory = indexDirectory
    state = Mutex(State(inotify: inotify, dirty: DirtyDirectories(times)))
  }

  deinit {
    budget.giveBack(state.withLock { $0.watches.count })
  }

  package func willList(_ directory: borrowing Directory, at path: RelativePath) {
    let blindness = path.isRoot ? (try? directory.fileSystem())?.blindness : nil
    state.withLock { state in
      if path.isRoot { state.blindness = blindness }
      watch(directory, at: path, &state)
    }
  }

  private func watch(
    _ directory: borrowing Directory, at path: RelativePath, _ state: inout State
  ) {
    let isKnown = state.watches[path] != nil
    guard isKnown || budget.take() else {
      state.unwatched.insert(path)
      state.reason = nil
      return
    }
    do throws(SystemError) {
      let watch = try state.inotify.watch(directory, mask(of: path))
      state.unwatched.remove(path)
      // It may have been taken for nothing: the kernel knows the directory by another path.
      let old = state.watches.updateValue(watch, forKey: path)
      let oldPath = state.watched.updateValue(path, forKey: watch)
      if let oldPath, oldPath != path {
        state.watches[oldPath] = nil
        budget.giveBack()
      }
      if let old, old != watch, state.watched[old] == path {
        state.watched[old] = nil
        state.inotify.unwatch(old)
      }
    } catch {
      if !isKnown { budget.giveBack() }
      state.unwatched.insert(path)
      state.reason = error.message
    }
  }

  /// The log of the index grows with each row: that is no news. So where it lies, a file that is
  /// written to and not closed is noticed by its stamps alone.
  private func mask(of path: RelativePath) -> Inotify.Mask {
    var mask: Inotify.Mask = [
      .attributes, .closedAfterWriting, .movedFrom, .movedTo, .created, .deleted,
    ]
    if path != indexDirectory { mask.insert(.modified) }
    if path.isRoot { mask.formUnion([.selfDeleted, .selfMoved]) }
    return mask
  }

  /// Ends the watches of directories that are gone or count no more, and of all below them.
  package func forget(_ directories: [RelativePath]) {
    guard !directories.isEmpty else { return }
    state.withLock { forget(Set(directories), &$0) }
  }

  /// Ends all watches, as when the root is not there any more.
  package func forgetAll() {
    state.withLock { state in
      forget([.root], &state)
      state.reason = nil
    }
  }

  private func forget(_ directories: Set<RelativePath>, _ state: inout State) {
    func isGone(_ path: RelativePath) -> Bool {
      directories.contains(path) || path.ancestors.contains { directories.contains($0) }
    }
    state.unwatched = state.unwatched.filter { !isGone($0) }
    for (watch, path) in state.watched where isGone(path) {
      state.inotify.unwatch(watch)
      state.watched[watch] = nil
      state.watches[path] = nil
      budget.giveBack()
    }
  }

  package var coverage: WatchCoverage {
    state.withLock { state in
      WatchCoverage(
        watched: state.watches.count, unwatched: state.unwatched.sorted(),
        blindness: state.blindness, failure: state.reason)
    }
  }

  /// Takes in all events that are waiting; returns whether there were any.
  @discardableResult
  package func drain(at now: Instant = .now) -> Bool {
    state.withLock { drain(&$0, now) }
  }

  private func drain(_ state: inout State, _ now: Instant) -> Bool {
    var isNews = false
    while true {
      // Of a queue that cannot be read, nothing is known.
      let events = (try? state.inotify.read()) ?? [Inotify.Event(watch: -1, mask: .overflow)]
      for event in events { note(event, &state, now) }
      if events.isEmpty { return isNews }
      isNews = true
    }
  }

  /// Does as the kernel does when its queue is full: drops what is waiting, and says so.
  package func loseEvents(at now: Instant = .now) {
    state.withLock { state in
      while let events = try? state.inotify.read(), !events.isEmpty {
        // What happened to watches cannot be lost: the kernel has ended them.
        for event in events where event.mask.contains(.ended) { note(event, &state, now) }
      }
      note(Inotify.Event(watch: -1, mask: .overflow), &state, now)
    }
  }

  private func note(_ event: Inotify.Event, _ state: inout State, _ now: Instant) {
    if event.mask.contains(.overflow) { return state.dirty.lost(at: now) }
    guard let path = state.watched[event.watch] else { return }
    if event.mask.contains(.ended) {
      state.watched[event.watch] = nil
      state.watches[path] = nil
      budget.giveBack()
      return state.dirty.changed(path.directory, isDeep: path.isRoot, at: now)
    }
    if !event.mask.isDisjoint(with: [.unmounted, .selfDeleted, .selfMoved]) {
      return state.dirty.changed(path, isDeep: true, at: now)
    }
    // What a link stands for lies elsewhere in the root, so all of it is looked at.
    if rules.links == .followed { return state.dirty.changed(.root, isDeep: true, at: now) }
    if event.name.isEmpty { return state.dirty.changed(path, at: now) }
    if event.name == mediaExclusionMarker {
      return state.dirty.changed(path, isDeep: true, at: now)
    }
    if event.mask.contains(.directory) {
      noteDirectory(event, in: path, &state, now)
    } else {
      noteFile(event, in: path, &state, now)
    }
  }

  private func noteDirectory(
    _ event: Inotify.Event, in path: RelativePath, _ state: inout State, _ now: Instant
  ) {
    guard admits(event.name, .directory, in: path, &state) else { return }
    let child = path.appending(event.name)
    if event.mask.contains(.movedFrom) {
      // The watches go with the directory to its new name, where they are set anew.
      forget([child], &state)
      return state.dirty.departed(from: path, event.name, at: now)
    }
    if event.mask.contains(.attributes), state.watches[child] != nil {
      return state.dirty.changed(child, at: now)
    }
    if !event.mask.contains(.deleted) { state.dirty.changed(child, isDeep: true, at: now) }
    state.dirty.changed(path, at: now)
  }

  private func noteFile(
    _ event: Inotify.Event, in path: RelativePath, _ state: inout State, _ now: Instant
  ) {
    guard admits(event.name, .file, in: path, &state) else { return }
    if !event.mask.isDisjoint(with: [.closedAfterWriting, .movedTo]) {
      state.dirty.closed(event.name, in: path, at: now)
    } else if event.mask.contains(.modified) {
      state.dirty.written(event.name, in: path, at: now)
    } else if event.mask.contains(.created) {
      state.dirty.created(in: path, at: now)
    } else if event.mask.contains(.attributes) {
      state.dirty.touched(event.name, in: path, at: now)
    } else {
      state.dirty.departed(from: path, event.name, at: now)
    }
  }

  private func admits(
    _ name: [UInt8], _ kind: EntryKind, in path: RelativePath, _ state: inout State
  ) -> Bool {
    if state.lastRules?.directory != path {
      state.lastRules = (path, rules.rules(in: path))
    }
    return state.lastRules?.rules.admits(name.span, kind) ?? false
  }

  package func filesBeingWritten(in directory: RelativePath) -> Set<ArraySlice<UInt8>> {
    state.withLock { state in
      _ = drain(&state, .now)
      return state.dirty.beingWritten(in: directory)
    }
  }

  /// When the next look is due.
  package var nextDue: Instant? { state.withLock { $0.dirty.nextDue } }

  package var hasDepartures: Bool { state.withLock { $0.dirty.hasDepartures } }

  /// Whether nothing has happened that is still to be looked at.
  package var isQuiet: Bool { state.withLock { $0.dirty.isEmpty } }

  /// Takes the looks that are due, or with `all` whatever is known.
  package func take(at now: Instant = .now, all: Bool = false) -> [Look] {
    state.withLock { state in
      _ = drain(&state, now)
      return all ? state.dirty.takeAll(at: now) : state.dirty.take(at: now)
    }
  }

  /// Looks that were taken and came to nothing, or have to be repeated.
  package func putBack(_ looks: [Look], at now: Instant) {
    state.withLock { state in
      for look in looks { state.dirty.changed(look.path, isDeep: look.isDeep, at: now) }
    }
  }

  package func unsettled(_ directories: [RelativePath], at now: Instant = .now) {
    state.withLock { $0.dirty.unsettled(directories, at: now) }
  }
}

/// How much of a root is watched.
package struct WatchCoverage: Hashable, Sendable {
  package let watched: Int
  package let unwatched: [RelativePath]
  /// Why changes can happen there that nobody tells.
  package let blindness: String?
  /// What the kernel said when it refused a watch; nil: the budget did.
  package let failure: String?
}
