/// A file of some type that says all that `fullPhoto` says.
package struct ContainerFixture: Sendable {
  package let name: String
  package let suffix: String
  package let mediaType: String
  package let bytes: [UInt8]
  package var width = 640
  package var height = 480

  package init(_ name: String, suffix: String, _ mediaType: String, _ bytes: [UInt8]) {
    self.name = name
    self.suffix = suffix
    self.mediaType = mediaType
    self.bytes = bytes
  }

  package static let all = tiffs + raws + chunked
}

/// The tags of `fullPhoto` with a size, or with the fields of the maker in its place.
package func fullTIFF(
  isBigEndian: Bool = false,
  size: [(UInt16, TIFFFixture.Value)] = [
    (0x100, .short([640])), (0x101, .long([480])),
  ]
) -> TIFFFixture {
  var tiff = fullPhoto(isBigEndian: isBigEndian).exif ?? TIFFFixture()
  for (tag, value) in size { tiff.add(.image, tag, value) }
  return tiff
}

private let tiffs: [ContainerFixture] = {
  var fixtures: [ContainerFixture] = []
  for isBigEndian in [false, true] {
    let order = isBigEndian ? "big-endian" : "little-endian"
    var tiff = fullTIFF(isBigEndian: isBigEndian)
    fixtures.append(ContainerFixture("\(order) TIFF", suffix: "tif", "image/tiff", tiff.bytes))
    tiff.isBig = true
    fixtures.append(
      ContainerFixture("\(order) BigTIFF", suffix: "tif", "image/x-tiff-big", tiff.bytes))
    let extended = fullTIFF(
      isBigEndian: isBigEndian, size: [(0xbc80, .long([640])), (0xbc81, .long([480]))])
    guard !isBigEndian else { continue }
    var photo = extended
    photo.magic = 0x01bc
    fixtures.append(ContainerFixture("JPEG XR", suffix: "jxr", "image/jxr", photo.bytes))
  }
  return fixtures
}()

private let raws: [ContainerFixture] = {
  // The first directory is that of a preview.
  var nef = fullTIFF(size: [(0x100, .long([160])), (0x101, .long([120]))])
  nef.add(.picture, 0x100, .long([640]))
  nef.add(.picture, 0x101, .long([480]))
  nef.add(.thumbnail, 0x100, .long([320]))
  nef.add(.thumbnail, 0x101, .long([240]))
  var dng = nef
  dng.add(.image, 0xc612, .byte([1, 4, 0, 0]))
  // Far behind what is read at once.
  var arw = nef
  arw.gap = 200_000
  var cr2 = fullTIFF()
  cr2.preamble = Array("CR".utf8) + [2, 0, 0, 0, 0, 0]
  var rw2 = fullTIFF(size: [
    (4, .short([10])), (5, .short([20])), (6, .short([490])), (7, .short([660])),
  ])
  rw2.magic = 0x55
  rw2.preamble = [
    0x88, 0xe7, 0x74, 0xd8, 0xf8, 0x25, 0x1d, 0x4d, 0x94, 0x7a, 0x6e, 0x77, 0x82, 0x2b, 0x5d, 0x6a,
  ]
  var orf = fullTIFF()
  orf.magic = 0x4f52
  var bigORF = fullTIFF(isBigEndian: true)
  bigORF.magic = 0x4f52
  return [
    ContainerFixture("NEF", suffix: "nef", "image/x-nikon-nef", nef.bytes),
    ContainerFixture("DNG", suffix: "tif", "image/x-adobe-dng", dng.bytes),
    ContainerFixture("ARW", suffix: "arw", "image/x-sony-arw", arw.bytes),
    ContainerFixture("CR2", suffix: "jpg", "image/x-canon-cr2", cr2.bytes),
    ContainerFixture("RW2", suffix: "rw2", "image/x-panasonic-rw2", rw2.bytes),
    ContainerFixture("ORF", suffix: "orf", "image/x-olympus-orf", orf.bytes),
    ContainerFixture("big-endian ORF", suffix: "orf", "image/x-olympus-orf", bigORF.bytes),
    ContainerFixture("IIQ", suffix: "iiq", "image/x-raw", phaseOne),
    ContainerFixture("RAF", suffix: "raf", "image/x-fujifilm-raf", fujifilm),
    ContainerFixture("MRW", suffix: "mrw", "image/x-minolta-mrw", minolta),
    ContainerFixture("X3F", suffix: "x3f", "image/x-sigma-x3f", sigma),
  ]
}()

private let phaseOne: [UInt8] = {
  var writer = ByteWriter(isBigEndian: false)
  writer.bytes += Array("IIIITwaR".utf8)
  writer.long(12)
  writer.long(3)
  writer.long(0)
  for (number, value) in [(0x108, 700), (0x10c, 640), (0x10d, 480)] as [(UInt32, UInt32)] {
    for field in [number, 4, 4, value] { writer.long(field) }
  }
  var tiff = fullTIFF(size: [(0x100, .short([9000])), (0x101, .short([9000]))])
  tiff.preamble = writer.bytes
  return tiff.bytes
}()

/// A header, the JPEG, and records, of which one gives the size of the whole sensor.
private let fujifilm: [UInt8] = {
  var jpeg = fullPhoto()
  (jpeg.width, jpeg.height) = (160, 120)
  var header = ByteWriter(isBigEndian: true)
  header.bytes += Array("FUJIFILMCCD-RAW 0201FF389501FinePix S5Pro".utf8)
  header.bytes += Array(repeating: 0, count: 84 - header.bytes.count)
  let records: [UInt8] = [
    0, 0, 0, 3, 0x01, 0x00, 0, 4, 2, 0, 3, 0, 0x01, 0x30, 0, 1, 12, 0x01, 0x11, 0, 4, 1, 0xe0, 2,
    0x80,
  ]
  let end = 112 + jpeg.bytes.count
  for number in [112, jpeg.bytes.count, end, records.count, 0, 0, 0] {
    header.long(UInt32(number))
  }
  return header.bytes + jpeg.bytes + records
}()

private let minolta: [UInt8] = {
  let tiff = fullTIFF(isBigEndian: true, size: []).bytes
  let size: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 1, 0xe0, 2, 0x80, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  var blocks = ByteWriter(isBigEndian: true)
  for (name, data) in [("\0PRD", size), ("\0TTW", tiff), ("\0PAD", [0, 0])] {
    blocks.bytes += Array(name.utf8)
    blocks.long(UInt32(data.count))
    blocks.bytes += data
  }
  var file = ByteWriter(isBigEndian: true)
  file.bytes += Array("\0MRM".utf8)
  file.long(UInt32(blocks.bytes.count))
  return file.bytes + blocks.bytes + [1, 2, 3, 4]
}()

private let sigma: [UInt8] = {
  var jpeg = fullPhoto()
  (jpeg.width, jpeg.height) = (160, 120)
  return sigma(with: [jpeg])
}()

/// The raw picture, and others in its directory.
package func sigma(with pictures: [JPEGFixture]) -> [UInt8] {
  var file = ByteWriter(isBigEndian: false)
  file.bytes += Array("FOVb".utf8)
  file.long(0x0002_0003)
  file.bytes += Array(repeating: 0, count: 20)
  for number in [640, 480, 0] as [UInt32] { file.long(number) }
  file.bytes += Array(repeating: 0, count: 64)
  var starts = [file.bytes.count]
  file.bytes += Array("SECi".utf8) + Array(repeating: 0, count: 30)
  for picture in pictures {
    starts.append(file.bytes.count)
    file.bytes += Array("SECi".utf8) + [0, 0, 2, 0, 2, 0, 0, 0, 18, 0, 0, 0]
    file.bytes += Array(repeating: 0, count: 12) + picture.bytes
  }
  let directory = file.bytes.count
  file.bytes += Array("SECd".utf8)
  file.long(0x0002_0000)
  file.long(UInt32(starts.count))
  for (start, end) in zip(starts, starts.dropFirst() + [directory]) {
    file.long(UInt32(start))
    file.long(UInt32(end - start))
    file.bytes += Array("IMA2".utf8)
  }
  file.long(UInt32(directory))
  return file.bytes
}

private let chunked: [ContainerFixture] = {
  let tiff = fullPhoto().exif?.bytes ?? []
  let exif = Array("Exif\0\0".utf8) + tiff
  let keyword = Array("Raw profile type exif\0".utf8)
  let text = PNGFixture.profile("exif", exif)
  let packed = PNGFixture.deflated(text)
  var fixtures: [ContainerFixture] = []
  for (name, chunk) in [
    ("eXIf", PNGFixture.chunk("eXIf", tiff)),
    ("eXIf with Exif", PNGFixture.chunk("eXIf", exif)),
    ("tEXt", PNGFixture.chunk("tEXt", keyword + text)),
    ("zTXt", PNGFixture.chunk("zTXt", keyword + [0] + packed)),
    ("iTXt", PNGFixture.chunk("iTXt", keyword + [0, 0, 0, 0] + text)),
    ("packed iTXt", PNGFixture.chunk("iTXt", keyword + [1, 0, 0, 0] + packed)),
    (
      "APP1",
      PNGFixture.chunk(
        "tEXt",
        Array("Raw profile type APP1\0".utf8) + PNGFixture.profile("generic profile", exif))
    ),
  ] {
    var png = PNGFixture(width: 640, height: 480)
    png.before = [chunk]
    fixtures.append(ContainerFixture("PNG with \(name)", suffix: "png", "image/png", png.bytes))
    (png.before, png.after) = (png.after, png.before)
    fixtures.append(
      ContainerFixture("PNG with \(name) at the end", suffix: "png", "image/png", png.bytes))
  }
  var animation = PNGFixture(width: 640, height: 480)
  animation.before = [PNGFixture.chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0])]
  animation.after = [PNGFixture.chunk("eXIf", tiff)]
  fixtures.append(ContainerFixture("APNG", suffix: "png", "image/apng", animation.bytes))
  for (name, picture) in [
    ("canvas", WebPFixture.canvas(640, 480) + WebPFixture.lossy(64, 48)),
    ("lossy", WebPFixture.lossy(640, 480)), ("lossless", WebPFixture.lossless(640, 480)),
  ] {
    for (kind, data) in [("bare", tiff), ("marked", exif)] {
      let webp = WebPFixture([picture, WebPFixture.chunk("EXIF", data)])
      fixtures.append(
        ContainerFixture("WebP, \(name), \(kind)", suffix: "webp", "image/webp", webp.bytes))
    }
  }
  return fixtures
}()
