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

private let slash = UInt8(ascii: "/")
