import IndexStore
import Linux
import Model

/// The command `--resume`: a person has looked at the disk of a root that is held for disk errors.
func resume(_ root: String, _ setting: Setting) async throws -> ExitStatus {
  if let connection = try setting.connectToService() {
    return try ControlClient(connection, setting.configuration.logLevel).ask(.resume(root))
  }
  let lock = try setting.lockIndex()
  defer { withExtendedLifetime(lock) {} }
  let index = try setting.openIndex(nil)
  try printOutput(try await resume(root, in: index).said)
  return .done
}

/// Lets the root of this name be read again; returns it, and what there is to say.
func resume(_ name: String, in index: PhotoIndex) async throws -> (root: Int64, said: String) {
  guard let root = try await index.roots().first(where: { $0.name == name }) else {
    throw Failure(.noInput, "\(printable(name.utf8)): the index has no root of this name")
  }
  let wasHeld = try await index.resume(root.id)
  let said =
    wasHeld ? "what could not be read is tried again" : "it was not held for disk errors"
  return (root.id, "\(printable(name.utf8)): \(said)\n")
}
