import Digests
import Model

/// Hashes the picture of a PNG or WebP.
///
/// What decoders need counts: of a PNG its header, palette, transparency, pixels and frames, of a
/// WebP its pictures with their alpha and frames. A PNG's pixels are one stream, wherever a program
/// cuts it into chunks.
struct ChunkHasher: ~Copyable {
  private var digest = XXH3()
  private var state = State.signature
  /// The bytes of a signature or of a chunk's header that have been seen.
  private var head: [UInt8] = []
  private var isPNG = false
  private var name: [UInt8] = []
  /// Bytes of the RIFF that follow.
  private var rest = 0
  private var hasPicture = false

  private enum State {
    case signature, header, done, unknown
    case payload(counts: Bool, rest: Int, behind: Int)
    /// A checksum, or the byte that makes a length even.
    case behind(rest: Int)
  }

  /// Takes the next bytes of the file.
  mutating func update(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count {
      switch state {
      case .done, .unknown: return
      case .signature, .header:
        head.append(bytes[index])
        index += 1
        takeHead()
      case .payload(let counts, let rest, let behind):
        let end = min(index + rest, bytes.count)
        if counts { digest.update(bytes.extracting(index..<end)) }
        enterPayload(counts, rest: rest - (end - index), behind: behind)
        index = end
      case .behind(let rest):
        let end = min(index + rest, bytes.count)
        enterBehind(rest: rest - (end - index))
        index = end
      }
    }
  }

  /// The hash of the picture in the bytes since the last call; nil where there is no whole one.
  mutating func finalize() -> ImageHash? {
    defer {
      state = .signature
      head = []
      name = []
      hasPicture = false
    }
    let hash = digest.finalize()
    guard case .done = state, hasPicture else { return nil }
    return hash
  }

  private mutating func takeHead() {
    if case .signature = state { return takeSignature() }
    guard head.count == 8 else { return }
    let length = Int(unsigned(isPNG ? head[..<4] : head[4...], isBigEndian: isPNG))
    let chunk = Array(isPNG ? head[4...] : head[..<4])
    head = []
    if isPNG, chunk.elementsEqual("IEND".utf8) {
      state = .done
      return
    }
    let counts = countedChunks.contains(chunk)
    if counts { take(chunk, length: length) }
    name = chunk
    rest -= 8 + length + length % 2
    enterPayload(counts, rest: length, behind: isPNG ? 4 : length % 2)
    if !isPNG && rest < 0 { state = .unknown }
  }

  private mutating func takeSignature() {
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    if head == png {
      isPNG = true
      (state, head) = (.header, [])
    } else if head.count == 12 {
      isPNG = false
      rest = Int(unsigned(head[4..<8], isBigEndian: false)) - 4
      let isWebP = head.starts(with: "RIFF".utf8) && head[8...].elementsEqual("WEBP".utf8)
      (state, head) = (isWebP && rest > 0 ? .header : .unknown, [])
    }
  }

  /// Each chunk that counts does so with its name and length, but the parts of a PNG's pixels.
  private mutating func take(_ chunk: [UInt8], length: Int) {
    let isPixels = chunk.elementsEqual("IDAT".utf8)
    hasPicture = hasPicture || pictures.contains(chunk)
    guard !isPixels || chunk != name else { return }
    digest.update(chunk)
    if !isPixels { digest.update((0..<4).map { UInt8(length >> ($0 * 8) & 0xff) }) }
  }

  private mutating func enterPayload(_ counts: Bool, rest: Int, behind: Int) {
    if rest > 0 {
      state = .payload(counts: counts, rest: rest, behind: behind)
    } else {
      enterBehind(rest: behind)
    }
  }

  private mutating func enterBehind(rest: Int) {
    if rest > 0 {
      state = .behind(rest: rest)
    } else {
      state = !isPNG && self.rest <= 0 ? .done : .header
    }
  }
}

private let pictures = Set(["IDAT", "VP8 ", "VP8L", "ANMF"].map { Array($0.utf8) })

private let countedChunks = pictures.union(
  ["IHDR", "PLTE", "tRNS", "acTL", "fcTL", "fdAT", "ALPH", "ANIM"].map { Array($0.utf8) })
