import IndexStore
import Library
import Model

/// The change tokens that follow from a survey.
struct SurveyTokens: Sendable {
  /// Of the directories that were listed, children included; nil where one below is not settled or
  /// could not be listed.
  fileprivate(set) var listed: [Token?]
  /// Of those above them.
  fileprivate(set) var above: [RelativePath: Token?] = [:]
}

extension Survey {
  /// The tokens of all directories that were listed, and of all above them. What was not listed
  /// has the token that is known.
  func tokens(
    _ hasher: inout TokenHasher, _ states: [RelativePath: DirectoryState]
  ) -> SurveyTokens {
    var tokens = SurveyTokens(listed: directories.map { $0.isSettled ? $0.ownToken : nil })
    for unreadable in unreadable {
      if let parent = unreadable.parent { tokens.listed[parent] = nil }
    }
    // What a tree's directories do not list themselves may lie above deeper trees.
    for tree in trees.sorted(by: { depth($0) > depth($1) }) {
      for number in tree.reversed() { add(number, to: &tokens, &hasher, states) }
      climb(from: tree.lowerBound, &tokens, &hasher, states)
    }
    return tokens
  }

  private var trees: [Range<Int>] {
    let starts = directories.indices.filter { directories[$0].parent == nil }
    return zip(starts, starts.dropFirst() + [directories.count]).map { $0..<$1 }
  }

  private func depth(_ tree: Range<Int>) -> Int {
    directories[tree.lowerBound].path.components.count
  }

  /// Completes a directory's token, and adds it to the one above.
  private func add(
    _ number: Int, to tokens: inout SurveyTokens, _ hasher: inout TokenHasher,
    _ states: [RelativePath: DirectoryState]
  ) {
    let found = directories[number]
    for path in found.unlisted {
      if let token = tokens.above[path] ?? states[path]?.changeToken {
        tokens.listed[number]? += hasher.directory(path.name, token)
      } else {
        tokens.listed[number] = nil
      }
    }
    guard let parent = found.parent else { return }
    if let token = tokens.listed[number] {
      tokens.listed[parent]? += hasher.directory(found.path.name, token)
    } else {
      tokens.listed[parent] = nil
    }
  }

  /// In each directory above a tree, one term of the sum has another value now.
  private func climb(
    from top: Int, _ tokens: inout SurveyTokens, _ hasher: inout TokenHasher,
    _ states: [RelativePath: DirectoryState]
  ) {
    var child = directories[top].path
    var (old, new) = (states[child]?.changeToken, tokens.listed[top])
    tokens.above[child] = .some(new)
    for path in child.ancestors.reversed() {
      guard number(of: path) == nil, let state = states[path] else { return }
      let before = tokens.above[path] ?? state.changeToken
      var token: Token?
      if var sum = before, let old, let new {
        sum -= hasher.directory(child.name, old)
        sum += hasher.directory(child.name, new)
        token = sum
      }
      tokens.above[path] = .some(token)
      (child, old, new) = (path, before, token)
    }
  }
}
