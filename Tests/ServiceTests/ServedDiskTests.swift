import TestSupport
import Testing

private let ext4: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("ext4"),
  "NOT TESTED: a disk that goes while its root is watched; needs root, loop devices and mkfs.ext4")

/// Disks that come and go while the service runs.
struct ServedDiskTests {
  @Test(ext4) func `a disk goes, another comes, and the right one is back`() async throws {
    let disk = try LoopDisk("ext4")
    let library = try await ServedLibrary()
    try disk.mount(at: library.disk.path)
    try library.disk.write("a.jpg", photo(1))
    try library.disk.write("x/b.jpg", photo(2))
    try await library.start()
    #expect(
      try await library.rows("SELECT count(content_hash) FROM photos", become: ["2"]) == ["2"])
    try await library.rest()
    let photos = "SELECT id, path, content_hash FROM photos ORDER BY id"
    let (before, end) = (try library.rows(photos), try library.rows("SELECT max(seq) FROM change"))
    let state = "SELECT state FROM roots"

    disk.unmount()
    #expect(try await library.rows(state, become: ["offline"]) == ["offline"])
    let other = try LoopDisk("ext4")
    let place = try TemporaryDirectory()
    try other.mount(at: place.path)
    try place.write("strange.jpg", photo(9))
    other.unmount()
    try other.mount(at: library.disk.path)
    #expect(try await library.rows(state, become: ["held"]) == ["held"])
    #expect(try library.rows(photos) == before)
    other.unmount()
    try disk.mount(at: library.disk.path)
    #expect(try await library.rows(state, become: ["online"]) == ["online"])
    try await library.rest()
    #expect(try library.rows(photos) == before)
    #expect(try library.rows("SELECT max(seq) FROM change") == end)
    // It is watched again.
    try library.disk.write("c.jpg", photo(3))
    #expect(try await library.rows("SELECT count(*) FROM photos", become: ["3"]) == ["3"])
    await library.stop()
    disk.unmount()
  }
}
