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

private let vfat: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("vfat"),
  "NOT TESTED: a FAT; needs root, loop devices, mkfs.vfat, and a kernel that knows it or fusefat")
private let exfat: ConditionTrait = .enabled(
  if: LoopDisk.isAvailable("exfat"),
  "NOT TESTED: an exFAT; needs root, loop devices, mkfs.exfat, and a kernel that knows it or exfat-fuse"
)

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

    // Others take the number that the disk had, unless one beside this test has it by now.
    var others: [(disk: LoopDisk, place: TemporaryDirectory)] = []
    try disk.mount(at: library.disk.path)
    while try deviceNumber(of: library.disk.path) == device, others.count < 8 {
      disk.unmount()
      others.append((try LoopDisk("ext4"), try TemporaryDirectory()))
      try others[others.count - 1].disk.mount(at: others[others.count - 1].place.path)
      try disk.mount(at: library.disk.path)
    }
    #expect(try deviceNumber(of: library.disk.path) != device)
    try await expectBackUnread(library, before, end)
  }

  @Test(vfat) func `a FAT that went and came is not read again, in another zone neither`()
    async throws
  {
    let disk = try LoopDisk("vfat")
    let library = try await expectSameDiskWithoutInodes(disk)
    let (before, end) = (try library.photos(), try library.feedEnd())
    let stamps = try library.query("SELECT mtime_ns FROM photo ORDER BY id")
    disk.unmount()
    try disk.mount(at: library.disk.path, hoursEast: 1)
    for _ in 0..<2 {
      let shifted = try await library.sync()
      #expect(shifted.filesRead == 0)
      #expect(shifted.counts.bytesRead == 0)
      #expect(try library.photos() == before)
      #expect(try library.feed(after: end) == [])
    }
    #expect(try library.query("SELECT mtime_ns FROM photo ORDER BY id") != stamps)
    #expect(try library.query("SELECT sum(hash_due) FROM photo") == ["3"])
    // Each hash is verified once, and then no more.
    library.settings.scrub = Scrub(files: 100, onlyTouched: true)
    #expect(try await library.sync().verified == 3)
    #expect(try library.query("SELECT sum(hash_due) FROM photo") == ["0"])
    #expect(try library.feed(after: end) == [])
  }

  @Test(exfat) func `an exFAT that went and came is not read again`() async throws {
    _ = try await expectSameDiskWithoutInodes(try LoopDisk("exfat"))
  }

  /// The disk is there again: all rows are who they were, no file was read, and nobody is told.
  private func expectBackUnread(
    _ library: FixtureLibrary, _ photos: [String: Int64], _ end: Int64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let back = try await library.sync()
    #expect(back.result == .unchanged, sourceLocation: sourceLocation)
    #expect(back.filesRead == 0, sourceLocation: sourceLocation)
    #expect(back.counts.bytesRead == 0, sourceLocation: sourceLocation)
    #expect(
      try library.query("SELECT state, state_reason FROM roots") == ["online|"],
      sourceLocation: sourceLocation)
    #expect(try library.photos() == photos, sourceLocation: sourceLocation)
    #expect(try library.feed(after: end) == [], sourceLocation: sourceLocation)
  }

  /// There each mount gives other inode numbers.
  private func expectSameDiskWithoutInodes(_ disk: LoopDisk) async throws -> FixtureLibrary {
    let library = try await Self.library(on: disk)
    let (before, end) = (try library.photos(), try library.feedEnd())
    let inodes = try ["a.jpg", "x", "x/b.jpg", "x/c.jpg"].map { try library.disk.inode(of: $0) }
    disk.unmount()
    guard case .offline = try await library.sync().result else {
      Issue.record("it is not offline")
      return library
    }
    #expect(try library.photos() == before)
    try disk.mount(at: library.disk.path)
    // The first that is asked for has the lowest number.
    let others = try ["x/c.jpg", "x/b.jpg", "a.jpg", "x"].map { try library.disk.inode(of: $0) }
    #expect(Array([others[2], others[3], others[1], others[0]]) != inodes)
    try await expectBackUnread(library, before, end)
    return library
  }

  /// An XFS that has shut itself down answers EIO to everything.
  @Test(xfs) func `a root that answers EIO is offline, and not read again when it is back`()
    async throws
  {
    let disk = try LoopDisk("xfs")
    let library = try await Self.library(on: disk)
    let before = try library.photos()
    let end = try library.feedEnd()
    try disk.breakDown()
    for part in ["", "x"] {
      let broken = try await library.sync(part)
      #expect(broken.result == .offline(reason: "Input/output error"))
      #expect(broken.filesRead == 0)
    }
    #expect(
      try library.query("SELECT state, state_reason FROM roots") == ["offline|Input/output error"])
    #expect(try library.photos() == before)
    disk.unmount()
    try disk.mount(at: library.disk.path)
    try await expectBackUnread(library, before, end)
  }

  @Test(xfs) func `a directory that answers EIO keeps its rows, and no other does`() async throws {
    let library = try FixtureLibrary(["a.jpg": photo(1), "b.jpg": photo(2)])
    try library.disk.makeDirectory("inner")
    let disk = try LoopDisk("xfs")
    try disk.mount(at: library.disk.path + "/inner")
    try library.write("inner/c.jpg", photo(3))
    try library.write("inner/deep/d.jpg", photo(4))
    try await library.sync()
    let kept = try library.query("SELECT id, path FROM photos WHERE folder LIKE 'inner%'")
    let (end, gone) = (try library.feedEnd(), try library.id("a.jpg") ?? 0)
    try disk.breakDown()
    library.disk.remove("a.jpg")
    let summary = try await library.sync()
    #expect(summary.counts.removed == 1)
    #expect(try library.query("SELECT directory, errno FROM unreadable") == ["inner|5"])
    #expect(
      try library.query("SELECT id, path FROM photos WHERE folder LIKE 'inner%'") == kept)
    disk.unmount()
    try disk.mount(at: library.disk.path + "/inner")
    #expect(try await library.sync().filesRead == 0)
    #expect(try library.query("SELECT directory FROM unreadable") == [])
    #expect(try library.feed(after: end) == ["delete \(gone)"])
  }

  /// An ext4 that has shut itself down still lists what it has in memory, but gives no file.
  @Test(ext4) func `twenty files that cannot be read hold the root until it is resumed`()
    async throws
  {
    let disk = try LoopDisk("ext4")
    let library = try await Self.library(on: disk)
    let before = try library.query("SELECT id, path, content_hash, device FROM photos ORDER BY id")
    for number in 0..<25 { try library.write("new/\(number).jpg", photo(number + 10)) }
    library.clock.set(ahead: .seconds(3600))
    try disk.breakDown()
    let summary = try await library.sync()
    #expect(summary.held?.hasPrefix("disk-errors: ") == true)
    #expect(summary.held?.contains("smartctl") == true)
    #expect(try library.query("SELECT state FROM roots") == ["held"])
    #expect(try library.query("SELECT reason, errno, count(*) FROM pending") == ["io|5|25"])
    #expect(
      try library.query(
        "SELECT id, path, content_hash, device FROM photos WHERE folder <> 'new' ORDER BY id")
        == before)
    // Nothing is tried again, however long that is.
    library.clock.set(ahead: .seconds(7 * 3600))
    #expect(try await library.sync().filesRead == 0)
    let ids = try library.photos()
    disk.unmount()
    try disk.mount(at: library.disk.path)
    #expect(try await library.sync().filesRead == 0)
    _ = try await library.index.resume(try #require(try await library.index.roots().first).id)
    #expect(try await library.sync().held == nil)
    #expect(try library.query("SELECT * FROM pending") == [])
    #expect(try library.query("SELECT count(*), count(content_hash) FROM photos") == ["28|28"])
    #expect(try library.photos() == ids)
  }

  /// Those who hash at the same time, at most eight, have begun with one file each when it is enough.
  @Test(ext4) func `a disk that dies while files are hashed is asked for no more than it must be`()
    async throws
  {
    let disk = try LoopDisk("ext4")
    let library = try FixtureLibrary()
    try disk.mount(at: library.disk.path)
    for number in 0..<100 { try library.write("\(number).jpg", photo(number)) }
    library.settings.contentHashing = .off
    try await library.sync()
    library.settings.contentHashing = .full
    try disk.breakDown()
    let summary = try await library.sync()
    #expect(summary.held?.hasPrefix("disk-errors: ") == true)
    #expect(try library.query("SELECT state FROM roots") == ["held"])
    let failed = try library.query("SELECT count(*) FROM retry WHERE reason = 'io'")
    #expect((20...28).contains(Int(failed[0]) ?? 0))
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
