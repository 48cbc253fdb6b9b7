import Glibc

/// The TZ variable of the process, in a buffer that belongs to the environment for good.
///
/// Altering the buffer alters the variable (putenv(3)). The array of variables, which other
/// threads may be reading, does not change.
struct TimeZoneVariable {
  private let buffer: UnsafeMutablePointer<CChar>
  private let original: [CChar]

  init() {
    // Without a TZ, one under a name that nobody asks for stands in its place.
    let value = getenv("TZ").map { "TZ=" + String(cString: $0) } ?? "_Z="
    original = Array(value.utf8CString)
    buffer = .allocate(capacity: max(original.count, 256))
    buffer.initialize(repeating: 0, count: max(original.count, 256))
    set(original)
  }

  /// Calls `body` while the C library's zone is the one in `file`.
  func withZone<Result>(file: String, _ body: () -> Result) -> Result {
    // The colon makes it a file's name and never a rule in the manner of POSIX.
    set(Array("TZ=:\(file)".utf8CString))
    // At first it is not in the environment, and later somebody may have replaced it.
    if getenv("TZ") != buffer + 3 { putenv(buffer) }
    tzset()
    defer {
      set(original)
      tzset()
    }
    return body()
  }

  private func set(_ text: [CChar]) {
    for (index, character) in text.enumerated() { buffer[index] = character }
  }
}
