package import Linux
import Model

/// What a root is, wherever its disk is mounted and whatever number that has: the file system that
/// it lies on, and the way to it from there.
package struct RootIdentity: Hashable, Sendable {
  package let fileSystem: FileSystem
  /// nil: not known.
  package let path: [UInt8]?

  package init(fileSystem: FileSystem, path: [UInt8]?) {
    self.fileSystem = fileSystem
    self.path = path
  }

  /// As the index keeps it: `ext4-5a1b0c:/photos`. nil where the file system has no name of its
  /// own, for what the kernel says of such a one may be another at the next mount.
  package var text: String? {
    fileSystem.stableIdentity.map { name in path.map { "\(name):\(printable($0))" } ?? name }
  }

  /// Whether it can be the root that had this text, or lay on a file system of that description.
  package func canBe(_ known: String) -> Bool {
    let parts = known.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard fileSystem.canBe(String(parts[0])) else { return false }
    guard parts.count > 1, fileSystem.stableIdentity != nil, let path else { return true }
    return printable(path) == parts[1]
  }
}
