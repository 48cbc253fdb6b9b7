extension Movie {
  /// What the firmware's name tells: `HD9.01.01.72.00` of a HERO9, `H21.…` of a HERO10, `H22.…` of a
  /// HERO11. The clocks of those before the HERO11 know no zone, and the film has what they show.
  mutating func takeGoPro(firmware bytes: ArraySlice<UInt8>) {
    add(.make, "GoPro".utf8)
    let digits = bytes.dropFirst().prefix(2)
    let generation = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    if generation < 22 { isCreatedLocal = true }
  }

  /// The global settings in GoPro's own format: a key, a type, the size of a value, their number, and
  /// the values, filled up to four bytes; type 0 holds more of these.
  mutating func takeGoPro(_ bytes: ArraySlice<UInt8>) {
    var open = [bytes]
    var patience = 10_000
    while let part = open.popLast() {
      var cursor = ByteCursor(part)
      while patience > 0, let key = cursor.integer(4), let type = cursor.integer(1),
        let size = cursor.integer(1), let count = cursor.integer(2),
        let value = cursor.take(Int(size * count))
      {
        _ = cursor.take((4 - value.count % 4) % 4)
        patience -= 1
        if type == 0 {
          open.append(value)
        } else {
          takeGoPro(FourCharacters(code: UInt32(truncatingIfNeeded: key)), value)
        }
      }
    }
  }

  private mutating func takeGoPro(_ key: FourCharacters, _ value: ArraySlice<UInt8>) {
    switch key {
    case "MINF":
      add(.make, "GoPro".utf8)
      add(.model, value)
    case "CASN": add(.serial, value)
    default: break
    }
  }
}
