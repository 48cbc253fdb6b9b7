package import IndexStore
package import Library
package import Linux

/// What is at a root's path, measured by what the index knows of the root.
package enum RootPresence: Sendable {
  case there(RootIdentity)
  /// Nothing is there but, perhaps, an empty mount point.
  case absent(reason: String)
  /// Something else than the root, as far as the file system tells.
  case other(RootIdentity, reason: String)

  package init(of tree: RootTree, known: KnownRoot) throws(SystemError) {
    let (identity, isEmpty) = (try tree.identity(), try tree.isEmpty())
    let here = identity.text ?? identity.fileSystem.description
    // Where there is nothing to lose, any directory will do.
    guard known.hasRows else {
      self = .there(identity)
      return
    }
    if let seen = known.fileSystem, !identity.canBe(seen) {
      self =
        isEmpty
        ? .absent(
          reason: "the directory is empty and on \(here), but its photos were seen on \(seen): "
            + "its disk is not mounted")
        : .other(identity, reason: "its photos were seen on \(seen), but \(here) is there now")
    } else if isEmpty, identity.fileSystem.stableIdentity == nil {
      self = .absent(reason: "the directory is empty, as if its disk were not mounted")
    } else {
      self = .there(identity)
    }
  }
}

/// The root cannot be listed any more, although the pass had begun well.
struct RootLost: Error {
  let message: String
}
