/// Reads the parts of dates from the front of a text, whose UTF-8 each call is lent.
struct TextScanner {
  private var position = 0

  init(_ bytes: Span<UInt8>) {
    skipBlanks(bytes)
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
  mutating func date(_ bytes: Span<UInt8>) -> Date? {
    guard let first = digits(1...4, bytes), let separator = next(bytes, isDateSeparator),
      let month = digits(1...2, bytes), next(bytes, isDateSeparator) == separator
    else { return nil }
    if first.count == 4, let day = digits(1...2, bytes) {
      return Date(year: first.value, month: month.value, day: day.value)
    }
    guard separator == UInt8(ascii: "."), first.count <= 2, let year = digits(4...4, bytes) else {
      return nil
    }
    return Date(year: year.value, month: month.value, day: first.value)
  }

  /// Leaves the scanner where it is when no time follows.
  mutating func time(_ bytes: Span<UInt8>) -> Time? {
    returning { scanner in
      guard scanner.next(bytes, isTimeSeparator) != nil, let hour = scanner.digits(1...2, bytes),
        scanner.next(bytes, isColon) != nil, let minute = scanner.digits(1...2, bytes)
      else { return nil }
      var (second, fraction) = (Int?.none, "")
      if scanner.next(bytes, isColon) != nil {
        guard let found = scanner.digits(1...2, bytes) else { return nil }
        second = found.value
        fraction = scanner.fraction(bytes)
      }
      return Time(hour: hour.value, minute: minute.value, second: second, fraction: fraction)
    }
  }

  /// From -12:00 to +14:00, as clocks on Earth have them. Leaves the scanner where it is when none
  /// follows.
  mutating func offset(_ bytes: Span<UInt8>) -> Int? {
    returning { scanner in
      scanner.skipBlanks(bytes)
      guard let sign = scanner.next(bytes, isOffsetSign) else { return nil }
      if sign | 0x20 == UInt8(ascii: "z") { return 0 }
      guard let hours = scanner.digits(1...2, bytes) else { return nil }
      _ = scanner.next(bytes, isColon)
      let minutes = scanner.digits(2...2, bytes)?.value ?? 0
      let total = (hours.value * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
      guard minutes < 60, (-12 * 60...14 * 60).contains(total) else { return nil }
      return total
    }
  }

  /// Whether nothing follows that could mean something; an `AM` or a word would.
  func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
    (position..<bytes.count).allSatisfy {
      !isDigit(bytes[$0]) && !isLetter(bytes[$0]) && bytes[$0] < 0x80
    }
  }

  /// Whether nothing but blanks and colons follows.
  func isAtEndOfDate(_ bytes: Span<UInt8>) -> Bool {
    (position..<bytes.count).allSatisfy { isTimeSeparator(bytes[$0]) }
  }

  /// Goes back to where it was when `body` finds nothing.
  private mutating func returning<Found>(_ body: (inout TextScanner) -> Found?) -> Found? {
    let start = position
    let found = body(&self)
    if found == nil { position = start }
    return found
  }

  private mutating func fraction(_ bytes: Span<UInt8>) -> String {
    returning { scanner in
      guard scanner.next(bytes, isDecimalSign) != nil else { return nil }
      var digits: [UInt8] = []
      while let digit = scanner.next(bytes, isDigit) { digits.append(digit) }
      return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    } ?? ""
  }

  private mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  /// The next byte, and passes over it, if it is one of those.
  private mutating func next(_ bytes: Span<UInt8>, _ isAllowed: (UInt8) -> Bool) -> UInt8? {
    guard position < bytes.count, isAllowed(bytes[position]) else { return nil }
    position += 1
    return bytes[position - 1]
  }

  /// A number, with blanks in place of leading zeros.
  private mutating func digits(
    _ count: ClosedRange<Int>, _ bytes: Span<UInt8>
  ) -> (value: Int, count: Int)? {
    returning { scanner in
      scanner.skipBlanks(bytes)
      var (value, length) = (0, 0)
      while length < count.upperBound, let digit = scanner.next(bytes, isDigit) {
        value = value * 10 + Int(digit - 0x30)
        length += 1
      }
      return count.contains(length) ? (value, length) : nil
    }
  }
}

private func isColon(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ":") }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

private func isDateSeparator(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x20: true
  default: false
  }
}

private func isTimeSeparator(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "T") || byte == UInt8(ascii: ":") || byte == 0x20
}

private func isOffsetSign(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte | 0x20 == UInt8(ascii: "z")
}

private func isDecimalSign(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
}
