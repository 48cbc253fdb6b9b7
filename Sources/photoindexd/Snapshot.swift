import IndexStore
import Linux
import Model

/// The command `--snapshot`: a copy of the index at `path`, where nothing may be yet.
func snapshot(_ path: [UInt8], _ setting: Setting) throws -> ExitStatus {
  // SQLite takes names as UTF-8 and would write to another.
  guard let name = validUTF8(path[...]) else {
    throw Failure(.usage, "--snapshot \(printable(path)): the name must be UTF-8")
  }
  guard try fileSize(at: path) == nil else {
    throw Failure(
      .usage, "--snapshot \(printable(path)): there is a file already, which is left as it is")
  }
  _ = try setting.openReader()
  try copyIndex(at: setting.database(), to: name)
  return .done
}
