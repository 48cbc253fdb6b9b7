import Glibc
import Linux
import Model
import TestSupport
import Testing

@testable import Library

/// What a listing comes to when the file system has its troubles.
struct RootTreeTests {
  private let stamp = Timestamp(seconds: 1, nanoseconds: 0)

  private func admitted(_ listing: DirectoryListing) throws -> AdmittedListing {
    let temporary = try TemporaryDirectory()
    let now = stamp
    let tree = try RootTree(path: Array(temporary.path.utf8), rules: PhotoRules()) { now }
    var admitted = try tree.list(.root)
    try tree.fill(&admitted, from: listing, of: .root)
    return admitted
  }

  private var fingerprint: Fingerprint {
    Fingerprint(size: 1, modified: stamp, changed: stamp, inode: 1)
  }

  @Test func `an entry that fails leaves its neighbours be`() throws {
    var listing = DirectoryListing()
    let failure = SystemError(call: "statx", subject: "b.jpg", code: EIO)
    listing.append(Array("a.jpg".utf8), .file, fingerprint)
    listing.append(Array("b.jpg".utf8), .file, nil, failure: failure)
    listing.append(Array("c".utf8), .unknown, nil, failure: failure)
    listing.append(Array("d".utf8), .directory, nil)
    let admitted = try admitted(listing)
    #expect(admitted.photos.map { Array($0.name) } == [Array("a.jpg".utf8)])
    #expect(admitted.subdirectories == [Array("d".utf8)])
    #expect(admitted.unreadable.map { Array($0.name) } == [Array("b.jpg".utf8), Array("c".utf8)])
  }

  @Test func `a name that the file system gives twice counts once`() throws {
    var listing = DirectoryListing()
    for _ in 0..<2 {
      listing.append(Array("a.jpg".utf8), .file, fingerprint)
      listing.append(Array("d".utf8), .directory, nil)
    }
    let admitted = try admitted(listing)
    #expect(admitted.photos.count == 1)
    #expect(admitted.subdirectories.count == 1)
  }
}
