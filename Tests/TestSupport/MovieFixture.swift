/// A film with no more than its headers: tracks, and what stands beside them.
package struct MovieFixture {
  package struct Track: Sendable {
    package var handler = "vide"
    package var width = 1920
    package var height = 1080
    /// a, b, c and d of the matrix.
    package var matrix = [1.0, 0, 0, 1]
    package var isEnabled = true

    package init() {}
  }

  package var brand = "qt  "
  package var version: UInt8 = 0
  /// Seconds since 1904.
  package var created = 0
  package var timeScale = 600
  package var duration = 1800
  package var tracks = [Track()]
  /// Apple's keys with their values, and the type of these.
  package var keys: [(name: String, type: Int, value: [UInt8])] = []
  package var areKeysLast = false
  /// Boxes of `udta`.
  package var userData: [[UInt8]] = []
  /// Other boxes of `moov`.
  package var others: [[UInt8]] = []
  package var isDataFirst = false
  package var data: [UInt8] = Array(repeating: 0xda, count: 300)

  package init() {}

  package mutating func addKey(_ name: String, _ value: String) {
    keys.append((name, 1, Array(value.utf8)))
  }

  /// Text as QuickTime has it in user data: its length and a language before it.
  package mutating func addUserText(_ type: String, _ value: String) {
    userData.append(box(type, big(value.utf8.count, 2), big(0x15c7, 2), Array(value.utf8)))
  }

  package var bytes: [UInt8] {
    let head = box("ftyp", latin(brand), big(0, 4), latin(brand))
    let media = box("mdat", data)
    return isDataFirst ? head + media + movie : head + movie + media
  }

  private var movie: [UInt8] {
    box(
      "moov", header, tracks.flatMap { track($0) }, keys.isEmpty ? [] : metadata,
      userData.isEmpty ? [] : box("udta", userData.flatMap { $0 }, big(0, 4)),
      others.flatMap { $0 })
  }

  /// Bytes of a time or a duration.
  private var width: Int { version == 1 ? 8 : 4 }

  private var header: [UInt8] {
    fullBox(
      "mvhd", version: version, big(created, width), big(created, width), big(timeScale, 4),
      big(duration, width), big(0x10000, 4), big(0x100, 2), big(0, 10),
      matrix([1, 0, 0, 1]), big(0, 24), big(tracks.count + 1, 4))
  }

  private func track(_ track: Track) -> [UInt8] {
    let header = fullBox(
      "tkhd", version: version, flags: track.isEnabled ? 1 : 0, big(created, width),
      big(created, width), big(1, 4), big(0, 4), big(duration, width), big(0, 16),
      matrix(track.matrix), big(track.width << 16, 4), big(track.height << 16, 4))
    let handler = fullBox("hdlr", big(0, 4), latin(track.handler), big(0, 12), [0])
    return box("trak", header, box("mdia", handler))
  }

  private func matrix(_ parts: [Double]) -> [UInt8] {
    let (a, b, c, d) = (parts[0], parts[1], parts[2], parts[3])
    return [a, b, 0, c, d, 0, 0, 0].flatMap { big(Int($0 * 65_536), 4) } + big(0x4000_0000, 4)
  }

  private var metadata: [UInt8] {
    let names = fullBox(
      "keys", big(keys.count, 4), keys.flatMap { box("mdta", Array($0.name.utf8)) })
    let items = keys.enumerated().flatMap { index, key in
      let data = box("data", big(key.type, 4), big(0, 4), key.value)
      return big(data.count + 8, 4) + big(index + 1, 4) + data
    }
    let list = box("ilst", items)
    // QuickTime's has no version.
    return box(
      "meta", fullBox("hdlr", big(0, 4), latin("mdta"), big(0, 12), [0]),
      areKeysLast ? list + names : names + list)
  }
}
