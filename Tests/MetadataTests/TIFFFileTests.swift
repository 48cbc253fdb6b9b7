import Metadata
import Model
import TestSupport
import Testing

/// Directories anywhere in a file, whole, cut off, or leading nowhere.
struct TIFFFileTests {
  @Test(arguments: [0, 1, 8, 0x7fff_ffff, 0xffff_ffff] as [UInt32])
  func `directories that lead to each other or nowhere end`(pointer: UInt32) throws {
    for isBig in [false, true] {
      var tiff = TIFFFixture()
      tiff.isBig = isBig
      tiff.add(.image, 0x0110, "Model")
      for tag in [0x014a, 0x8769, 0x8825] as [UInt16] {
        tiff.add(.image, tag, .entry(type: 4, count: 1, field: pointer))
      }
      let said = try said(tiff.bytes)
      #expect(said.device?.model == "Model")
      #expect(said.time.isEmpty && said.position == nil && said.width == nil)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `pages without end and directories of junk end`() throws {
    // Each page is a directory of one entry, and the last leads to the first.
    let pages = 5000
    var writer = ByteWriter(isBigEndian: false)
    writer.bytes += Array("II".utf8)
    writer.short(42)
    writer.long(8)
    for page in 0..<pages {
      writer.short(1)
      writer.short(0x014a)
      writer.short(4)
      writer.long(1000)
      writer.long(8)
      writer.long(UInt32(8 + (page + 1) % pages * 18))
    }
    #expect(try said(writer.bytes).width == nil)
    // A directory full of values that stand far from each other.
    var junk = TIFFFixture()
    for index in 0..<2000 as Range<UInt32> {
      junk.add(.image, 0x010f, .entry(type: 2, count: 20, field: 50_000 + index * 7000))
    }
    _ = try read(junk.bytes + Array(repeating: 0x41, count: 16 << 20), named: "tif")
  }

  @Test func `the largest picture counts, and none where its directory may be cut off`() throws {
    var tiff = fullTIFF(size: [(0x100, .short([160])), (0x101, .short([120]))])
    tiff.add(.picture, 0x100, .short([640]))
    tiff.add(.picture, 0x101, .short([480]))
    tiff.add(.thumbnail, 0x100, .short([640]))
    tiff.add(.thumbnail, 0x101, .short([100]))
    #expect(try said(tiff.bytes).width == 640)
    #expect(try said(tiff.bytes).height == 480)
    // The last directory, and so the best size, may be in what is not there.
    let cut = try said(tiff.bytes.dropLast(20))
    #expect(cut.width == nil && cut.height == nil)
    #expect(cut.time.dateTimeOriginal == "2024:05:01 13:45:10")
  }

  /// What is sure although other things are lost.
  @Test(
    arguments: [
      // The Exif directory, which may hold better dates; a date; an offset; the position.
      (0x8769, .image, 4, 1), (0x9003, .exif, 2, 20), (0x9012, .exif, 2, 7), (0x8825, .image, 4, 1),
      (0x0002, .gps, 5, 3),
    ] as [(UInt16, TIFFFixture.Directory, UInt16, UInt32)])
  func `no other date counts where a better one may be lost`(
    tag: UInt16, directory: TIFFFixture.Directory, type: UInt16, count: UInt32
  ) throws {
    var tiff = fullTIFF()
    tiff.fields.removeAll { $0.tag == tag && $0.directory == directory }
    if tag == 0x8769 { tiff.fields.removeAll { $0.directory == .exif } }
    if tag == 0x8825 { tiff.fields.removeAll { $0.directory == .gps } }
    tiff.add(directory, tag, .entry(type: type, count: count, field: 1_000_000))
    guard case .truncated(let sure) = try read(tiff.bytes, named: "tif") else {
      Issue.record("not called truncated")
      return
    }
    #expect(sure.device?.model == "Canon EOS R5")
    #expect(sure.orientation == 6)
    #expect(sure.width == 640)
    #expect(sure.time.isEmpty)
    #expect((sure.position == nil) == (tag == 0x8825 || directory == .gps))
  }

  @Test func `a value that nobody needs may be lost`() throws {
    var tiff = fullTIFF()
    let expected = try said(tiff.bytes)
    tiff.add(.image, 0x0131, .entry(type: 2, count: 100, field: 1_000_000))
    tiff.add(.exif, 0x927c, .entry(type: 7, count: 100, field: 1_000_000))
    #expect(try read(tiff.bytes, named: "tif") == .metadata(expected))
  }
}

private func said(_ bytes: some Sequence<UInt8>) throws -> PhotoMetadata {
  switch try read(Array(bytes), named: "tif") {
  case .metadata(let metadata), .truncated(let metadata): metadata
  }
}
