import Decoding
import Linux
import Metadata
import Model
import TestSupport
import Testing

/// What files can do to the process that decodes them, and that process to the one that asks.
@Suite(.timeLimit(.minutes(2)))
struct WallTests {
  @Test func `a decoder can do nothing but read what it has been given`() async throws {
    let wall = try Wall(faulty: true)
    try wall.disk.write("a.jpg", "probe")
    let found = try await wall.pool.metadata(of: wall.inputs(["a.jpg"]))
    guard case .success(.metadata(let metadata)) = found[0] else {
      Issue.record("it was not decoded")
      return
    }
    let confinement = try await wall.pool.confinement()
    #expect(confinement.limitsMemory)
    // Every kernel that the tests run on has both.
    #expect(confinement.filtersSystemCalls && confinement.hasLandlock)
    // errno(3): 1 is EPERM. Open are the connection, the lifeline, and the file.
    #expect(
      metadata.words?.keywords.map(\.keyword) == [
        "open 1", "create 1", "write 1", "socket 1", "kill 1", "fork 1", "fcntl 1", "code 1",
        "open 0", "open 3", "open 4",
      ])
    #expect(!(try TemporaryDirectory(in: "/tmp")).holds("../photoindexd-decoder"))
    #expect(wall.pool.idleProcesses.map { threadCount(of: $0) } == [1])
  }

  @Test func `a decoder that was made ready is the one that is asked`() async throws {
    let wall = try Wall()
    let names = try wall.photos(1)
    wall.pool.prepare(1)
    let ready = wall.pool.idleProcesses
    #expect(ready.count == 1)
    _ = try await wall.pool.metadata(of: wall.inputs(names))
    wall.pool.prepare(1)
    #expect(wall.pool.idleProcesses == ready)
    wall.pool.prepare(2)
    #expect(wall.pool.idleProcesses.count == 2 && wall.pool.idleProcesses.first == ready.first)
  }

  @Test func `a decoder that ended before it was asked is replaced`() async throws {
    let wall = try Wall()
    let names = try wall.photos(3)
    let expected = try await InProcessDecoder().metadata(of: wall.inputs(names))
    wall.pool.prepare(1)
    let process = try #require(wall.pool.idleProcesses.first)
    signal(process, .kill)
    #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
    #expect(wall.pool.idleProcesses.count == 1 && wall.pool.idleProcesses != [process])
  }

  @Test func `a decoder that is dismissed ends, and the next request starts another`() async throws
  {
    let wall = try Wall()
    let names = try wall.photos(3)
    let expected = try await wall.pool.metadata(of: wall.inputs(names))
    let process = try #require(wall.pool.idleProcesses.first)
    wall.pool.dismiss()
    #expect(wall.pool.idleProcesses == [])
    #expect(soon { isAlive(process) ? nil : true } == true)
    #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
  }

  @Test(arguments: ["crash", "exit", "hang", "eat", "lie"])
  func `the one file that a decoder dies of is found, and its neighbours are read`(
    order: String
  ) async throws {
    let wall = try Wall(faulty: true, silence: .seconds(order == "hang" ? 1 : 20))
    var names = try wall.photos(20)
    try wall.disk.write("bad.jpg", order)
    names.insert("bad.jpg", at: 7)
    let expected = try await InProcessDecoder().metadata(of: wall.inputs(names))
    var found = try await wall.pool.metadata(of: wall.inputs(names))
    guard case .failure(.died(let how)) = found.remove(at: 7) else {
      Issue.record("the bad file was read")
      return
    }
    let words = [
      // fatalError ends in an invalid instruction, or SIGTRAP on arm64.
      "crash": "signal", "exit": "exit status 3", "hang": "did not get on for 1.0 seconds",
      // malloc returns nil, and that is written to.
      "eat": "signal", "lie": "made no sense",
    ]
    #expect(how.contains(words[order] ?? ""), "\(how)")
    #expect(found == Array(expected[..<7] + expected[8...]))
  }

  @Test(arguments: ["crash", "exit", "hang", "eat", "lie"])
  func `so is the one sidecar`(order: String) async throws {
    let wall = try Wall(faulty: true, silence: .seconds(order == "hang" ? 1 : 20))
    try wall.disk.write("a.xmp", "crash no more")
    try wall.disk.write("b.xmp", xmpSidecar(attributes: #"xmp:Rating="4""#))
    try wall.disk.write("bad.xmp", order)
    let json = takeoutFile(
      taken: 1_527_847_200, latitude: 48.5, longitude: 2.25, description: "x")
    try wall.disk.write("c.json", json)
    let found = try await wall.pool.sidecars(
      of: wall.sidecars(["a.xmp", "b.xmp", "bad.xmp", "c.json"]))
    var (rated, taken) = (XMPSidecar(), TakeoutFile())
    rated.rating = 4
    taken.taken = "2018-06-01T10:00:00Z"
    (taken.latitude, taken.longitude, taken.altitude, taken.caption) = (48.5, 2.25, 12.5, "x")
    #expect(found[0] == .success(.unreadable(.noXMP)))
    #expect(found[1] == .success(.values(.xmp(rated))))
    guard case .failure(.died) = found[2] else {
      Issue.record("the bad file was read")
      return
    }
    #expect(found[3] == .success(.values(.takeout(taken))))
  }

  @Test func `more sidecars than one message takes are read`() async throws {
    let wall = try Wall()
    let names = try (0..<300).map { number in
      let name = number % 3 == 0 ? "\(number).json" : "\(number).xmp"
      try wall.disk.write(
        name,
        number % 3 == 0
          ? takeoutFile(taken: 1_527_847_200 + number, latitude: 48, longitude: 2, description: "x")
          : xmpSidecar(xmpList("dc:subject", ["\(number)"])))
      return name
    }
    let found = try await wall.pool.sidecars(of: wall.sidecars(names))
    #expect(try await found == InProcessDecoder().sidecars(of: wall.sidecars(names)))
    #expect(Set(found.compactMap { try? $0.get() }).count == 300)
  }

  @Test func `a long film is no silence`() async throws {
    let wall = try Wall(faulty: true, silence: .milliseconds(1500))
    try wall.disk.write("a.jpg", "slow")
    // printf slow | sha256sum
    let hash = try await wall.pool.digests(of: wall.inputs(["a.jpg"]))[0].get().content
    #expect(hash.description == "5e0cf7bd1dfa3831788b0cf6dedcdd228fba6f34dc238d371e746567e80bc7b6")
  }

  @Test func `who stops waits for no decoder`() async throws {
    let wall = try Wall(faulty: true)
    try wall.disk.write("a.jpg", "hang")
    let inputs = try wall.inputs(["a.jpg"])
    let task = Task { try await wall.pool.metadata(of: inputs) }
    pause(milliseconds: 300)
    task.cancel()
    // Long before its 20 seconds are over; how long a thread of a busy machine takes, who knows.
    let clock = ContinuousClock()
    let began = clock.now
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now - began < .seconds(10))
  }

  @Test func `a decoder that was killed or stopped is replaced, and nothing is lost`() async throws
  {
    let wall = try Wall(silence: .seconds(1))
    let names = try wall.photos(64)
    let expected = try await InProcessDecoder().metadata(of: wall.inputs(names))
    for way in [ProcessSignal.kill, .stop] {
      #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
      let process = try #require(wall.pool.idleProcesses.first)
      signal(process, way)
      #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
      #expect(!isAlive(process))
    }
    // Nor by a signal that is meant for the group, as systemd sends it.
    let process = try #require(wall.pool.idleProcesses.first)
    signal(process, .terminate)
    #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
    #expect(wall.pool.idleProcesses == [process])
  }

  @Test(arguments: 1...4)
  func `killed in the midst of a batch, it loses nothing`(seed: UInt64) async throws {
    let wall = try Wall()
    let names = try wall.photos(8)
    let large = [UInt8](repeating: 7, count: 16 << 20)
    for name in ["large", "larger"] { try wall.disk.write(name, large) }
    let inputs = try wall.inputs(names + ["large", "larger"])
    let expected = try await InProcessDecoder().digests(of: inputs)
    _ = try await wall.pool.digests(of: wall.inputs(names))
    let process = try #require(wall.pool.idleProcesses.first)
    var generator = SeededGenerator(seed: seed)
    let delay = Int.random(in: 0...40, using: &generator)
    async let found = wall.pool.digests(of: inputs)
    pause(milliseconds: delay)
    signal(process, .kill)
    #expect(try await found == expected, "seed \(seed)")
  }

  @Test func `decoders end with their pool, and with its process however that ends`() async throws {
    let wall = try Wall()
    _ = try await wall.pool.metadata(of: wall.inputs(wall.photos(1)))
    let process = try #require(wall.pool.idleProcesses.first)
    #expect(isAlive(process))
    wall.pool.rest()
    #expect(!isAlive(process))

    // One that never comes back to listen whether its parent is there.
    try wall.disk.write("hang", "hang")
    let parent = try Child([builtProgram("faulty-decoder"), wall.disk.path + "/hang"])
    let orphan = try #require(soon { parent.children.first })
    parent.kill()
    _ = try parent.wait()
    #expect(soon { isAlive(orphan) ? nil : true } == true)
  }

  @Test func `ten thousand files leave no descriptor open`() async throws {
    await #expect(processExitsWith: .success) {
      let wall = try Wall()
      let names = try wall.photos(50)
      let (own, before) = (processIdentifier(), descriptorCount(of: processIdentifier()))
      let expected = try await InProcessDecoder().metadata(of: wall.inputs(names))
      _ = try await wall.pool.metadata(of: wall.inputs(names))
      let process = try #require(wall.pool.idleProcesses.first)
      for _ in 0..<200 {
        #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
      }
      #expect(wall.pool.idleProcesses == [process])
      // Three and the lifeline; here the other ends of its socket and of that. The last batch may
      // just be on its way out.
      #expect(soon { descriptorCount(of: process) == 4 ? true : nil } == true)
      #expect(soon { descriptorCount(of: own) == before + 2 ? true : nil } == true)
      wall.pool.rest()
      #expect(soon { descriptorCount(of: own) == before ? true : nil } == true)
    }
  }

  @Test func `more files than one message takes are read`() async throws {
    let wall = try Wall()
    let names = try wall.photos(300)
    let expected = try await InProcessDecoder().metadata(of: wall.inputs(names))
    #expect(try await wall.pool.metadata(of: wall.inputs(names)) == expected)
  }

  @Test(arguments: ["/bin/true", "/bin/cat", "/none"])
  func `what is no decoder is an error that says so`(program: String) async throws {
    let wall = try Wall()
    let pool = DecoderPool(program: Array(program.utf8), silence: .seconds(1))
    let inputs = try wall.inputs(wall.photos(1))
    let error = await #expect(throws: DecoderError.self) { try await pool.metadata(of: inputs) }
    #expect(error?.description.contains(program) == true)
    #expect(error?.description.contains("second process") == true)
  }

  @Test func `nobody else starts a decoder`() throws {
    #expect(try Child([builtProgram(), "--decoder"]).wait() == 64)
  }
}

/// What comes within five seconds.
private func soon<Value>(_ body: () -> Value?) -> Value? {
  for _ in 0..<500 {
    if let value = body() { return value }
    pause(milliseconds: 10)
  }
  return nil
}
