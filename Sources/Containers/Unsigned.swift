/// The number that the bytes are in one byte order or the other; of more than eight the last count.
func unsigned(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt64 {
  var number: UInt64 = 0
  if isBigEndian {
    for byte in bytes { number = number << 8 | UInt64(byte) }
  } else {
    for byte in bytes.reversed() { number = number << 8 | UInt64(byte) }
  }
  return number
}
