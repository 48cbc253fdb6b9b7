/// A pattern as in gitignore(5): `*` and `?` within a name, `[a-z]`, `**` across names; a
/// slash at the start or in the middle binds it to the root; one at the end asks for a directory;
/// `!` in front takes a path back in.
package struct Glob: Hashable, Sendable {
  package let text: String
  package let isNegated: Bool
  let wantsDirectory: Bool
  /// The patterns of the names between the slashes; nil when the pattern is bound to no directory.
  private let directories: [NamePattern]?
  let last: NamePattern

  /// Returns nil when the pattern names nothing.
  package init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    isNegated = bytes.first == UInt8(ascii: "!")
    if isNegated { bytes = bytes.dropFirst() }
    wantsDirectory = bytes.last == slash
    if wantsDirectory { bytes = bytes.dropLast() }
    let isBound = bytes.contains(slash)
    let names = bytes.split(separator: slash).map(NamePattern.init)
    guard let last = names.last else { return nil }
    self.text = text
    self.last = last
    directories = isBound ? names.dropLast() : nil
  }

  /// Whether the part before the last slash fits the directory; if so, `last` decides for each
  /// of its entries.
  func reaches(_ directory: [ArraySlice<UInt8>]) -> Bool {
    guard let directories else { return true }
    // A `**` at the end stands for everything below, at any depth.
    return last.isAnyPath
      ? directory.indices.contains { fits(directory[...$0], directories[...]) }
        || fits([], directories[...])
      : fits(directory[...], directories[...])
  }
}

/// Matches names one by one; `**` stands for any number of them.
private func fits(_ path: ArraySlice<ArraySlice<UInt8>>, _ patterns: ArraySlice<NamePattern>)
  -> Bool
{
  guard let first = patterns.first else { return path.isEmpty }
  if first.isAnyPath {
    let rest = patterns.dropFirst()
    return (path.startIndex...path.endIndex).contains { fits(path[$0...], rest) }
  }
  guard let name = path.first, first.matches(name.span) else { return false }
  return fits(path.dropFirst(), patterns.dropFirst())
}

private let slash = UInt8(ascii: "/")

/// The pattern of one name: `*`, `?`, `[a-z]`, and `\` before a character that stands for itself.
struct NamePattern: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var isAnyPath: Bool { bytes == [UInt8(ascii: "*"), UInt8(ascii: "*")] }

  /// Goes back to the last `*` when the rest does not fit: linear in practice, quadratic at worst.
  func matches(_ name: Span<UInt8>) -> Bool {
    var position = 0
    var element = 0
    var retry: (position: Int, element: Int)?
    while true {
      if element < bytes.count, bytes[element] == UInt8(ascii: "*") {
        element += 1
        retry = (position, element)
      } else if position < name.count, let next = elementEnd(element, admitting: name[position]) {
        position += 1
        element = next
      } else if position == name.count && element == bytes.count {
        return true
      } else if let (from, start) = retry, from < name.count {
        position = from + 1
        element = start
        retry = (position, element)
      } else {
        return false
      }
    }
  }

  /// Where the pattern goes on behind the element at `start`, if that stands for `byte`.
  private func elementEnd(_ start: Int, admitting byte: UInt8) -> Int? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "?"):
      return start + 1
    case UInt8(ascii: "["):
      // Without a closing bracket it is an ordinary character.
      guard let end = classEnd(after: start) else { return byte == bytes[start] ? start + 1 : nil }
      return classHolds(byte, bytes[(start + 1)..<end]) ? end + 1 : nil
    case UInt8(ascii: "\\") where start + 1 < bytes.count:
      return byte == bytes[start + 1] ? start + 2 : nil
    default:
      return byte == bytes[start] ? start + 1 : nil
    }
  }

  /// Where the bracket closes; one that comes first is a member of the class.
  private func classEnd(after start: Int) -> Int? {
    var first = start + 1
    if first < bytes.count, isNegation(bytes[first]) { first += 1 }
    guard first < bytes.count else { return nil }
    return bytes[(first + 1)...].firstIndex(of: UInt8(ascii: "]"))
  }
}

private func isNegation(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "!") || byte == UInt8(ascii: "^")
}

private func classHolds(_ byte: UInt8, _ members: ArraySlice<UInt8>) -> Bool {
  var rest = members
  let negated = rest.first.map(isNegation) ?? false
  if negated { rest = rest.dropFirst() }
  var found = false
  while let low = rest.first {
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first {
      rest = rest.dropFirst(2)
      found = found || (low <= byte && byte <= high)
    } else {
      found = found || low == byte
    }
  }
  return found != negated
}
