/// Reads the parts of dates from the front of a text.
struct TextScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    skipBlanks()
  }

  struct Date {
    let year: Int
    let month: Int
    let day: Int
  }

  struct Time {
    let hour: Int
    let minute: Int
    let second: Int?
    let fraction: String
  }

  /// The year first, or with dots the day first.
  mutating func date() -> Date? {
    guard let first = digits(1...4), let separator = separator(dateSeparators),
      let month = digits(1...2), self.separator(dateSeparators) == separator
    else { return nil }
    if first.count == 4, let day = digits(1...2) {
      return Date(year: first.value, month: month.value, day: day.value)
    }
    guard separator == UInt8(ascii: "."), first.count <= 2, let year = digits(4...4) else {
      return nil
    }
    return Date(year: year.value, month: month.value, day: first.value)
  }

  /// Leaves the scanner where it is when no time follows.
  mutating func time() -> Time? {
    returning { scanner in
      guard scanner.separator(timeSeparators) != nil, let hour = scanner.digits(1...2),
        scanner.separator(colon) != nil, let minute = scanner.digits(1...2)
      else { return nil }
      var (second, fraction) = (Int?.none, "")
      if scanner.separator(colon) != nil {
        guard let found = scanner.digits(1...2) else { return nil }
        second = found.value
        fraction = scanner.fraction()
      }
      return Time(hour: hour.value, minute: minute.value, second: second, fraction: fraction)
    }
  }

  /// From -12:00 to +14:00, as clocks on Earth have them. Leaves the scanner where it is when none
  /// follows.
  mutating func offset() -> Int? {
    returning { scanner in
      scanner.skipBlanks()
      guard let sign = scanner.separator(offsetSigns) else { return nil }
      if sign | 0x20 == UInt8(ascii: "z") { return 0 }
      guard let hours = scanner.digits(1...2) else { return nil }
      _ = scanner.separator(colon)
      let minutes = scanner.digits(2...2)?.value ?? 0
      let total = (hours.value * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
      guard minutes < 60, (-12 * 60...14 * 60).contains(total) else { return nil }
      return total
    }
  }

  /// Whether nothing follows that could mean something; an `AM` or a word would.
  var isAtEnd: Bool {
    bytes[position...].allSatisfy { !isDigit($0) && !isLetter($0) && $0 < 0x80 }
  }

  /// Whether nothing but blanks and colons follows.
  var isAtEndOfDate: Bool { bytes[position...].allSatisfy { timeSeparators.contains($0) } }

  /// Goes back to where it was when `body` finds nothing.
  private mutating func returning<Found>(_ body: (inout TextScanner) -> Found?) -> Found? {
    let start = position
    let found = body(&self)
    if found == nil { position = start }
    return found
  }

  private mutating func fraction() -> String {
    returning { scanner in
      guard scanner.separator(decimalSigns) != nil else { return nil }
      let digits = scanner.bytes[scanner.position...].prefix(while: isDigit)
      scanner.position += digits.count
      return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    } ?? ""
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private mutating func separator(_ allowed: [UInt8]) -> UInt8? {
    guard position < bytes.count, allowed.contains(bytes[position]) else { return nil }
    position += 1
    return bytes[position - 1]
  }

  /// A number, with blanks in place of leading zeros.
  private mutating func digits(_ count: ClosedRange<Int>) -> (value: Int, count: Int)? {
    returning { scanner in
      scanner.skipBlanks()
      var (value, length) = (0, 0)
      while length < count.upperBound, scanner.position < scanner.bytes.count,
        isDigit(scanner.bytes[scanner.position])
      {
        value = value * 10 + Int(scanner.bytes[scanner.position] - 0x30)
        scanner.position += 1
        length += 1
      }
      return count.contains(length) ? (value, length) : nil
    }
  }
}

private let dateSeparators = Array("-/.: ".utf8)
private let timeSeparators = Array("T: ".utf8)
private let colon = Array(":".utf8)
private let offsetSigns = Array("+-Zz".utf8)
private let decimalSigns = Array(".,".utf8)

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
