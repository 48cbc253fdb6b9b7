import Linux
import Model
import TestSupport
import Testing

struct InotifyTests {
  /// Events until one fits, or 5 seconds are over.
  private func events(
    of inotify: borrowing Inotify, until isLast: (Inotify.Event) -> Bool
  ) throws -> [Inotify.Event] {
    var events: [Inotify.Event] = []
    let deadline = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < deadline {
      _ = try wait(for: [inotify.readiness], atMost: .milliseconds(100))
      events += try inotify.read()
      if events.contains(where: isLast) { return events }
    }
    return events
  }

  @Test func `changes of entries are told by name, whatever bytes it has`() throws {
    let disk = try TemporaryDirectory()
    let inotify = try Inotify()
    let directory = try Directory(absolutePath: disk.path(""))
    let watch = try inotify.watch(directory, [.closedAfterWriting, .deleted])
    let name: [UInt8] = [0xff, 0x0a, UInt8(ascii: "a")]
    try disk.write(name, [1])
    disk.remove("nothing")
    let closed = Inotify.Event(watch: watch, mask: .closedAfterWriting, name: name)
    #expect(try events(of: inotify) { $0 == closed } == [closed])
  }

  @Test func `a watch stays with a directory that is renamed, and ends with it`() throws {
    let disk = try TemporaryDirectory()
    try disk.makeDirectory("a")
    let inotify = try Inotify()
    let watch = try inotify.watch(Directory(absolutePath: disk.path("a")), [.created])
    try disk.move("a", to: "b")
    try disk.write("b/x", "1")
    #expect(
      try events(of: inotify) { $0.mask == .created }
        == [Inotify.Event(watch: watch, mask: .created, name: Array("x".utf8))])
    let again = try inotify.watch(Directory(absolutePath: disk.path("b")), [.created])
    #expect(again == watch)
    disk.remove("b")
    #expect(try events(of: inotify) { $0.mask.contains(.ended) }.last?.mask == .ended)
  }

  @Test func `a link is not followed`() throws {
    let disk = try TemporaryDirectory()
    try disk.makeDirectory("a")
    try disk.link("b", to: "a")
    let top = try Directory(absolutePath: disk.path(""))
    #expect(throws: SystemError.self) { _ = try top.directory(at: RelativePath("b"), .refused) }
  }

  @Test func `records that are cut off are left out`() {
    var bytes: [UInt8] = [7, 0, 0, 0, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]
    bytes += [UInt8(ascii: "a"), 0, 0, 0]
    func decoded(_ bytes: [UInt8]) -> [Inotify.Event] { Inotify.Event.decode(bytes.span.bytes) }
    let event = Inotify.Event(watch: 7, mask: .created, name: [UInt8(ascii: "a")])
    #expect(decoded(bytes + bytes) == [event, event])
    for count in 0..<bytes.count {
      #expect(decoded(bytes + bytes[..<count]) == [event])
    }
    // A length that the buffer does not hold.
    bytes[12] = 0xff
    bytes[15] = 0xff
    #expect(decoded(bytes) == [])
  }
}
