import IndexStore
import Sync
import TestSupport
import Testing

private let ext4: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("ext4"),
  "NOT TESTED: what happens when a disk is unmounted; needs root, loop devices and mkfs.ext4")
private let xfs: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("xfs"),
  "NOT TESTED: the identity of an XFS; needs root, loop devices and mkfs.xfs")

/// Disks that come and go, each a file system in a file.
@Suite(.serialized) struct DiskTests {
  /// A library on a disk of its own, with three photos in two directories, indexed.
  private static func library(on disk: LoopDisk) async throws -> FixtureLibrary {
    let library = try FixtureLibrary()
    try disk.mount(at: library.disk.path)
    try library.write("a.jpg", photo(1))
    try library.write("x/b.jpg", photo(2))
    try library.write("x/c.jpg", photo(3))
    try await library.sync()
    return library
  }

  @Test(ext4) func `a disk that went and came with another number is not read again`()
    async throws
  {
    try await expectSameDisk("ext4")
  }

  /// There statfs(2) answers with the number of the device, which is another one each time.
  @Test(xfs) func `nor is one whose file system has no name but its UUID`() async throws {
    try await expectSameDisk("xfs")
  }

  private func expectSameDisk(_ type: String) async throws {
    let disk = try LoopDisk(type)
    let library = try await Self.library(on: disk)
    let before = try library.photos()
    let end = try library.feedEnd()
    let device = try deviceNumber(of: library.disk.path)

    disk.unmount()
    let gone = try await library.sync()
    guard case .offline(let reason) = gone.result else { return #expect(gone.result == .unchanged) }
    #expect(reason.hasSuffix("its disk is not mounted"))
    #expect(try library.query("SELECT state FROM roots") == ["offline"])
    #expect(try library.photos() == before)

    // It takes the number that the disk had.
    let other = try LoopDisk("ext4")
    let place = try TemporaryDirectory()
    try other.mount(at: place.path)
    try disk.mount(at: library.disk.path)
    #expect(try deviceNumber(of: library.disk.path) != device)
    let back = try await library.sync()
    #expect(back.result == .unchanged)
    #expect(back.filesRead == 0)
    #expect(back.counts.bytesRead == 0)
    #expect(try library.query("SELECT state, state_reason FROM roots") == ["online|"])
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])
  }

  @Test(ext4) func `another disk is held, and accepted when it has a copy of all`() async throws {
    let disk = try LoopDisk("ext4")
    let library = try await Self.library(on: disk)
    let kept = try TemporaryDirectory()
    try run(["/bin/cp", "-a", library.disk.path + "/.", kept.path])
    let before = try library.photos()
    let end = try library.feedEnd()
    disk.unmount()

    let other = try LoopDisk("ext4")
    try other.mount(at: library.disk.path)
    try library.write("strange.jpg", photo(9))
    let refused = try await library.sync()
    #expect(refused.refused != nil)
    #expect(refused.held?.hasSuffix("--accept-filesystem photos") == true)
    #expect(refused.filesRead == 0)
    #expect(try library.query("SELECT state FROM roots") == ["held"])
    // Nor does a look at a part of it tell otherwise.
    #expect(try await library.sync("x").refused != nil)
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])

    library.disk.remove("strange.jpg")
    try run(["/bin/cp", "-a", kept.path + "/.", library.disk.path])
    let accepted = try await library.sync()
    #expect(accepted.isOfRoot)
    #expect(accepted.counts.removed == 0)
    #expect(try library.query("SELECT state, state_reason FROM roots") == ["online|"])
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])
    #expect(try await library.sync().result == .unchanged)
    // From now on this is the disk: what goes there is gone.
    library.disk.remove("a.jpg")
    #expect(try await library.sync().counts.removed == 1)

    other.unmount()
    try disk.mount(at: library.disk.path)
    // 2 of 2 rows are on the old disk, too.
    #expect(try await library.sync().isOfRoot)
  }

  @Test(ext4) func `a person can accept a disk with other photos`() async throws {
    let disk = try LoopDisk("ext4")
    let library = try await Self.library(on: disk)
    disk.unmount()
    let other = try LoopDisk("ext4")
    try other.mount(at: library.disk.path)
    try library.write("strange.jpg", photo(9))
    try await library.sync()
    library.settings.acceptsFileSystem = true
    let summary = try await library.sync()
    #expect(summary.counts.removed == 3)
    #expect(try library.paths() == ["strange.jpg"])
    library.settings.acceptsFileSystem = false
    #expect(try await library.sync().result == .unchanged)
  }

  @Test(ext4) func `the rows of a disk that was mounted inside a root stay`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try library.disk.makeDirectory("inner")
    let disk = try LoopDisk("ext4")
    try disk.mount(at: library.disk.path + "/inner")
    try library.write("inner/b.jpg", photo(2))
    try library.write("inner/deep/c.jpg", photo(3))
    try await library.sync()
    let before = try library.photos()
    let end = try library.feedEnd()
    disk.unmount()
    for _ in 0..<2 {
      #expect(try await library.sync().counts.removed == 0)
      #expect(try library.photos() == before)
      #expect(try library.query("SELECT count(*) > 0 FROM unreadable") == ["1"])
    }
    try disk.mount(at: library.disk.path + "/inner")
    let back = try await library.sync()
    #expect(back.filesRead == 0)
    #expect(try library.query("SELECT directory FROM unreadable") == [])
    #expect(try library.photos() == before)
    #expect(try library.feed(after: end) == [])
  }

  /// An administrator mounts the whole disk where one of its directories was mounted before.
  @Test(ext4) func `another directory of the same disk is not the root`() async throws {
    let disk = try LoopDisk("ext4")
    let place = try TemporaryDirectory()
    try disk.mount(at: place.path)
    try place.makeDirectory("photos")
    try place.write("strange.jpg", photo(9))
    let library = try FixtureLibrary()
    try run(["/usr/bin/mount", "--bind", place.path + "/photos", library.disk.path])
    try library.write("a.jpg", photo(1))
    try library.write("b.jpg", photo(2))
    try await library.sync()
    let before = try library.photos()
    try run(["/usr/bin/umount", library.disk.path])
    try run(["/usr/bin/mount", "--bind", place.path, library.disk.path])
    #expect(try await library.sync().refused != nil)
    #expect(try library.photos() == before)
    try run(["/usr/bin/umount", library.disk.path])
    try run(["/usr/bin/mount", "--bind", place.path + "/photos", library.disk.path])
    #expect(try await library.sync().filesRead == 0)
    try run(["/usr/bin/umount", library.disk.path])
  }
}
