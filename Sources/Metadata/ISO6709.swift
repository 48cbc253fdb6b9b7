import Model

/// A point as ISO 6709 writes it in one string: `+48.8584+002.2945+035.000/`. Degrees may be followed
/// by minutes, and these by seconds, the last of which may have decimals.
struct ISO6709 {
  let position: Coordinate
  /// In metres; nil where none is written.
  let altitude: Double?

  /// Returns nil for a text of another form, and for (0, 0), which says that nothing was found.
  init?(_ text: String) {
    var rest = text.utf8[...]
    guard let latitude = ISO6709.number(&rest).flatMap({ degrees($0, wholeDigits: 2) }),
      let longitude = ISO6709.number(&rest).flatMap({ degrees($0, wholeDigits: 3) }),
      latitude != 0 || longitude != 0,
      let position = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.position = position
    altitude = ISO6709.number(&rest).flatMap { Double(String(Substring($0))) }
  }

  /// A sign, digits, and perhaps decimals.
  private static func number(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
    guard let sign = rest.first, "+-".utf8.contains(sign) else { return nil }
    let end = rest.dropFirst().firstIndex { !isDigit($0) && $0 != UInt8(ascii: ".") }
    let number = rest[..<(end ?? rest.endIndex)]
    rest = rest[number.endIndex...]
    return number.contains(where: isDigit) ? number : nil
  }
}

/// The number of whole digits tells whether they are degrees, or have minutes and seconds behind them.
private func degrees(_ number: Substring.UTF8View, wholeDigits: Int) -> Double? {
  guard let value = Double(String(Substring(number.dropFirst()))) else { return nil }
  let count = number.dropFirst().prefix(while: isDigit).count
  let sum: Double
  switch count - wholeDigits {
  case ...0: sum = value
  case 2:
    let minutes = value.truncatingRemainder(dividingBy: 100)
    guard minutes < 60 else { return nil }
    sum = (value / 100).rounded(.down) + minutes / 60
  case 4:
    let seconds = value.truncatingRemainder(dividingBy: 100)
    let minutes = (value / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
    guard minutes < 60, seconds < 60 else { return nil }
    sum = (value / 10_000).rounded(.down) + minutes / 60 + seconds / 3600
  default: return nil
  }
  return number.first == UInt8(ascii: "-") && sum != 0 ? -sum : sum
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
