import Glibc
import Linux
import TestSupport
import Testing

struct UnixSocketTests {
  private func accepted(by listener: borrowing UnixListener) throws -> UnixConnection {
    guard let connection = listener.accept() else { throw NobodyCame() }
    return connection
  }

  private struct NobodyCame: Error {}

  @Test func `messages stay apart, and each side knows the other`() throws {
    let disk = try TemporaryDirectory()
    let listener = try UnixListener(path: disk.path("control"), isForGroup: false)
    #expect(try disk.mode(of: "control") == 0o600)
    #expect(throws: NobodyCame.self) { _ = try accepted(by: listener) }
    let client = try UnixConnection(connectingTo: disk.path("control"))
    #expect(try wait(for: [listener.readiness], atMost: .seconds(5)) == [listener.readiness])
    let server = try accepted(by: listener)
    let peer = try server.peer()
    #expect(peer.process == getpid())
    #expect((peer.user, peer.group) == (geteuid(), getegid()))
    let answer1 = server.receive()
    #expect(answer1 == .nothingYet)
    let answer2 = client.send([1, 2, 3])
    #expect(answer2)
    let answer3 = client.send([4])
    #expect(answer3)
    let answer4 = server.receive()
    #expect(answer4 == .message([1, 2, 3]))
    let answer5 = server.receive()
    #expect(answer5 == .message([4]))
    let answer6 = server.send([5])
    #expect(answer6)
    let answer7 = client.receive()
    #expect(answer7 == .message([5]))
  }

  @Test func `who has gone has gone, and takes no message`() throws {
    let disk = try TemporaryDirectory()
    let listener = try UnixListener(path: disk.path("control"), isForGroup: true)
    #expect(try disk.mode(of: "control") == 0o660)
    var client: UnixConnection? = try UnixConnection(connectingTo: disk.path("control"))
    let server = try accepted(by: listener)
    let answer8 = client?.send([1])
    #expect(answer8 == true)
    client = nil
    let answer9 = server.receive()
    #expect(answer9 == .message([1]))
    let answer10 = server.receive()
    #expect(answer10 == .end)
    let answer11 = server.send([2])
    #expect(!answer11)
  }

  @Test func `a reader that does not read holds nobody up`() throws {
    let disk = try TemporaryDirectory()
    let listener = try UnixListener(path: disk.path("control"), isForGroup: false)
    let client = try UnixConnection(connectingTo: disk.path("control"))
    let server = try accepted(by: listener)
    let message = [UInt8](repeating: 7, count: 1000)
    let sent = (0..<100_000).prefix { _ in server.send(message) }.count
    #expect(sent > 10 && sent < 100_000)
    let answer12 = client.receive()
    #expect(answer12 == .message(message))
  }

  @Test func `a stale socket is no obstacle, and nothing else is taken away`() throws {
    let disk = try TemporaryDirectory()
    try run(
      [
        "/usr/bin/python3", "-c",
        "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])",
        disk.path + "/control",
      ])
    #expect(disk.holds("control"))
    #expect(throws: SystemError.self) {
      _ = try UnixConnection(connectingTo: disk.path("control"))
    }
    do {
      let listener = try UnixListener(path: disk.path("control"), isForGroup: false)
      _ = try UnixConnection(connectingTo: disk.path("control"))
      withExtendedLifetime(listener) {}
    }
    #expect(!disk.holds("control"))
    try disk.write("control", "a file")
    #expect(throws: SystemError.self) {
      _ = try UnixListener(path: disk.path("control"), isForGroup: false)
    }
    #expect(try disk.read("control") == Array("a file".utf8))
  }

  @Test func `a path may be longer than an address`() throws {
    let disk = try TemporaryDirectory()
    let long = String(repeating: "d", count: 200)
    try disk.makeDirectory(long)
    let path = disk.path(long + "/control")
    let listener = try UnixListener(path: path, isForGroup: false)
    let client = try UnixConnection(connectingTo: path)
    let server = try accepted(by: listener)
    let answer13 = client.send([1])
    #expect(answer13)
    let answer14 = server.receive()
    #expect(answer14 == .message([1]))
  }
}
