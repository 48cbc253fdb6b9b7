import Glibc
import Linux
import TestSupport
import Testing

struct FileLockTests {
  @Test func `one holds the lock, until it lets go`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("lock")
    do {
      let lock = try FileLock(path: path)
      let (isHeld, isHeldTwice) = (lock != nil, try FileLock(path: path) != nil)
      #expect(isHeld)
      #expect(!isHeldTwice)
      let pid = try output(of: ["/bin/sh", "-c", "echo $PPID"])
      #expect(FileLock.holder(path: path) == Int(pid.dropLast()))
      withExtendedLifetime(lock) {}
    }
    // Another test's child, between its fork and its exec, may still hold the descriptor.
    let isFree = try (0..<1000).contains { _ in
      usleep(5_000)
      return try FileLock(path: path) != nil
    }
    #expect(isFree)
  }

  @Test func `the holder says where it can be reached`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("lock")
    let lock = try FileLock(path: path)
    #expect(FileLock.socket(path: path) == nil)
    let socket = Array("/run/a\nb".utf8)
    lock?.note(socket)
    #expect(FileLock.socket(path: path) == socket)
    #expect(FileLock.holder(path: path) != nil)
    lock?.note([])
    #expect(FileLock.socket(path: path) == nil)
  }

  @Test func `another process is kept out, too`() throws {
    let directory = try TemporaryDirectory()
    let lock = try FileLock(path: directory.path("lock"))
    let command = ["/usr/bin/flock", "-n", directory.path + "/lock", "/bin/true"]
    #expect(try Child(command).wait() == 1)
    withExtendedLifetime(lock) {}
  }

  @Test func `in a directory that hands its group on, the group can lock, too`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("shared")
    try directory.setMode("shared", 0o2770)
    _ = try FileLock(path: directory.path("shared/lock"))
    #expect(try directory.mode(of: "shared/lock") == 0o660)
  }

  @Test func `the lock is for its owner alone, and is no link`() throws {
    let directory = try TemporaryDirectory()
    _ = try FileLock(path: directory.path("lock"))
    #expect(try directory.mode(of: "lock") == 0o600)
    try directory.link("link", to: "elsewhere")
    #expect(throws: SystemError.self) { _ = try FileLock(path: directory.path("link")) }
    #expect(!directory.holds("elsewhere"))
  }
}
