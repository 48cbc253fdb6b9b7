/// The index cannot be used, and why. The file was left as it is.
package enum IndexError: Error, Hashable {
  /// The file has content that is not ours.
  case foreignFile(path: String)
  case newerVersion(path: String, found: Int, known: Int)
  case oldSQLite(found: String)
  case rootNamedTwice(path: String, name: String, known: String)
}

extension IndexError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .foreignFile(let path):
      "\(path): this is not an index of photoindexd; it was left untouched. "
        + "Name another file as `database`"
    case .newerVersion(let path, let found, let known):
      "\(path): the index has version \(found), but this program knows versions up to \(known); "
        + "it was left untouched. Use a newer photoindexd"
    case .oldSQLite(let found):
      "SQLite \(found) is too old: the index needs libsqlite3 3.37 or newer"
    case .rootNamedTwice(let path, let name, let known):
      "\(path): this directory is in the index as root \(known), and now it is called \(name). "
        + "Give it its old name back, or rename it in the index: "
        + "photoindexd --rename-root '\(known)' '\(name)'"
    }
  }
}
