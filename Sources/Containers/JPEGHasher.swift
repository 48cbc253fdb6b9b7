import Digests
import Linux
import Model

/// Hashes the picture of a JPEG.
///
/// Everything counts from the first marker to the end of the image, but APPn and COM segments, and
/// what stands between segments. APP14 counts, for it tells how the colours are coded. Bytes
/// behind the end (a second picture, a film) do not count.
struct JPEGHasher: ~Copyable {
  private var digest = XXH3()
  private var state = State.start(matched: 0)
  private var hasScan = false

  private enum State {
    /// So many of the first bytes were those of a JPEG.
    case start(matched: Int)
    /// Between segments, looking for 0xFF.
    case gap
    /// Behind an 0xFF between segments.
    case marker
    /// In the two bytes of a segment's length, of which `high` has been seen.
    case length(marker: UInt8, high: UInt8?)
    case payload(marker: UInt8, rest: Int)
    /// In entropy-coded data.
    case scan
    /// Behind an 0xFF in entropy-coded data that is not hashed yet.
    case scanMarker
    case done
    case unknown
  }

  /// Takes the next bytes of the file.
  mutating func update(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count {
      switch state {
      case .done, .unknown: return
      case .gap:
        index = (firstIndex(of: 0xff, in: bytes, from: index) ?? bytes.count - 1) + 1
        if bytes[index - 1] == 0xff { state = .marker }
      case .payload(let marker, let rest):
        let end = min(index + rest, bytes.count)
        if counts(marker) { hash(bytes, index..<end) }
        enterPayload(marker, rest: rest - (end - index))
        index = end
      case .scan: index = takeScan(bytes, from: index)
      default:
        take(bytes[index])
        index += 1
      }
    }
  }

  /// The hash of the picture in the bytes since the last call; nil where their type is not known
  /// or the picture does not end.
  mutating func finalize() -> ImageHash? {
    defer {
      state = .start(matched: 0)
      hasScan = false
    }
    let hash = digest.finalize()
    guard case .done = state, hasScan else { return nil }
    return hash
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .start(let matched):
      guard byte == [0xff, Marker.startOfImage][matched] else {
        state = .unknown
        return
      }
      state = matched == 1 ? .gap : .start(matched: 1)
    case .marker: enter(byte)
    case .length(let marker, nil): state = .length(marker: marker, high: byte)
    case .length(let marker, .some(let high)):
      let length = Int(high) << 8 | Int(byte)
      guard length >= 2 else {
        state = .unknown
        return
      }
      if counts(marker) { hash([0xff, marker, high, byte]) }
      enterPayload(marker, rest: length - 2)
    case .scanMarker: takeScanMarker(byte)
    case .gap, .payload, .scan, .done, .unknown: break
    }
  }

  /// Enters what follows a marker.
  private mutating func enter(_ marker: UInt8) {
    switch marker {
    case 0xff: state = .marker
    case 0, Marker.temporary, Marker.restarts, Marker.startOfImage: state = .gap
    case Marker.endOfImage:
      hash([0xff, marker])
      state = .done
    default: state = .length(marker: marker, high: nil)
    }
  }

  private mutating func enterPayload(_ marker: UInt8, rest: Int) {
    guard rest == 0 else {
      state = .payload(marker: marker, rest: rest)
      return
    }
    guard marker == Marker.startOfScan else {
      state = .gap
      return
    }
    hasScan = true
    state = .scan
  }

  /// Hashes entropy-coded data up to the next marker or the end of the block.
  private mutating func takeScan(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var search = start
    while let found = firstIndex(of: 0xff, in: bytes, from: search) {
      if found + 1 < bytes.count, isData(bytes[found + 1]) {
        search = found + 2
      } else {
        hash(bytes, start..<found)
        state = .scanMarker
        return found + 1
      }
    }
    hash(bytes, start..<bytes.count)
    return bytes.count
  }

  private mutating func takeScanMarker(_ byte: UInt8) {
    if isData(byte) {
      hash([0xff, byte])
      state = .scan
    } else if byte != 0xff {
      enter(byte)
    }
  }

  /// Whether 0xFF and this byte belong to the coded data: a stuffed 0xFF or a restart marker.
  private func isData(_ byte: UInt8) -> Bool { byte == 0 || Marker.restarts.contains(byte) }

  /// APP0 to APP15 and COM do not count, APP14 does.
  private func counts(_ marker: UInt8) -> Bool {
    !(0xe0...0xef).contains(marker) && marker != 0xfe || marker == 0xee
  }

  private mutating func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    digest.update(bytes.extracting(range))
  }

  private mutating func hash(_ bytes: [UInt8]) {
    digest.update(bytes)
  }
}
