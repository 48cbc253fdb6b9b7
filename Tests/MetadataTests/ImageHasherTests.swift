import Containers
import Glibc
import Model
import TestSupport
import Testing

struct ImageHasherTests {
  /// The one law that `image_hash` is for.
  @Test func `no change of metadata changes the hash`() throws {
    let plain = JPEGFixture()
    let expected = try #require(hash(plain.bytes))
    var changed = fullPhoto()
    (changed.width, changed.height) = (plain.width, plain.height)
    #expect(hash(changed.bytes) == expected)
    changed.before = [
      JPEGFixture.segment(0xe0, [1, 2, 3]), JPEGFixture.segment(0xfe, [0xff, 0xd9]),
    ]
    changed.after = [
      JPEGFixture.segment(0xe2, Array(repeating: 0xff, count: 60_000)), [0xff, 0xff],
    ]
    #expect(hash(changed.bytes) == expected)
  }

  @Test func `bytes behind the end of the image do not count`() {
    var fixture = fullPhoto()
    let expected = hash(fixture.bytes)
    fixture.trailer = fullPhoto().bytes + [0xff, 0xda, 1]
    #expect(hash(fixture.bytes) == expected)
  }

  @Test func `every byte of the picture counts`() {
    let fixture = fullPhoto()
    let expected = hash(fixture.bytes)
    let (bytes, headSize) = (fixture.bytes, fixture.head.count)
    for index in headSize..<bytes.count {
      var changed = bytes
      changed[index] ^= 0x01
      #expect(hash(changed) != expected, "byte \(index)")
    }
    var other = fixture
    other.shade += 1
    #expect(hash(other.bytes) != expected)
  }

  @Test func `the segment that tells how colours are coded counts`() {
    var fixture = JPEGFixture()
    let plain = hash(fixture.bytes)
    fixture.before = [JPEGFixture.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])]
    let adobe = hash(fixture.bytes)
    fixture.before = [JPEGFixture.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])]
    #expect(Set([plain, adobe, hash(fixture.bytes)]).count == 3)
  }

  @Test func `all scans of a progressive picture count, metadata between them does not`() {
    var fixture = JPEGFixture()
    fixture.betweenScans = []
    let expected = hash(fixture.bytes)
    #expect(expected != nil && expected != hash(JPEGFixture().bytes))
    fixture.betweenScans = [JPEGFixture.segment(0xfe, [1, 2])]
    #expect(hash(fixture.bytes) == expected)
  }

  @Test(arguments: 0..<300)
  func `any split into blocks gives the same hash`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = jpeg(codedWith: &random)
    let expected = hash(bytes)
    #expect(expected != nil)
    var hasher = ImageHasher()
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = Array(rest.prefix(Int.random(in: 1...(seed % 2 == 0 ? 4 : 100), using: &random)))
      hasher.update(block.span)
      rest = rest.dropFirst(block.count)
    }
    #expect(hasher.finalize() == expected)
  }

  @Test func `a picture without end, without scan, or of another type has no hash`() {
    let bytes = fullPhoto().bytes
    for length in 0..<bytes.count { #expect(hash(Array(bytes[..<length])) == nil) }
    #expect(hash([0xff, 0xd8, 0xff, 0xd9]) == nil)
    #expect(hash(Array("\u{89}PNG\r\n".utf8)) == nil)
    #expect(hash([0xff, 0xd8, 0xff, 0xe1, 0, 1] + bytes) == nil)
  }

  @Test func `one hasher serves many files`() {
    var hasher = ImageHasher()
    hasher.update([0xff, 0xd8, 0xff, 0xdb, 0, 9].span)
    #expect(hasher.finalize() == nil)
    hasher.update(fullPhoto().bytes.span)
    #expect(hasher.finalize() == hash(fullPhoto().bytes))
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool's edits do not change the hash`() throws {
    let directory = try TemporaryDirectory()
    var fixture = fullPhoto()
    fixture.before = [JPEGFixture.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])]
    let expected = hash(fixture.bytes)
    for edit in ["-AllDates+=1", "-all=", "-Comment=x", "-XMP:Rating=5"] {
      try directory.write("photo.jpg", fixture.bytes)
      try run([
        "/usr/bin/exiftool", "-q", "-overwrite_original", edit, directory.path + "/photo.jpg",
      ])
      let edited = try directory.read("photo.jpg")
      #expect(edited != fixture.bytes)
      #expect(hash(edited) == expected, "\(edit)")
    }
  }
}

private func hash(_ bytes: [UInt8]) -> ImageHash? {
  var hasher = ImageHasher()
  hasher.update(bytes.span)
  return hasher.finalize()
}

/// With coded data full of stuffed bytes, restart markers and fill bytes before real ones.
private func jpeg(codedWith random: inout SeededGenerator) -> [UInt8] {
  var bytes = fullPhoto().head + JPEGFixture.segment(0xdb, [0, 1, 2])
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    bytes += JPEGFixture.segment(0xda, [1, 1, 0])
    for _ in 0..<Int.random(in: 0...80, using: &random) {
      let pieces: [[UInt8]] = [
        [0xff, 0], [0xff, 0xd0], [0xff, 0xd7], [0], [0xd9], [0xda], [0x80],
      ]
      bytes += pieces.randomElement(using: &random) ?? []
    }
    if Bool.random(using: &random) { bytes += [0xff, 0xff] }
    bytes += JPEGFixture.segment(0xed, [0xff, 0xd9, 0xff])
  }
  return bytes + [0xff, 0xd9]
}
