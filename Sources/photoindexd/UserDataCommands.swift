import FoundationEssentials
import IndexStore
import Linux
import Model

/// The command `--export-user`: what the user wrote, into a file that is not there yet, or to
/// standard output.
func exportUserData(_ path: [UInt8], _ setting: Setting) throws -> ExitStatus {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let bytes = Array(try encoder.encode(setting.openReader().userData())) + [UInt8(ascii: "\n")]
  if path == standardStream {
    try printOutput(bytes: bytes)
    return .done
  }
  guard try fileSize(at: path) == nil else {
    throw Failure(
      .usage, "--export-user \(printable(path)): there is a file already, which is left as it is")
  }
  try writeNewFile(at: path, bytes)
  return .done
}

/// The command `--import-user`: writes that into the index; tells what found no place.
func importUserData(_ path: [UInt8], _ setting: Setting) async throws -> ExitStatus {
  let data = try readUserData(path)
  _ = try setting.openReader()
  let lock = try setting.lockIndex()
  defer { withExtendedLifetime(lock) {} }
  let index = try setting.openIndex(setting.openAtlas())
  let lines = try await index.importUserData(data)
  for line in lines { try printOutput("not imported: \(line)\n") }
  setting.log(
    "\(grouped(data.photos.count)) photos, \(grouped(data.albums.count)) albums, "
      + "\(grouped(data.devices.count)) devices read; \(grouped(lines.count)) not imported. "
      + "The next --rescan works out what follows", .info)
  return lines.isEmpty ? .done : .notAll
}

private func readUserData(_ path: [UInt8]) throws -> UserData {
  let bytes = path == standardStream ? try standardInput(atMost: sizeLimit) : try contents(of: path)
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  let data: UserData
  do {
    data = try decoder.decode(UserData.self, from: Data(bytes))
  } catch {
    throw Failure(
      .usage, "--import-user \(printable(path)): is not what --export-user writes: \(error)")
  }
  guard data.userData == UserData.form else {
    throw Failure(
      .usage, "--import-user \(printable(path)): is of a newer photoindexd, form \(data.userData)")
  }
  return data
}

private func contents(of path: [UInt8]) throws -> [UInt8] {
  let file: OpenFile
  do throws(SystemError) {
    file = try OpenFile(absolutePath: path)
  } catch {
    throw Failure(
      error.reason == .permission ? .noPermission : .noInput,
      "--import-user \(printable(path)): \(error.message)")
  }
  guard file.sizeWhenOpened <= sizeLimit else {
    throw Failure(.usage, "--import-user \(printable(path)): more than \(sizeLimit) bytes")
  }
  var bytes = [UInt8](repeating: 0, count: Int(file.sizeWhenOpened))
  let count = try file.read(at: 0, into: &bytes)
  return Array(bytes[..<count])
}

private let standardStream = [UInt8(ascii: "-")]
/// A million photos with marks.
private let sizeLimit: Int64 = 1 << 29
