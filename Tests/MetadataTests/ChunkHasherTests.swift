import Containers
import Glibc
import Model
import TestSupport
import Testing

/// The image hash of PNG and WebP.
struct ChunkHasherTests {
  @Test func `metadata of a PNG does not count, nor where its pixels are cut`() throws {
    let expected = try #require(hash(PNGFixture().bytes))
    var png = PNGFixture()
    png.before = [PNGFixture.chunk("eXIf", [1, 2, 3]), PNGFixture.chunk("gAMA", [0, 0, 0, 1])]
    png.after = [PNGFixture.chunk("tEXt", Array("Title\0IDAT".utf8))]
    #expect(hash(png.bytes + [1, 2, 3]) == expected)
    let pixels = png.picture[0]
    png.picture = [Array(pixels[..<3]), [], Array(pixels[3...])]
    #expect(hash(png.bytes) == expected)
    png.picture[0][2] ^= 1
    #expect(hash(png.bytes) != expected)
    png.picture[0][2] ^= 1
    png.width += 1
    #expect(hash(png.bytes) != expected)
    png.width -= 1
    png.before = [PNGFixture.chunk("tRNS", [0, 1])]
    #expect(hash(png.bytes) != expected)
  }

  @Test func `metadata of a WebP does not count`() throws {
    let picture = WebPFixture.lossy(64, 48)
    let expected = try #require(hash(WebPFixture([picture]).bytes))
    let exif = WebPFixture.chunk("EXIF", Array("VP8 ".utf8) + [0])
    #expect(hash(WebPFixture([WebPFixture.canvas(64, 48), picture, exif]).bytes) == expected)
    #expect(hash(WebPFixture([picture, exif]).bytes + [1]) == expected)
    #expect(hash(WebPFixture([WebPFixture.lossy(64, 49)]).bytes) != expected)
    let alpha = WebPFixture.chunk("ALPH", [1, 2, 3])
    #expect(hash(WebPFixture([alpha, picture]).bytes) != expected)
  }

  @Test func `every byte of the picture counts, and any split gives the same`() throws {
    let png = PNGFixture().bytes
    let webp = WebPFixture([WebPFixture.lossless(64, 48)]).bytes
    for (bytes, uncounted) in [
      // Three checksums, and the length of the last chunk.
      (png, Array(29..<33) + Array(54..<62) + Array(66..<70)),
      // A byte that makes the length even.
      (webp, [webp.count - 1]),
    ] {
      let expected = try #require(hash(bytes))
      for size in 1...bytes.count {
        var hasher = ImageHasher()
        for start in stride(from: 0, to: bytes.count, by: size) {
          hasher.update(Array(bytes[start..<min(start + size, bytes.count)]).span)
        }
        #expect(hasher.finalize() == expected, "blocks of \(size)")
      }
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        #expect((hash(changed) == expected) == uncounted.contains(index), "byte \(index)")
      }
    }
  }

  @Test func `a picture that does not end, or is none, has no hash`() {
    let exif = WebPFixture.chunk("EXIF", [1, 2])
    for bytes in [
      PNGFixture().bytes, WebPFixture([WebPFixture.lossy(64, 48), exif]).bytes,
    ] {
      // Behind the name of the last chunk of a PNG nothing but a checksum follows.
      for length in 0..<(bytes.count - 4) { #expect(hash(Array(bytes[..<length])) == nil) }
    }
    var empty = PNGFixture()
    empty.picture = []
    #expect(hash(empty.bytes) == nil)
    #expect(hash(WebPFixture([WebPFixture.canvas(8, 8), exif]).bytes) == nil)
    #expect(hash(Array("RIFF\u{c}\0\0\0WAVEVP8 \0\0\0\0".utf8)) == nil)
    #expect(hash(Array("RIFF\u{c}\0\0\0WEBPVP8 ".utf8) + [255, 255, 255, 255]) == nil)
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool's edits do not change the hash`() throws {
    let directory = try TemporaryDirectory()
    let tiff = fullPhoto().exif?.bytes ?? []
    var png = PNGFixture()
    png.before = [PNGFixture.chunk("eXIf", tiff)]
    let webp = WebPFixture([
      WebPFixture.canvas(64, 48), WebPFixture.lossy(64, 48), WebPFixture.chunk("EXIF", tiff),
    ])
    let plain = WebPFixture([WebPFixture.lossless(64, 48)])
    for (name, bytes) in [
      ("a.png", png.bytes), ("b.webp", webp.bytes), ("c.webp", plain.bytes),
    ] {
      let expected = try #require(hash(bytes))
      for edit in [
        "-AllDates+=1", "-all=", "-XMP:Rating=5", "-EXIF:DateTimeOriginal=2020:01:01 00:00:00",
      ] {
        try directory.write(name, bytes)
        try? run([
          "/usr/bin/exiftool", "-q", "-q", "-overwrite_original", edit, directory.path + "/" + name,
        ])
        #expect(hash(try directory.read(name)) == expected, "\(name) \(edit)")
      }
      #expect(try directory.read(name) != bytes)
    }
  }
}

private func hash(_ bytes: [UInt8]) -> ImageHash? {
  var hasher = ImageHasher()
  hasher.update(bytes.span)
  return hasher.finalize()
}
