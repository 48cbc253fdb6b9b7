import Digests
package import Model

/// Computes the numbers whose sum is a directory's change token.
///
/// The salt stands in front of every entry: the digest of the rules in force and of the readers'
/// versions. New rules or a new reader make every token differ, and so every directory is looked
/// at again.
package struct TokenHasher: ~Copyable {
  private let salt: [UInt8]
  /// Whether inode and change time count, as only some file systems keep them.
  package var countsInodes = true
  private var hasher = SHA256()
  private var message: [UInt8] = []

  package init(salt: [UInt8]) {
    self.salt = salt
  }

  /// What the sum of each directory begins with: the rules count where nothing is left that they
  /// admit, too, for rows may be left that they exclude.
  package mutating func directoryItself(isMarkedExcluded: Bool) -> Token {
    begin(kind: UInt8(ascii: isMarkedExcluded ? "x" : "i"))
    return finish([])
  }

  package mutating func photo(_ name: ArraySlice<UInt8>, _ fingerprint: Fingerprint) -> Token {
    file(UInt8(ascii: "p"), name, fingerprint)
  }

  package mutating func sidecar(_ name: ArraySlice<UInt8>, _ fingerprint: Fingerprint) -> Token {
    file(UInt8(ascii: "s"), name, fingerprint)
  }

  private mutating func file(
    _ kind: UInt8, _ name: ArraySlice<UInt8>, _ fingerprint: Fingerprint
  ) -> Token {
    begin(kind: kind)
    append(UInt64(bitPattern: fingerprint.size))
    append(UInt64(bitPattern: fingerprint.modified.nanoseconds))
    append(countsInodes ? UInt64(bitPattern: fingerprint.changed.nanoseconds) : 0)
    append(countsInodes ? fingerprint.inode : 0)
    return finish(name)
  }

  package mutating func directory(_ name: ArraySlice<UInt8>, _ token: Token) -> Token {
    begin(kind: UInt8(ascii: "d"))
    append(UInt64(truncatingIfNeeded: token.value >> 64))
    append(UInt64(truncatingIfNeeded: token.value))
    return finish(name)
  }

  /// A number for all sidecars of one photo, by which a row tells whether they are as they were; nil
  /// where there are none.
  package mutating func state(of sidecars: [Sidecar]) -> Int64? {
    guard !sidecars.isEmpty else { return nil }
    var sum = Token.empty
    for sidecar in sidecars {
      // The kind counts: with a photo that comes or goes, one of a shot can become one of a version.
      let kind = Array(sidecar.kind.rawValue.utf8) + [0]
      sum += self.sidecar((kind + sidecar.name)[...], sidecar.fingerprint)
    }
    return Int64(truncatingIfNeeded: sum.value)
  }

  private mutating func begin(kind: UInt8) {
    message.removeAll(keepingCapacity: true)
    message.append(contentsOf: salt)
    message.append(kind)
  }

  private mutating func append(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      message.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The name comes last, behind fields of fixed length, so that no two entries read the same.
  private mutating func finish(_ name: ArraySlice<UInt8>) -> Token {
    message.append(contentsOf: name)
    hasher.update(message)
    return Token(value: hasher.finalizeTruncated())
  }
}

/// Computes the numbers whose sum is a directory's content token: what it holds, whatever the
/// machine, the file system or the rules. Two copies of a library have equal tokens.
package struct ContentTokenHasher: ~Copyable {
  private var hasher = SHA256()

  package init() {}

  package mutating func photo(_ name: ArraySlice<UInt8>, _ hash: Hash) -> Token {
    number(UInt8(ascii: "p"), hash.bytes, name)
  }

  /// A directory without photos adds nothing: copying tools do not agree on keeping those.
  package mutating func directory(_ name: ArraySlice<UInt8>, _ token: Token) -> Token {
    token == .empty ? .empty : number(UInt8(ascii: "d"), token.bytes, name)
  }

  private mutating func number(_ kind: UInt8, _ digest: [UInt8], _ name: ArraySlice<UInt8>) -> Token
  {
    hasher.update([kind] + digest + name)
    return Token(value: hasher.finalizeTruncated())
  }
}
