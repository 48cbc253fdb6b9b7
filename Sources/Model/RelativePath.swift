/// Where a file lies below its root: the bytes that the kernel gave, without a leading slash.
///
/// Bytes, because `String` would repair names that are not UTF-8 and call the NFC and NFD
/// spellings of a name equal; Linux keeps all of these as different files.
package struct RelativePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The root itself.
  package static let root = RelativePath(bytes: [])

  package var isRoot: Bool { bytes.isEmpty }

  package func appending(_ name: [UInt8]) -> RelativePath {
    guard !isRoot else { return RelativePath(bytes: name) }
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + name.count)
    joined.append(contentsOf: bytes)
    joined.append(slash)
    joined.append(contentsOf: name)
    return RelativePath(bytes: joined)
  }

  /// The path without its last name.
  package var directory: RelativePath {
    guard let end = bytes.lastIndex(of: slash) else { return .root }
    return RelativePath(bytes: Array(bytes[..<end]))
  }

  /// The last name of the path.
  package var name: ArraySlice<UInt8> {
    guard let end = bytes.lastIndex(of: slash) else { return bytes[...] }
    return bytes[(end + 1)...]
  }

  /// The names from the root down.
  package var components: [ArraySlice<UInt8>] {
    bytes.split(separator: slash)
  }

  /// Whether this is `directory` or lies below it.
  package func isWithin(_ directory: RelativePath) -> Bool {
    guard !directory.isRoot else { return true }
    guard bytes.starts(with: directory.bytes) else { return false }
    return bytes.count == directory.bytes.count || bytes[directory.bytes.count] == slash
  }

  /// The directories from the root down to this path's own, this path excluded.
  package var ancestors: [RelativePath] {
    guard !isRoot else { return [] }
    let cuts = bytes.indices.filter { bytes[$0] == slash }
    return [.root] + cuts.map { RelativePath(bytes: Array(bytes[..<$0])) }
  }
}

extension RelativePath: Comparable {
  package static func < (lhs: RelativePath, rhs: RelativePath) -> Bool {
    lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
  }
}

extension RelativePath: CustomStringConvertible {
  package var description: String { isRoot ? "." : printable(bytes) }
}

private let slash = UInt8(ascii: "/")
