import IndexStore
import Service
import Sync
import TestSupport
import Testing

/// What the service finds when nothing happens.
struct ScrubServiceTests {
  private let rot = "UPDATE photo SET content_hash = zeroblob(32) WHERE path = 'x/b.jpg'"

  @Test func `bit rot is found within the time of the scrub`() async throws {
    let library = try await ServedLibrary()
    try library.disk.write("a.jpg", photo(1))
    try library.disk.write("x/b.jpg", photo(2))
    var settings = ServedLibrary.settings
    settings.sync.scrubInterval = .seconds(1)
    settings.scrubPause = .milliseconds(100)
    try await library.start(settings)
    #expect(
      try await library.rows("SELECT count(content_hash) FROM photos", become: ["2"]) == ["2"])
    try library.write(byHand: rot)
    #expect(
      try await library.rows("SELECT kind FROM suspects", become: ["corrupt"]) == ["corrupt"])
    await library.stop()
  }

  @Test func `who asks for it has all files verified`() async throws {
    let library = try await ServedLibrary()
    try library.disk.write("a.jpg", photo(1))
    try library.disk.write("x/b.jpg", photo(2))
    try await library.start()
    #expect(
      try await library.rows("SELECT count(content_hash) FROM photos", become: ["2"]) == ["2"])
    try library.write(byHand: rot)
    let summaries = try await library.request(scrubs: true)
    #expect(summaries.map(\.verified) == [2])
    #expect(summaries.map(\.suspects) == [[.corrupt: 1]])
    await library.stop()
  }
}
