import Model
import Testing
import Watch

/// When to look, and at what; without a clock and a disk.
struct DirtyDirectoriesTests {
  private let start = ContinuousClock.now
  private let name = Array("a.jpg".utf8)
  private let x = RelativePath("x")
  private let times = WatchTimes()

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test func `a closed file is looked at a fifth of a second later`() {
    var dirty = DirtyDirectories(times)
    dirty.created(in: x, at: start)
    dirty.written(name, in: x, at: after(10))
    dirty.closed(name, in: x, at: after(100))
    #expect(dirty.nextDue == after(300))
    #expect(dirty.take(at: after(299)) == [])
    let looks = dirty.take(at: after(300))
    #expect(looks.map(\.path) == [x])
    #expect(looks.first?.complete == [name[...]])
    #expect(looks.first?.isLastLook == false && looks.first?.isDeep == false)
  }

  @Test func `a file that only grows is looked at when it has rested for a minute`() {
    var dirty = DirtyDirectories(times)
    for second in 0...100 { dirty.written(name, in: x, at: after(second * 1000)) }
    #expect(dirty.beingWritten(in: x) == [name[...]])
    #expect(dirty.nextDue == after(160_000))
    #expect(dirty.take(at: after(159_000)) == [])
    #expect(dirty.take(at: after(160_000)).first?.complete == [name[...]])
    #expect(dirty.isEmpty)
  }

  @Test func `events put a look off, but not for ever`() {
    var dirty = DirtyDirectories(times)
    var taken: [Int] = []
    for step in 0..<45 {
      dirty.closed(Array("\(step).jpg".utf8), in: x, at: after(step * 50))
      if let look = dirty.take(at: after(step * 50)).first {
        // Those that were closed by then for a fifth of a second: all but four.
        taken.append(look.complete.count)
      }
    }
    #expect(taken == [17, 20])
    #expect(dirty.take(at: after(3000)).first?.complete.count == 8)
    #expect(dirty.isEmpty)
  }

  @Test func `when one is due, all with events are looked at together`() {
    var dirty = DirtyDirectories(times)
    dirty.departed(from: x, name, at: start)
    dirty.closed(name, in: RelativePath("y"), at: after(150))
    #expect(dirty.hasDepartures)
    let looks = dirty.take(at: after(200)).sorted { $0.path < $1.path }
    #expect(looks.map(\.path) == [x, RelativePath("y")])
    // Which was closed too lately, and comes again.
    #expect(looks.map(\.complete) == [[], []])
    #expect(!dirty.hasDepartures)
    #expect(dirty.take(at: after(350)).first?.complete == [name[...]])
    #expect(dirty.isEmpty)
  }

  @Test func `a name without a writer is looked at when its stamps are old enough`() {
    var dirty = DirtyDirectories(times)
    dirty.created(in: x, at: start)
    #expect(dirty.nextDue == after(2000))
    #expect(dirty.take(at: after(2000)).first?.isLastLook == true)
    dirty.unsettled([x], at: after(2000))
    dirty.changed(x, at: after(2100))
    // An event on the way does not make it the last look.
    #expect(dirty.take(at: after(2300)).first?.isLastLook == false)
    #expect(dirty.take(at: after(4010)).first?.isLastLook == true)
    #expect(dirty.isEmpty)
  }

  @Test func `a touched file is complete, unless somebody writes to it`() {
    var dirty = DirtyDirectories(times)
    dirty.touched(name, in: x, at: start)
    #expect(dirty.take(at: after(200)).first?.complete == [name[...]])
    dirty.written(name, in: x, at: after(300))
    dirty.touched(name, in: x, at: after(300))
    #expect(dirty.take(at: after(600)) == [])
    dirty.closed(name, in: x, at: after(700))
    dirty.written(name, in: x, at: after(750))
    #expect(dirty.take(at: after(950)).first?.complete == [])
  }

  @Test func `when events are lost, all is looked at`() {
    var dirty = DirtyDirectories(times)
    dirty.written(name, in: x, at: start)
    dirty.lost(at: start)
    #expect(dirty.beingWritten(in: x) == [])
    let looks = dirty.take(at: after(200))
    #expect(looks.map(\.path) == [.root])
    #expect(looks.first?.isDeep == true)
  }
}
