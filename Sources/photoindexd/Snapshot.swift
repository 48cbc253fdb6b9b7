import IndexStore
import Linux
import Model

/// The command `--snapshot`: a copy of the index at `path`, where nothing may be yet.
func snapshot(_ path: [UInt8], _ setting: Setting) throws -> ExitStatus {
  guard try fileSize(at: path) == nil else {
    throw Failure(
      .usage, "--snapshot \(printable(path)): there is a file already, which is left as it is")
  }
  _ = try setting.openReader()
  try copyIndex(at: setting.database(), to: path)
  return .done
}
