import Glibc
import Linux
import Model
import TestSupport
import Testing

/// What is opened below a directory lies below it, and opening harms nothing.
struct DirectoryTests {
  private let outside: TemporaryDirectory
  private let temporary: TemporaryDirectory

  init() throws {
    outside = try TemporaryDirectory()
    try outside.write("secret.jpg", "secret")
    temporary = try TemporaryDirectory()
    try temporary.write("x/y/a.jpg", "abc")
    try temporary.link("x/inside.jpg", to: "y/a.jpg")
    try temporary.link("tree", to: "x")
    try temporary.link("out", to: outside.path)
    try temporary.link("out.jpg", to: outside.path + "/secret.jpg")
    try temporary.link("up", to: "..")
    try temporary.link("loop", to: "loop")
    try temporary.makeFIFO("fifo.jpg")
  }

  private func open(_ path: String, _ links: SymbolicLinks) throws -> [UInt8] {
    let directory = try Directory(absolutePath: Array(temporary.path.utf8))
    let file = try directory.file(at: Array(path.utf8), links)
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = try file.read(at: 0, into: &bytes)
    return Array(bytes[..<count])
  }

  @Test func `a file that somebody has a lease on is busy`() throws {
    // Whoever holds a lease is told by a signal when another wants the file.
    signal(SIGIO, SIG_IGN)
    let shared = try TemporaryDirectory(in: "/dev/shm")
    try shared.write("a.jpg", "abc")
    let holder = Glibc.open(shared.path + "/a.jpg", O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    let setLease: CInt = 1024
    try #require(fcntl(holder, setLease, CInt(F_WRLCK)) == 0)
    let directory = try Directory(absolutePath: Array(shared.path.utf8))
    let error = #expect(throws: SystemError.self) {
      _ = try directory.file(at: Array("a.jpg".utf8), .refused)
    }
    #expect(error?.reason == .busy)
  }

  @Test(arguments: [SymbolicLinks.refused, .followed])
  func `a file below is opened`(links: SymbolicLinks) throws {
    #expect(try open("x/y/a.jpg", links) == Array("abc".utf8))
  }

  @Test(arguments: ["x/inside.jpg", "tree/y/a.jpg"])
  func `a link that stays below is followed when asked, and refused else`(path: String) throws {
    #expect(try open(path, .followed) == Array("abc".utf8))
    let error = #expect(throws: SystemError.self) { try open(path, .refused) }
    #expect(error?.reason == .notThere)
  }

  @Test(
    arguments: ["out/secret.jpg", "out.jpg", "up/x", "loop", "../x", "x/../../x", "/etc/passwd"],
    [SymbolicLinks.refused, .followed])
  func `nothing leads out`(path: String, links: SymbolicLinks) {
    let error = #expect(throws: SystemError.self) { try open(path, links) }
    #expect(error?.reason == .notThere, "\(path)")
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["fifo.jpg", "x", "x/y", "nowhere.jpg", "x/y/a.jpg/b"])
  func `what is no file is not there, and holds nobody up`(path: String) {
    let error = #expect(throws: SystemError.self) { try open(path, .refused) }
    #expect(error?.reason == .notThere)
  }

  @Test func `an error says what failed, on what, and why`() {
    let error = #expect(throws: SystemError.self) { try open("nowhere\n.jpg", .refused) }
    #expect(error?.description == #"nowhere\x0A.jpg: openat2: No such file or directory"#)
  }

  @Test func `a directory keeps its identity when it is renamed`() throws {
    let directory = try Directory(absolutePath: temporary.path("x"))
    try temporary.move("x", to: "z")
    #expect(try directory.file(at: Array("y/a.jpg".utf8), .refused).status().fingerprint.size == 3)
    let again = try directory.directory(at: .root, .refused)
    #expect(try again.status().fingerprint.inode == directory.status().fingerprint.inode)
  }

  @Test func `a listing gives names as bytes, kinds, and what statx says`() throws {
    let odd: [UInt8] = [0xff, 0x0a, 0x22, 0x5c]
    let long = Array(repeating: UInt8(ascii: "n"), count: 255)
    let listed = try TemporaryDirectory()
    try listed.write(odd, [1, 2])
    try listed.write(long, [])
    try listed.makeDirectory("d")
    try listed.link("l", to: "d")
    try listed.makeFIFO("p")
    let directory = try Directory(absolutePath: Array(listed.path.utf8))
    let listing = try directory.list { _, _ in true }
    var kinds: [[UInt8]: EntryKind] = [:]
    for entry in listing.entries { kinds[Array(listing.name(of: entry))] = entry.kind }
    #expect(
      kinds == [
        odd: .file, long: .file, Array("d".utf8): .directory, Array("l".utf8): .symbolicLink,
        Array("p".utf8): .other,
      ])
    let size = listing.entries.first { Array(listing.name(of: $0)) == odd }?.fingerprint?.size
    #expect(size == 2)
    let none = try directory.list { _, _ in false }
    #expect(none.entries.isEmpty)
  }

  @Test func `a long listing is whole`() throws {
    let listed = try TemporaryDirectory()
    for number in 0..<3000 { try listed.write("a rather long name, number \(number)", []) }
    let listing = try Directory(absolutePath: Array(listed.path.utf8)).list { _, _ in true }
    #expect(Set(listing.entries.map { Array(listing.name(of: $0)) }).count == 3000)
  }

  @Test func `stamps are those that stat prints, to the nanosecond`() throws {
    let path = temporary.path + "/x/y/a.jpg"
    let printed = try output(of: ["/usr/bin/stat", "-c", "%s %i %.9Y %.9Z", path])
    let status = try OpenFile(absolutePath: Array(path.utf8)).status()
    let fields = [
      "\(status.fingerprint.size)", "\(status.fingerprint.inode)",
      decimal(status.fingerprint.modified), decimal(status.fingerprint.changed),
    ]
    #expect(fields.joined(separator: " ") == printed.dropLast())
  }

  private func decimal(_ stamp: Timestamp) -> String {
    let rest = String(stamp.nanoseconds % 1_000_000_000)
    return "\(stamp.seconds)." + String(repeating: "0", count: 9 - rest.count) + rest
  }

  @Test func `stamps beyond 64 bits of nanoseconds are clamped`() {
    #expect(Timestamp(seconds: 10_413_792_000, nanoseconds: 5).nanoseconds == .max)
    #expect(Timestamp(seconds: -10_413_792_000, nanoseconds: 5).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: .max) + .seconds(1) == Timestamp(nanoseconds: .max))
    #expect(Timestamp(nanoseconds: .min) + .seconds(-1) == Timestamp(nanoseconds: .min))
    #expect(Timestamp(nanoseconds: -1).seconds == -1)
  }

  @Test func `tmpfs has no identity, and says of what type it is`() throws {
    let memory = try Directory(absolutePath: Array("/dev/shm".utf8)).fileSystem()
    #expect(memory.stableIdentity == nil)
    #expect(memory.description == "tmpfs")  // TMPFS_MAGIC, statfs(2)
    #expect(memory.keepsInodes)
  }
}
