import Linux
import Metadata
import Model
import Places
import TestSupport

@testable import Decoding

/// What is tried with made-up bytes.
enum FuzzTarget: String, CaseIterable, Sendable {
  case jpeg, png, webp, bitmap, heif, jpegxl, jpeg2000, movie, tiff, cr2, cr3, raf, mrw, x3f
  case exif, xmp, iptc
  case sidecar, takeout
  case geojson
  case answer

  /// Files, or parts of one, that the trial begins with.
  var seeds: [[UInt8]] {
    let tiff = fullPhoto().exif ?? TIFFFixture()
    switch self {
    case .jpeg: return [fullPhoto().bytes, fullPhoto(isBigEndian: true).bytes, JPEGFixture().bytes]
    case .png: return fixtures("image/png", "image/apng")
    case .webp: return fixtures("image/webp")
    case .bitmap:
      return [
        latin("GIF89a") + [0x80, 2, 0xe0, 1, 0, 0, 0],
        latin("BM") + [UInt8](repeating: 0, count: 12) + [
          40, 0, 0, 0, 0x80, 2, 0, 0, 0xe0, 1, 0, 0,
        ],
      ]
    case .heif:
      return (0...2).map { construction in
        var fixture = HEIFFixture(exif: tiff)
        fixture.construction = construction
        fixture.isGrid = construction == 0
        return fixture.bytes
      }
    case .jpegxl:
      let picture = codestream(width: 1000, height: 600)
      return [
        jpegXL + box("Exif", big(0, 4), tiff.bytes) + box("jxlc", picture), picture,
        jpegXL + box("brob", latin("Exif"), [0x0f, 0, 0x80] + tiff.bytes) + box("jxlp", picture),
      ]
    case .jpeg2000: return [TestSupport.jpeg2000 + box("jp2c", [0xff, 0x4f, 0xff, 0x51])]
    case .movie: return movies
    case .tiff:
      return ContainerFixture.all.filter {
        ["tif", "nef", "rw2", "orf", "iiq"].contains($0.suffix)
      }
      .map(\.bytes)
    case .cr2: return fixtures("image/x-canon-cr2")
    case .cr3: return [canonRaw(tiff)]
    case .raf: return fixtures("image/x-fujifilm-raf")
    case .mrw: return fixtures("image/x-minolta-mrw")
    case .x3f: return fixtures("image/x-sigma-x3f")
    case .exif: return [tiff.bytes, (fullPhoto(isBigEndian: true).exif ?? tiff).bytes]
    case .xmp: return [latin(xmpSeed)]
    case .iptc: return [iptcSeed]
    case .sidecar: return [latin(xmpSeed), xmpSidecar(attributes: #"xmp:Label="Red""#)]
    case .takeout:
      return [
        takeoutFile(taken: 1_527_847_200, latitude: 48.5, longitude: 2.25, description: "Below")
      ]
    case .geojson:
      return worldFeatures.values.map { Array(collection($0).utf8) }
    case .answer: return answerSeeds
    }
  }

  private var movies: [[UInt8]] {
    var movie = MovieFixture()
    movie.created = 3_797_416_800
    movie.addKey("com.apple.quicktime.creationdate", "2024-05-01T13:45:10+0900")
    movie.addKey("com.apple.quicktime.location.ISO6709", "+37.5886+127.0068+120.5/")
    movie.addUserText("\u{a9}xyz", "+37.5886+127.0068/")
    var long = movie
    (long.brand, long.version, long.isDataFirst) = ("mp42", 1, true)
    return [movie.bytes, long.bytes]
  }

  private func fixtures(_ mediaTypes: String...) -> [[UInt8]] {
    ContainerFixture.all.filter { mediaTypes.contains($0.mediaType) }.map(\.bytes)
  }

  /// The file that is made of the bytes; nil where they are none.
  private func file(_ bytes: [UInt8]) -> [UInt8]? {
    // A segment has room for so many.
    let payload = Array(bytes.prefix(65_000))
    let segment: [UInt8]
    switch self {
    case .exif: segment = JPEGFixture.segment(0xe1, latin("Exif\0\0") + payload)
    case .xmp:
      segment = JPEGFixture.segment(0xe1, latin("http://ns.adobe.com/xap/1.0/\0") + payload)
    case .iptc:
      // Photoshop's resource 0x0404, with an empty name and its size before it.
      let resource = latin("8BIM") + [4, 4, 0, 0] + big(payload.count, 4) + payload
      segment = JPEGFixture.segment(0xed, latin("Photoshop 3.0\0") + resource)
    case .sidecar, .takeout, .geojson, .answer: return nil
    default: return bytes
    }
    let plain = JPEGFixture().bytes
    return plain[..<2] + segment + plain[2...]
  }

  /// Returns false when the bytes are not of this target's kind, and lead nowhere.
  func run(_ bytes: [UInt8], _ work: inout FileWork, _ scratch: ScratchFile) throws -> Bool {
    if let file = file(bytes) { return try decode(file, &work, scratch) }
    switch self {
    case .geojson: _ = try? FeatureCollection(bytes, file: "fuzz.geojson")
    case .sidecar: return try read(bytes, .xmp, &work, scratch)
    case .takeout: return try read(bytes, .takeout, &work, scratch)
    default: believe(bytes)
    }
    return true
  }

  private func believe(_ bytes: [UInt8]) {
    guard let found = answers(in: bytes, count: 1) else { return }
    // What is believed can be told again, and is the same.
    guard answers(in: coded(found[0]), count: 1) == found else {
      fatalError("an answer is not read back as it was: \(found)")
    }
    switch found[0] {
    case .metadata(let reading): _ = resolve(reading)
    case .sidecar(.values(let values)): take(values)
    case .sidecar(.unreadable), .digests, .failed: break
    }
  }

  private func read(
    _ bytes: [UInt8], _ kind: Sidecar.Kind, _ work: inout FileWork, _ scratch: ScratchFile
  ) throws -> Bool {
    try scratch.write(bytes)
    let file = try OpenFile(absolutePath: scratch.path)
    let finding = try work.sidecar(of: file, kind: kind.rawValue)
    let answer = DecoderAnswer.sidecar(finding)
    guard answers(in: coded(answer), count: 1) == [answer] else {
      fatalError("a finding is refused behind the wall: \(answer)")
    }
    guard case .values(let values) = finding else { return false }
    take(values)
    return true
  }

  /// What this side of the wall makes of what a sidecar says.
  private func take(_ values: SidecarValues) {
    guard values.text != nil else { fatalError("this is no JSON: \(values)") }
    var metadata = PhotoMetadata(mediaType: "image/jpeg")
    metadata.fill(from: values)
    _ = resolve(.metadata(metadata))
  }

  private func decode(
    _ bytes: [UInt8], _ work: inout FileWork, _ scratch: ScratchFile
  ) throws -> Bool {
    try scratch.write(bytes)
    let file = try OpenFile(absolutePath: scratch.path)
    let reading = try work.metadata(of: file, suffix: suffix)
    let digests = try work.digests(of: file) {}
    for answer in [DecoderAnswer.metadata(reading), .digests(digests)] {
      guard answers(in: coded(answer), count: 1) == [answer] else {
        fatalError("a reading is refused behind the wall: \(answer)")
      }
    }
    return resolve(reading).mediaType != nil
  }

  /// What this side of the wall makes of it.
  private func resolve(_ reading: MetadataReading) -> PhotoMetadata {
    switch reading {
    case .metadata(let metadata), .truncated(let metadata):
      _ = TakenTime.resolve(
        metadata.time, modified: Timestamp(nanoseconds: 0), placeZone: "Asia/Seoul",
        configuredZone: nil, zones: .system)
      return metadata
    }
  }

  private func coded(_ answer: DecoderAnswer) -> [UInt8] {
    var (writer, copy) = (FieldWriter(), answer)
    DecoderAnswer.code(&copy, &writer)
    return writer.bytes
  }

  private var suffix: String {
    switch self {
    case .tiff: "nef"
    case .movie: "mov"
    default: "jpg"
    }
  }

  private var answerSeeds: [[UInt8]] {
    var metadata = PhotoMetadata(mediaType: "image/jpeg")
    metadata.device = DeviceIdentity(make: "Canon", model: "EOS R5", serial: nil)
    metadata.position = Coordinate(latitude: 37.5, longitude: 127)
    metadata.words = Words()
    metadata.words?.keywords = [Words.Keyword("sea", .xmp)]
    var (sidecar, takeout) = (XMPSidecar(), TakeoutFile())
    sidecar.original = "2024-05-01T13:45:10"
    (sidecar.latitude, sidecar.longitude, sidecar.rating) = (37.5, 127, 4)
    sidecar.keywords = ["sea"]
    sidecar.title = ["x-default": "Home", "ko": "x"]
    (takeout.taken, takeout.caption) = ("2024-05-01T04:45:10Z", "Below")
    return [
      .metadata(.metadata(metadata)), .sidecar(.values(.xmp(sidecar))),
      .sidecar(.values(.takeout(takeout))), .sidecar(.unreadable(.noXMP)),
    ].map { coded($0) }
  }
}

private let xmpSeed = """
  <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="4" exif:GPSLatitude="37,35.316N"
  exif:GPSLongitude="127,0.408E" exif:GPSAltitude="1205/10" xmp:CreateDate="2024-05-01T13:45:10+09:00">
  <dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>
  <dc:title><rdf:Alt><rdf:li xml:lang="ko">x</rdf:li></rdf:Alt></dc:title>
  </rdf:Description></rdf:RDF></x:xmpmeta>
  """

/// IIM: a character set, a title, a keyword, a date and a time.
private let iptcSeed: [UInt8] = {
  let sets: [(record: UInt8, number: UInt8, text: String)] = [
    (1, 90, "\u{1b}%G"), (2, 5, "title"), (2, 25, "sea"), (2, 55, "20240501"),
    (2, 60, "134510+0900"), (2, 120, "caption"),
  ]
  var bytes: [UInt8] = []
  for set in sets {
    bytes += [0x1c, set.record, set.number]
    bytes += big(set.text.utf8.count, 2)
    bytes += Array(set.text.utf8)
  }
  return bytes
}()
