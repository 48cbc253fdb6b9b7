import Library
import Linux
import Model
import TestSupport
import Testing

/// What counts without any configuration (DESIGN §6.8).
struct PhotoRulesTests {
  @Test(arguments: [
    "._a.jpg", ".hidden.jpg", ".cache/a.jpg", "@eaDir/a.jpg/SYNOPHOTO.jpg", "#recycle/a.jpg",
    "#snapshot/a.jpg", "@Recycle/a.jpg", "@Recently-Snapshot/a.jpg", "x/Previews.lrdata/a.jpg",
    "x/CaptureOne/Cache/a.jpg", "x/M.photoslibrary/resources/a.jpg", ".Trash-1000/files/a.jpg",
    ".stversions/a.jpg", "lost+found/a.jpg", ".syncthing.a.jpg",
  ])
  func `left out`(path: String) {
    #expect(PhotoRules().exclusion(of: RelativePath(path)) != nil)
  }

  @Test(arguments: [
    "a.jpg", "_x.jpg", "x/y/a.HEIC", "x/CaptureOne/a.jpg", "Cache/a.jpg", "eaDir/a.jpg",
    "M.photoslibrary/originals/0/a.jpg", "x/M.photoslibrary/Masters/2019/a.jpg", "recycle/a.jpg",
    "lost/a.jpg",
  ])
  func `let in`(path: String) {
    #expect(PhotoRules().exclusion(of: RelativePath(path)) == nil)
  }

  @Test(arguments: ["a.jpg", "a.JPG", "a.jpeg", "a.Heic", "a.b.cr3", "a.mp4", "a.tiff"])
  func `named like a photo`(name: String) {
    #expect(isPhoto(name))
  }

  @Test(arguments: ["a", "jpg", "a.txt", "a.jpg.part", "a.jpg.tmp", "a.jpgx", "a.xjpg", "", "a."])
  func `not named like one`(name: String) {
    #expect(!isPhoto(name))
  }

  @Test func `other rules have another digest, and the same the same`() {
    let pattern = Glob("x/")
    let rules = PhotoRules(exclude: [pattern].compactMap { $0 })
    #expect(rules.digest == PhotoRules(exclude: [pattern].compactMap { $0 }).digest)
    #expect(rules.digest != PhotoRules().digest)
    #expect(PhotoRules(links: .followed).digest != PhotoRules().digest)
  }

  @Test func `a root with anything in it is not empty`() throws {
    let directory = try TemporaryDirectory()
    let tree = try RootTree(path: Array(directory.path.utf8), rules: PhotoRules(), clock: wallClock)
    #expect(try tree.isEmpty())
    try directory.write(".notes.txt", "")
    #expect(try !tree.isEmpty())
  }

  /// Their magic numbers tell ext4 and tmpfs apart; the number that a tmpfs gives is drawn at its mount.
  @Test func `a root is known by its file system and the way to it, on tmpfs by nothing`() throws {
    let directory = try TemporaryDirectory()
    let tree = try RootTree(path: Array(directory.path.utf8), rules: PhotoRules(), clock: wallClock)
    let identity = try tree.identity()
    if let name = identity.fileSystem.stableIdentity {
      let own = "/" + (directory.path.split(separator: "/").last ?? "")
      #expect(identity.text?.hasPrefix(name + ":/") == true)
      #expect(identity.text?.hasSuffix(own) == true)
    }
    let memory = try TemporaryDirectory(in: "/dev/shm")
    let other = try RootTree(path: Array(memory.path.utf8), rules: PhotoRules(), clock: wallClock)
    #expect(try other.identity().text == nil)
    #expect(try other.identity().fileSystem.description == "tmpfs")
  }

  @Test func `a listing holds what counts`() throws {
    let directory = try TemporaryDirectory()
    let tree = try RootTree(path: Array(directory.path.utf8), rules: PhotoRules(), clock: wallClock)
    try directory.write("a.jpg", "abc")
    try directory.makeDirectory("x")
    try directory.makeDirectory(".git")
    let listing = try tree.list(.root)
    #expect(listing.photos.map { Array($0.name) } == [Array("a.jpg".utf8)])
    #expect(listing.photos.map(\.fingerprint.size) == [3])
    #expect(listing.subdirectories == [Array("x".utf8)])
    try directory.write(".nomedia", "")
    let marked = try tree.list(.root)
    #expect(marked.isMarkedExcluded)
    #expect(marked.photos.isEmpty && marked.subdirectories.isEmpty)
  }
}

private func isPhoto(_ name: String) -> Bool { isPhotoName(Array(name.utf8).span) }
