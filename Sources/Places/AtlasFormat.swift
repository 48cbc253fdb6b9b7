import Linux
import Model

/// How the file of an atlas begins, in 32-bit words of this machine.
enum AtlasFormat {
  /// "PLAC" on a little-endian machine.
  static let magic: UInt32 = 0x4341_4c50
  /// Rises with every change of the format *or of the rules of looking up*: it enters the digest,
  /// and with a new digest all photos are labelled anew.
  static let version: UInt32 = 2

  /// Offsets of the header's fields. The checksum is over all that follows it.
  static let checksum = 2
  static let wordCount = 4
  static let digest = 5
  static let sources = 13
  static let fields = 21
  static let headerSize = fields + Field.allCases.count

  static let zoneWords = 2
  static let unitWords = 6

  enum Field: Int, CaseIterable {
    case zones
    case zoneCount
    case units
    case unitCount
    case countryCount
    case firstAdmin1
    case firstKorea
    case zoneLayer
    case admin1Layer
    case koreaLayer
    case ownLayer
  }

  /// Sums of the words and sums of these sums (Fletcher), in eight lanes, folded into one: a
  /// changed word changes it, and so do words that have moved.
  ///
  /// Calls `rest` after each so many words.
  static func checksum(of words: Span<UInt32>, rest: () -> Void = {}) -> UInt64 {
    var sums = SIMD8<UInt32>.zero
    var sumsOfSums = SIMD8<UInt32>.zero
    var index = wordCount
    while index + 8 <= words.count {
      if index & (wordsBetweenRests - 1) == wordCount { rest() }
      // The last first: its check covers the others.
      let last = words[index + 7]
      sums &+= SIMD8(
        words[index], words[index + 1], words[index + 2], words[index + 3], words[index + 4],
        words[index + 5], words[index + 6], last)
      sumsOfSums &+= sums
      index += 8
    }
    var sum = UInt64(words.count)
    for lane in 0..<8 { sum = mixed(mixed(sum ^ UInt64(sums[lane])) ^ UInt64(sumsOfSums[lane])) }
    while index < words.count {
      sum = mixed(sum ^ UInt64(words[index]))
      index += 1
    }
    return sum
  }

  /// Some megabytes.
  private static let wordsBetweenRests = 1 << 20

  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value &* 0x9e37_79b9_7f4a_7c15
    return product ^ product &>> 32
  }

  /// Whether the words are a whole and undamaged atlas of this version. All of them are read for it,
  /// of which most will not be needed again.
  static func isIntact(_ words: MappedWords) -> Bool {
    defer { words.leaveToCache() }
    return words.count >= headerSize && words[0] == magic && words[1] == version
      && words[wordCount] == UInt32(truncatingIfNeeded: words.count)
      && words.withSpan {
        checksum(of: $0, rest: words.leaveToCache) == UInt64(words[checksum]) | UInt64(
          words[checksum + 1]) << 32
      }
  }

  static func seal(_ words: inout [UInt32]) {
    words[0] = magic
    words[1] = version
    words[wordCount] = UInt32(truncatingIfNeeded: words.count)
    let sum = checksum(of: words.span)
    words[checksum] = UInt32(truncatingIfNeeded: sum)
    words[checksum + 1] = UInt32(truncatingIfNeeded: sum >> 32)
  }
}
