/// Writes the fields of a value, or reads them: one description of a value serves both ways, so that
/// they cannot differ.
protocol FieldCoder {
  /// Bytes as they are, at most so many.
  mutating func bytes(_ value: inout [UInt8], atMost limit: Int)
  mutating func text(_ value: inout String)
  mutating func integer(_ value: inout Int, in range: ClosedRange<Int>)
  /// A number that is none, or infinite, is refused.
  mutating func number(_ value: inout Double)
  /// Notes that what was read is no value.
  mutating func refuse()
  /// How many elements there are: so many as `count` when writing.
  mutating func count(_ count: Int, atMost limit: Int) -> Int
}

extension FieldCoder {
  mutating func flag(_ value: inout Bool) {
    var number = value ? 1 : 0
    integer(&number, in: 0...1)
    value = number == 1
  }

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

  mutating func integer(_ value: inout Int?, in range: ClosedRange<Int>) {
    optional(&value, blank: range.lowerBound) { $0.integer(&$1, in: range) }
  }

  mutating func number(_ value: inout Double?) {
    optional(&value, blank: 0) { $0.number(&$1) }
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

/// No text of a file that we read is longer, in bytes.
let textLimit = 1 << 16

struct FieldWriter: FieldCoder {
  private(set) var bytes: [UInt8] = []

  mutating func bytes(_ value: inout [UInt8], atMost limit: Int) {
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func text(_ value: inout String) {
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  mutating func integer(_ value: inout Int, in range: ClosedRange<Int>) {
    // The lower bit for the sign, so that small numbers are short.
    varint(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
  }

  mutating func number(_ value: inout Double) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
    }
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
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads what another process wrote, and trusts none of it. After the first fault all that is read is
/// blank, and `isSound` false.
struct FieldReader: FieldCoder {
  private let source: [UInt8]
  private var position = 0
  private(set) var isSound = true

  init(_ source: [UInt8]) {
    self.source = source
  }

  /// Whether all was read, and is sound.
  var isComplete: Bool { isSound && position == source.count }

  mutating func refuse() {
    isSound = false
    position = source.count
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
    var bits: UInt64 = 0
    guard source.count - position >= 8 else {
      value = 0
      return refuse()
    }
    for index in 0..<8 { bits |= UInt64(source[position + index]) << UInt64(8 * index) }
    position += 8
    value = Double(bitPattern: bits)
    if !value.isFinite {
      value = 0
      refuse()
    }
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

  /// The next bytes that have their number before them.
  private mutating func take(atMost limit: Int) -> Range<Int> {
    let count = count(0, atMost: limit)
    defer { position += count }
    return position..<position + count
  }

  private mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard position < source.count else { break }
      let byte = source[position]
      position += 1
      value |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    refuse()
    return 0
  }
}
