import Library
import Model
import TestSupport
import Testing

struct ChangeTokenTests {
  private func fingerprint(_ number: UInt64) -> Fingerprint {
    Fingerprint(
      size: Int64(number % 7), modified: Timestamp(nanoseconds: Int64(number)),
      changed: Timestamp(nanoseconds: Int64(number) + 1), inode: number)
  }

  private func name(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the order of entries does not matter`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var hasher = TokenHasher(salt: [1])
    let numbers = (0..<50).map { _ in generator.next() >> 2 }
    func sum(_ numbers: [UInt64]) -> Token {
      var token = Token.empty
      for number in numbers { token += hasher.photo(name("\(number).jpg"), fingerprint(number)) }
      return token
    }
    let token = sum(numbers)
    #expect(sum(numbers.shuffled(using: &generator)) == token, "seed \(seed)")
    #expect(sum(Array(numbers.dropLast())) != token, "seed \(seed)")
  }

  @Test func `one entry's change is one subtraction and one addition`() {
    var hasher = TokenHasher(salt: [1])
    let (old, new) = (
      hasher.photo(name("a.jpg"), fingerprint(1)), hasher.photo(name("a.jpg"), fingerprint(2))
    )
    let rest = hasher.photo(name("b.jpg"), fingerprint(3))
    var token = rest
    token += old
    token -= old
    token += new
    var expected = new
    expected += rest
    #expect(token == expected)
  }

  @Test func `every part of an entry counts`() {
    var hasher = TokenHasher(salt: [1])
    let (zero, one) = (Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 1))
    let base = Fingerprint(size: 1, modified: one, changed: one, inode: 1)
    let others = [
      Fingerprint(size: 2, modified: one, changed: one, inode: 1),
      Fingerprint(size: 1, modified: zero, changed: one, inode: 1),
      Fingerprint(size: 1, modified: one, changed: zero, inode: 1),
      Fingerprint(size: 1, modified: one, changed: one, inode: 2),
    ]
    var tokens = Set(others.map { hasher.photo(name("a"), $0) })
    tokens.insert(hasher.photo(name("a"), base))
    tokens.insert(hasher.photo(name("A"), base))
    tokens.insert(hasher.directory(name("a"), .empty))
    tokens.insert(hasher.directory(name("a"), Token(value: 1)))
    var other = TokenHasher(salt: [2])
    tokens.insert(other.photo(name("a"), base))
    #expect(tokens.count == 9)
  }

  @Test func `change time and inode count only where they are kept`() {
    var hasher = TokenHasher(salt: [])
    hasher.countsInodes = false
    let (zero, one) = (Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 1))
    let token = hasher.photo(
      name("a"), Fingerprint(size: 1, modified: one, changed: one, inode: 1))
    let chmodded = Fingerprint(size: 1, modified: one, changed: zero, inode: 2)
    #expect(hasher.photo(name("a"), chmodded) == token)
    let touched = Fingerprint(size: 1, modified: zero, changed: one, inode: 1)
    #expect(hasher.photo(name("a"), touched) != token)
  }

  @Test func `an empty directory adds nothing to a content token`() {
    var hasher = ContentTokenHasher()
    #expect(hasher.directory(name("a"), .empty) == .empty)
    #expect(hasher.directory(name("a"), Token(value: 1)) != .empty)
  }
}
