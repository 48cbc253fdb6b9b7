import Linux
import Model

/// A root's path with its symbolic links resolved, as those of the command line are; as it stands
/// when the root is not there.
func realRoot(_ path: [UInt8]) -> [UInt8] { (try? realPath(path)) ?? path }

func contains(_ directory: [UInt8], _ path: [UInt8]) -> Bool {
  guard directory != [slash] else { return true }
  return path == directory || path.starts(with: directory + [slash])
}

func relativePath(of path: [UInt8], in root: [UInt8]) -> RelativePath {
  guard path.count > root.count else { return .root }
  return RelativePath(bytes: Array(path.dropFirst(root == [slash] ? 1 : root.count + 1)))
}

/// The file itself may be gone; its directory need not be.
func absolutePath(of argument: [UInt8]) throws -> [UInt8] {
  let end = argument.lastIndex(of: slash)
  let directory = end.map { $0 == 0 ? [slash] : Array(argument[..<$0]) } ?? [UInt8(ascii: ".")]
  let name = Array(argument[(end.map { $0 + 1 } ?? 0)...])
  guard let real = try? realPath(directory) else {
    guard argument.first == slash else {
      throw Failure(.noInput, "\(printable(directory)): there is no such directory")
    }
    return argument
  }
  return real == [slash] ? real + name : real + [slash] + name
}

private let slash = UInt8(ascii: "/")
