/// Writes the fields of a value, or reads them: one description of a value serves both ways, so that
/// they cannot differ.
protocol FieldCoder {
  /// Bytes as they are, at most so many.
  mutating func bytes(_ value: inout [UInt8], atMost limit: Int)
  mutating func text(_ value: inout String)
  mutating func integer(_ value: inout Int, in range: ClosedRange<Int>)
  /// A number that is none, or infinite, is refused.
  mutating func number(_ value: inout Double)
  /// Eight of them share a byte, which stands where the first one is: most fields of a photo are
  /// not there.
  mutating func flag(_ value: inout Bool)
  /// Notes that what was read is no value.
  mutating func refuse()
  /// How many elements there are: so many as `count` when writing.
  mutating func count(_ count: Int, atMost limit: Int) -> Int
}

extension FieldCoder {
  /// Something or nothing; `blank` is what reading begins with.
  mutating func optional<Value>(
    _ value: inout Value?, blank: @autoclosure () -> Value,
    _ code: (inout Self, inout Value) -> Void
  ) {
    var isThere = value != nil
    flag(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var some = value ?? blank()
    code(&self, &some)
    value = some
  }

  mutating func text(_ value: inout String?) {
    optional(&value, blank: "") { $0.text(&$1) }
  }

  /// A text that most files repeat from `earlier`, which a flag tells then.
  mutating func text(_ value: inout String?, orSameAs earlier: String?) {
    var isRepeated = isSame(value, earlier)
    flag(&isRepeated)
    if isRepeated { value = earlier } else { text(&value) }
  }

  mutating func integer(_ value: inout Int?, in range: ClosedRange<Int>) {
    optional(&value, blank: range.lowerBound) { $0.integer(&$1, in: range) }
  }

  mutating func number(_ value: inout Double?) {
    optional(&value, blank: 0) { $0.number(&$1) }
  }

  /// One of a few words, of which nearly all values are the `usual` one.
  mutating func word<Word: RawRepresentable<String>>(_ value: inout Word, usual: Word) {
    var isUsual = value == usual
    flag(&isUsual)
    if isUsual { value = usual } else { word(&value) }
  }

  /// One of a few words.
  mutating func word<Word: RawRepresentable<String>>(_ value: inout Word) {
    var text = value.rawValue
    self.text(&text)
    if let word = Word(rawValue: text) { value = word } else { refuse() }
  }

  /// Texts by other texts, in the order of these.
  mutating func texts(_ values: inout [String: String], atMost limit: Int) {
    var pairs = values.sorted { $0.key < $1.key }
    list(&pairs, atMost: limit, blank: (key: "", value: "")) { coder, pair in
      coder.text(&pair.key)
      coder.text(&pair.value)
    }
    values = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func list<Element>(
    _ values: inout [Element], atMost limit: Int, blank: Element,
    _ code: (inout Self, inout Element) -> Void
  ) {
    let count = count(values.count, atMost: limit)
    var coded: [Element] = []
    for index in 0..<count {
      var element = index < values.count ? values[index] : blank
      code(&self, &element)
      coded.append(element)
    }
    values = coded
  }
}

/// `==` would take the NFC and NFD spellings of a text for the same.
private func isSame(_ text: String?, _ other: String?) -> Bool {
  guard let text, let other else { return text == nil && other == nil }
  let (bytes, others) = (text.utf8Span.span, other.utf8Span.span)
  return bytes.count == others.count && bytes.indices.allSatisfy { bytes[$0] == others[$0] }
}

/// No text of a file that we read is longer, in bytes.
let textLimit = 1 << 16

struct FieldWriter: FieldCoder {
  private var written: [UInt8] = []
  /// The last flags, the bit of the next one, 0 when they fill their byte, and where that is to be.
  private var flags: (bits: UInt8, next: UInt8, position: Int) = (0, 0, 0)

  var bytes: [UInt8] {
    var bytes = written
    if flags.next != 0 { bytes[flags.position] = flags.bits }
    return bytes
  }

  mutating func bytes(_ value: inout [UInt8], atMost limit: Int) {
    varint(UInt64(value.count))
    written.append(contentsOf: value)
  }

  mutating func text(_ value: inout String) {
    let text = value.utf8Span.span
    varint(UInt64(text.count))
    written.append(addingCapacity: text.count) { output in
      for index in text.indices { output.append(text[index]) }
    }
  }

  mutating func integer(_ value: inout Int, in range: ClosedRange<Int>) {
    // The lower bit for the sign, so that small numbers are short.
    varint(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
  }

  mutating func number(_ value: inout Double) {
    let bits = value.bitPattern
    written.append(addingCapacity: 8) { output in
      for index in 0..<8 { output.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))) }
    }
  }

  mutating func flag(_ value: inout Bool) {
    if flags.next == 0 {
      flags = (0, 1, written.count)
      written.append(0)
    }
    if value { flags.bits |= flags.next }
    flags.next <<= 1
    if flags.next == 0 { written[flags.position] = flags.bits }
  }

  mutating func refuse() {}

  mutating func count(_ count: Int, atMost limit: Int) -> Int {
    varint(UInt64(count))
    return count
  }

  /// Seven bits a byte, the lowest first; the upper bit says that more follow.
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      written.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    written.append(UInt8(rest))
  }
}

/// Reads what another process wrote, and trusts none of it. After the first fault all that is read is
/// blank, and `isSound` false.
struct FieldReader: FieldCoder {
  private let source: [UInt8]
  private var position = 0
  /// Those of the last byte of flags that have not been read, the next one lowest.
  private var flags: (bits: UInt8, count: Int) = (0, 0)
  private(set) var isSound = true

  init(_ source: [UInt8]) {
    self.source = source
  }

  /// Whether all was read, and is sound.
  var isComplete: Bool { isSound && position == source.count && flags.bits == 0 }

  mutating func refuse() {
    isSound = false
    position = source.count
    flags = (0, 0)
  }

  mutating func bytes(_ value: inout [UInt8], atMost limit: Int) {
    value = Array(source[take(atMost: limit)])
  }

  mutating func text(_ value: inout String) {
    let range = take(atMost: textLimit)
    guard let text = try? UTF8Span(validating: source.span.extracting(range)) else {
      value = ""
      return refuse()
    }
    value = String(copying: text)
  }

  mutating func integer(_ value: inout Int, in range: ClosedRange<Int>) {
    let coded = varint()
    let number = Int(bitPattern: UInt(coded >> 1)) ^ -Int(coded & 1)
    guard range.contains(number) else {
      value = range.lowerBound
      return refuse()
    }
    value = number
  }

  mutating func number(_ value: inout Double) {
    guard source.count - position >= 8 else {
      value = 0
      return refuse()
    }
    value = Double(bitPattern: bits(at: position))
    position += 8
    if !value.isFinite {
      value = 0
      refuse()
    }
  }

  mutating func flag(_ value: inout Bool) {
    if flags.count == 0 {
      guard position < source.count else {
        value = false
        return refuse()
      }
      flags = (source[position], 8)
      position += 1
    }
    value = flags.bits & 1 == 1
    flags = (flags.bits >> 1, flags.count - 1)
  }

  mutating func count(_ count: Int, atMost limit: Int) -> Int {
    let count = varint()
    // An element has a byte at least.
    guard count <= UInt64(limit), count <= UInt64(source.count - position) else {
      refuse()
      return 0
    }
    return Int(count)
  }

  private func bits(at position: Int) -> UInt64 {
    let field = source.span.extracting(position..<(position + 8))
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(field[index]) << UInt64(8 * index) }
    return bits
  }

  /// The next bytes that have their number before them.
  private mutating func take(atMost limit: Int) -> Range<Int> {
    let count = count(0, atMost: limit)
    defer { position += count }
    return position..<position + count
  }

  private mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64, position < source.count {
      let byte = source[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    refuse()
    return 0
  }
}
