import Glibc
import Linux
import TestSupport
import Testing

/// Waiting for what comes from outside: wake-ups, signals, mounts, service managers.
struct WaitingTests {
  @Test func `a wait ends with the wake-up, or with its time`() throws {
    let wakeup = try Wakeup()
    #expect(try wait(for: [wakeup.readiness], atMost: .milliseconds(1)) == [])
    wakeup.signal()
    wakeup.signal()
    #expect(try wait(for: [wakeup.readiness], atMost: .seconds(5)) == [wakeup.readiness])
    wakeup.clear()
    #expect(try wait(for: [wakeup.readiness], atMost: .zero) == [])
    let start = ContinuousClock.now
    #expect(try wait(for: [], atMost: .milliseconds(30)) == [])
    #expect(ContinuousClock.now - start >= .milliseconds(30))
  }

  @Test func `signals come as values`() throws {
    let signals = try Signals([.terminate, .hangup])
    #expect(signals.read() == [])
    kill(getpid(), SIGHUP)
    kill(getpid(), SIGTERM)
    let ready = try wait(for: [signals.readiness], atMost: .seconds(5))
    #expect(ready == [signals.readiness])
    var received: Set<Signals.Signal> = []
    let deadline = ContinuousClock.now + .seconds(5)
    while received.count < 2, ContinuousClock.now < deadline {
      received.formUnion(signals.read())
      _ = try wait(for: [signals.readiness], atMost: .milliseconds(50))
    }
    #expect(received == [.hangup, .terminate])
  }

  @Test func `the mount table is read with its escapes`() throws {
    let line = Array(#"36 35 98:0 /mnt1 /a\040b\134 rw,noatime master:1 - ext3 /dev/root rw"#.utf8)
    let mount = try #require(MountTable.Mount(line: line[...]))
    #expect(mount.path == Array(#"/a b\"#.utf8))
    #expect(mount.root == Array("/mnt1".utf8))
    #expect(mount.identifier == 36)
    #expect(MountTable.Mount(line: Array("36 35".utf8)[...]) == nil)
    let table = try MountTable()
    #expect(try table.mounts().contains { $0.path == Array("/proc".utf8) })
    #expect(try table.mounts() == table.mounts())
    #expect(try wait(for: [table.readiness], atMost: .zero) == [])
  }

  @Test(arguments: ["/path", "@abstract"])
  func `a service manager hears what it is told`(kind: String) throws {
    let disk = try TemporaryDirectory()
    let name = kind == "@abstract" ? "@photoindexd-\(getpid())" : disk.path + "/notify"
    let script = """
      import os, socket, subprocess, sys
      name = sys.argv[1]
      heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      heard.bind("\\0" + name[1:] if name[0] == "@" else name)
      heard.settimeout(10)
      print("bound", flush=True)
      print(heard.recv(1000).decode(), flush=True)
      """
    let child = try Child(["/usr/bin/python3", "-c", script, name], output: disk.path + "/heard")
    let deadline = ContinuousClock.now + .seconds(10)
    while try disk.read("heard").isEmpty, ContinuousClock.now < deadline { pause(milliseconds: 5) }
    let manager = ServiceManager {
      ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"][$0]
    }
    #expect(manager.watchdog == .seconds(3))
    manager.notify("READY=1", "STATUS=at work")
    #expect(try child.wait() == 0)
    #expect(
      String(decoding: try disk.read("heard"), as: UTF8.self) == "bound\nREADY=1\nSTATUS=at work\n")
  }

  @Test func `a sign of life that another process owes is not ours`() {
    let manager = ServiceManager { ["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"][$0] }
    #expect(manager.watchdog == nil)
    manager.notify("READY=1")
  }
}
