import Glibc
import Metadata
import Model
import TestSupport
import Testing

/// Broken directories that real files have. What can be read safely is read; the rest is absent.
struct TIFFDirectoryTests {
  @Test func `a bad thumbnail offset costs nothing`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    fixture.exif?.add(.image, 0x0201, .long([0xffff_fff0]))
    fixture.exif?.add(.thumbnail, 0x0201, .long([0x7fff_ffff]))
    #expect(try metadata(fixture) == expected)
  }

  @Test func `order and maker notes do not matter`() throws {
    var fixture = fullPhoto()
    let expected = try metadata(fixture)
    fixture.exif?.fields.reverse()
    fixture.exif?.add(.exif, 0x927c, .raw(type: 7, count: 40, Array(repeating: 0xff, count: 40)))
    fixture.exif?.add(.exif, 0x927c, .entry(type: 7, count: 0xffff_ffff, field: 8))
    #expect(try metadata(fixture) == expected)
  }

  @Test func `of two fields with one number the later counts`() throws {
    let metadata = try metadata {
      $0.add(.image, 0x010f, "Canon")
      $0.add(.image, 0x010f, "Nikon")
      // Not readable: the one before stays.
      $0.add(.image, 0x010f, .entry(type: 2, count: 100, field: 0xffff_fff0))
    }
    #expect(metadata.device?.make == "Nikon")
  }

  /// More of them than are kept in memory.
  @Test func `of countless values of one tag the last counts, and no other is lost`() throws {
    let photo = try #require(fullPhoto().exif)
    let expected = try metadata(HEIFFixture(exif: photo))
    var fixture = photo
    let models = (0..<300).map { _ in String(repeating: "x", count: 1000) } + ["Canon EOS R5"]
    for model in models { fixture.add(.image, 0x0110, model) }
    #expect(try metadata(HEIFFixture(exif: fixture)) == expected)
  }

  @Test func `Exif tags in the first directory count where the Exif directory has none`() throws {
    let metadata = try metadata {
      $0.add(.image, 0x9003, "2001:01:01 01:01:01")
      $0.add(.image, 0xa434, "Lens")
      $0.add(.exif, 0x9003, "2024:05:01 13:45:10")
    }
    #expect(metadata.time.dateTimeOriginal == "2024:05:01 13:45:10")
    #expect(metadata.exposure?.lens == "Lens")
  }

  @Test func `a value that is not all there is absent`() throws {
    for (type, count, field) in [
      (2, 20, 0xffff_ff00), (2, 0xffff_ffff, 8), (2, 0, 8), (0, 20, 8), (14, 20, 8),
      (5, 1 << 30, 8),
    ] as [(UInt16, UInt32, UInt32)] {
      let metadata = try metadata {
        $0.add(.image, 0x0110, "Model")
        $0.add(.exif, 0x9003, .entry(type: type, count: count, field: field))
        $0.add(.exif, 0x9004, "2024:05:01 13:45:10")
      }
      #expect(metadata.time.dateTimeOriginal == nil)
      #expect(metadata.time.dateTimeDigitized == "2024:05:01 13:45:10")
      #expect(metadata.device?.model == "Model")
    }
  }

  @Test func `directories that lead to each other or nowhere end`() throws {
    for pointer in [0, 1, 8, 0x7fff_ffff, 0xffff_ffff] as [UInt32] {
      let metadata = try metadata {
        $0.add(.image, 0x010f, "Canon")
        $0.add(.image, 0x8769, .entry(type: 4, count: 1, field: pointer))
        $0.add(.image, 0x8825, .entry(type: 4, count: 1, field: pointer))
      }
      #expect(metadata.device?.make == "Canon")
      #expect(metadata.time.isEmpty && metadata.position == nil)
    }
  }

  /// Four directories of 2048 entries, each of which names three of them and thirteen times what is
  /// none: of 131,072 numbers four are worth a look.
  @Test func `directories that are named countless times take no long time`() throws {
    let (entries, size) = (2048, 6 + 12 * 2048)
    let starts = (0..<4).map { 8 + $0 * size }
    var writer = ByteWriter(isBigEndian: false)
    writer.bytes += Array("II".utf8)
    writer.short(42)
    writer.long(8)
    for _ in starts {
      writer.short(UInt16(entries))
      for _ in 0..<entries {
        writer.short(0x014a)
        writer.short(4)
        for number in [16, 8 + 4 * size] { writer.long(UInt32(number)) }
      }
      writer.long(0)
    }
    let names = starts.dropFirst() + Array(repeating: 1, count: 13)
    for name in names { writer.long(UInt32(name)) }
    let start = processorSeconds()
    #expect(try whole(writer.bytes, named: "tif").mediaType == "image/tiff")
    #expect(processorSeconds() - start < 1)
  }

  @Test func `a directory with more entries than there is room for is none`() throws {
    var tiff = fullPhoto().exif?.bytes ?? []
    tiff[8] = 0xff
    tiff[9] = 0xff
    var fixture = JPEGFixture()
    fixture.before = [JPEGFixture.exifSegment(tiff)]
    #expect(try metadata(fixture).device == nil)
  }
}

/// What this thread has used of a processor, however busy that is otherwise.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
