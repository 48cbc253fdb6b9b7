import IndexStore
import Library
import Linux
import Model

/// The command `--tokens`: a line for each directory with photos in or below it, with its content
/// token, its root and its path.
func printTokens(_ setting: Setting) throws -> ExitStatus {
  var text = ""
  try setting.openReader().contentTokens { root, directory, token in
    guard token != .empty else { return }
    let word = token?.description ?? incomplete
    text += "\(word)\t\(printable(root.utf8))\t\(directory)\n"
    guard text.utf8.count > 1 << 16 else { return }
    try printOutput(text)
    text = ""
  }
  try printOutput(text)
  return .done
}

/// The command `--compare-tokens`: which directories hold other photos here than where the lines of
/// `--tokens` are from. A photo is read neither here nor there.
func compareTokens(_ file: String, _ setting: Setting) throws -> ExitStatus {
  var here = TokenList()
  try setting.openReader().contentTokens { root, directory, token in
    if token != .empty { here.add(token, "\(directory)", of: printable(root.utf8)) }
  }
  let there = try TokenList(file: file)
  var isEqual = true
  for difference in here.differences(from: there) {
    isEqual = false
    try printOutput(difference + "\n")
  }
  return isEqual ? .done : .notAll
}

private let incomplete = "incomplete"

/// The content tokens of the directories of some roots, under the names that are printed.
struct TokenList {
  private var roots: [String: [String: Token?]] = [:]

  init() {}

  /// Reads the lines of a file, or of standard input for `-`.
  init(file: String) throws {
    var number = 0
    func take(_ line: String) throws {
      number += 1
      guard add(line: line) else {
        throw Failure(
          .usage,
          "--compare-tokens \(printable(file.utf8)): line \(number) is none of photoindexd --tokens"
        )
      }
    }
    if file == "-" {
      try forEachInputLine(limit: mostOfLine, take)
    } else {
      try forEachLine(ofFile: Array(file.utf8), limit: mostOfLine, take)
    }
  }

  private mutating func add(line: String) -> Bool {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty else { return false }
    if parts[0] == incomplete {
      add(nil, String(parts[2]), of: String(parts[1]))
      return true
    }
    guard parts[0].utf8.count == 32, let value = UInt128(parts[0], radix: 16) else { return false }
    add(Token(value: value), String(parts[2]), of: String(parts[1]))
    return true
  }

  mutating func add(_ token: Token?, _ directory: String, of root: String) {
    roots[root, default: [:]][directory] = .some(token)
  }

  /// What is otherwise in the other list, as lines.
  func differences(from other: TokenList) -> [String] {
    // A library of one root is the same library, whatever the root is called.
    if let (name, mine) = roots.first, let (_, theirs) = other.roots.first, roots.count == 1,
      other.roots.count == 1
    {
      return differences(mine, theirs, of: name)
    }
    return Set(roots.keys).union(other.roots.keys).sorted().flatMap { name in
      differences(roots[name] ?? [:], other.roots[name] ?? [:], of: name)
    }
  }

  private func differences(
    _ mine: [String: Token?], _ theirs: [String: Token?], of root: String
  ) -> [String] {
    // The whole library at once, as a rule.
    if let mine = mine[top], let theirs = theirs[top], mine == theirs, mine != nil { return [] }
    let (ownMine, ownTheirs) = (withoutChildren(mine), withoutChildren(theirs))
    return Set(mine.keys).union(theirs.keys).sorted().compactMap { directory in
      difference(ownMine[directory], ownTheirs[directory]).map { "\($0)\t\(root)\t\(directory)" }
    }
  }

  /// A directory that is at one place only, and has no photos but in others below it, is not told
  /// of: those are.
  private func difference(_ mine: Token??, _ theirs: Token??) -> String? {
    switch (mine, theirs) {
    case (.some(nil), _), (_, .some(nil)): incomplete
    case (.some(let mine), .some(let theirs)): mine == theirs ? nil : "differs"
    case (.some(let mine), nil): mine == .empty ? nil : "only here"
    case (nil, .some(let theirs)): theirs == .empty ? nil : "only there"
    case (nil, nil): nil
    }
  }

  /// What of each token is not that of the directories in it: of the photos right in it.
  private func withoutChildren(_ tokens: [String: Token?]) -> [String: Token?] {
    var own = tokens
    var hasher = ContentTokenHasher()
    for (directory, token) in tokens where directory != top {
      guard let token else { continue }
      let path = RelativePath(directory)
      let parent = "\(path.directory)"
      guard let above = own[parent], let value = above else { continue }
      var rest = value
      rest -= hasher.directory(path.name, token)
      own[parent] = .some(rest)
    }
    return own
  }
}

private let top = "\(RelativePath.root)"
/// A path has at most 4,095 bytes, each of which may stand there as four.
private let mostOfLine = 32 * 1024
