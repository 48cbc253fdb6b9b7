import Glibc
import Linux
import Metadata
import Model
import TestSupport
import Testing

/// Ratings, words, times and positions from XMP.
struct XMPTests {
  @Test func `properties are attributes or elements, and lists of any kind`() throws {
    for packet in [
      packet(attributes: #"xmp:Rating="4""#, list("dc:subject", "Bag", ["제주", "sea", "sea", " "])),
      packet("<xmp:Rating> 4.0 </xmp:Rating>", list("dc:subject", "Seq", ["제주", "sea"])),
    ] {
      let words = try #require(try said(packet).words)
      #expect(words.rating == 4)
      #expect(words.keywords == [Words.Keyword("제주", .xmp), Words.Keyword("sea", .xmp)])
    }
    let other = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><other/></x:xmpmeta>"#
    #expect(try said(other).words == nil)
  }

  @Test(
    arguments: [
      ("-1", -1), ("0", 0), ("5", 5), ("3.9", 3), ("6", nil), ("-2", nil), ("nan", nil), ("", nil),
      ("***", nil),
    ] as [(String, Int?)])
  func `a rating is from -1 to 5`(text: String, rating: Int?) throws {
    #expect(try said(packet("<xmp:Rating>\(text)</xmp:Rating>")).words?.rating == rating)
  }

  @Test func `titles and captions are in languages, and keep their lines`() throws {
    let words = try said(
      packet(
        """
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Sea</rdf:li>
        <rdf:li xml:lang="ko">바다</rdf:li><rdf:li xml:lang="ko">다시</rdf:li></rdf:Alt></dc:title>
        <dc:description> one&#13;&#10;two &lt;3&gt; </dc:description>
        """)
    ).words
    #expect(
      words?.texts == [
        Words.Text(.title, language: "x-default", "Sea", .xmp),
        Words.Text(.title, language: "ko", "바다", .xmp),
        Words.Text(.caption, language: "x-default", "one\ntwo <3>", .xmp),
      ])
  }

  @Test func `a time counts where EXIF has none, the best first`() throws {
    let dates = """
      <xmp:CreateDate>2024-05-03T00:00:00Z</xmp:CreateDate>
      <photoshop:DateCreated>2024-05-02T10:00:00</photoshop:DateCreated>
      """
    let plain = try said(packet(dates))
    #expect(plain.time.xmpDate == "2024-05-02T10:00:00")
    let best = try said(
      packet(dates, "<exif:DateTimeOriginal>2024-05-01T13:45:10.25+09:00</exif:DateTimeOriginal>"))
    let taken = try #require(resolved(best))
    #expect(taken.source.description == "xmp+offset")
    #expect(taken.local.description == "2024-05-01T13:45:10.25")
    #expect(taken.utc == 1_714_538_710)
    #expect(try said(packet("<xmp:CreateDate>soon</xmp:CreateDate>")).time.xmpDate == nil)
    var exif = TIFFFixture()
    exif.add(.image, 0x0132, "2020:01:01 00:00:00")
    let both = try said(packet(dates), exif)
    #expect(resolved(both)?.source.description == "modified")
  }

  @Test(
    arguments: [
      ("37,35.316N", "127,0.408E", 37.5886, 127.0068),
      ("37,35,18.96S", "127,0,24.48W", -37.5886, -127.0068),
      ("37.5886N", "127.0068 E", 37.5886, 127.0068), ("0,0N", "0,0E", nil, nil),
      ("37,35.316", "127,0.408E", nil, nil), ("91,0N", "127,0.408E", nil, nil),
      ("37,35,1,2N", "127,0.408E", nil, nil), ("-37,35.316N", "127,0.408E", nil, nil),
      ("N", "E", nil, nil),
    ] as [(String, String, Double?, Double?)])
  func `a position counts where EXIF has none`(
    latitude: String, longitude: String, north: Double?, east: Double?
  ) throws {
    let place = """
      <exif:GPSLatitude>\(latitude)</exif:GPSLatitude><exif:GPSLongitude>\(longitude)</exif:GPSLongitude>
      <exif:GPSAltitude>1205/10</exif:GPSAltitude><exif:GPSAltitudeRef>1</exif:GPSAltitudeRef>
      """
    let metadata = try said(packet(place))
    #expect((metadata.position == nil) == (north == nil))
    if let position = metadata.position, let north, let east {
      #expect(abs(position.latitude - north) < 1e-9 && abs(position.longitude - east) < 1e-9)
      #expect(metadata.altitude == -120.5)
      #expect(metadata.positionSource == .xmp)
    }
    let full = try said(packet(place), fullPhoto().exif)
    #expect(full.positionSource == .exif && full.altitude == 120.5)
  }

  @Test func `UTF-16 and NULs at the end are read`() throws {
    let text = packet("<xmp:Rating>3</xmp:Rating>")
    let wide = text.utf16.reduce(into: [UInt8]([0xff, 0xfe])) {
      $0 += [UInt8($1 & 0xff), UInt8($1 >> 8)]
    }
    #expect(try said(bytes: wide).words?.rating == 3)
    #expect(try said(bytes: Array(text.utf8) + [0, 0, 0]).words?.rating == 3)
  }

  @Test(.timeLimit(.minutes(1)))
  func `hostile packets say nothing`() throws {
    let rating = "<xmp:Rating>3</xmp:Rating>"
    let bomb = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>"#
    let deep = String(repeating: "<a>", count: 1000) + String(repeating: "</a>", count: 1000)
    for text in [
      "", "x", "<", "<a>", bomb + packet(rating), packet(rating, deep), packet(rating, "<a>"),
      packet(rating) + "<a/>", packet("<b:c/>", rating),
    ] {
      #expect(try said(text).words == nil)
    }
    // More elements than any photo has.
    for (count, isRead) in [(1000, true), (60_000, false)] {
      let wide = packet(rating, String(repeating: "<a/>", count: count))
      #expect((try said(inPNG: wide).words != nil) == isRead)
    }
  }

  /// A name of one letter stands for all of its namespace.
  @Test func `namespaces do not make a packet many times larger`() throws {
    let rating = "<xmp:Rating>3</xmp:Rating>"
    func spaced(_ length: Int, _ content: String) -> String {
      let space = String(repeating: "n", count: length)
      return packet(rating, "<a xmlns:n=\"\(space)\" xmlns=\"\(space)\">\(content)</a>")
    }
    for (length, count, isRead) in [
      (256, 1, true), (257, 1, false), (200, 19_000, true), (200, 21_000, false),
    ] {
      // With the blank and the letter 4 MiB are 20,763 names of 202 bytes.
      let elements = String(repeating: "<a/>", count: count)
      #expect((try said(inPNG: spaced(length, elements)).words != nil) == isRead)
      let attributes = (0..<count).map { "n:a\($0)=''" }.joined(separator: " ")
      let element = spaced(length, "<a \(attributes)/>")
      #expect((try said(inPNG: element).words != nil) == isRead)
    }
  }

  @Test func `prefixes are those of the elements around a name`() throws {
    let other = "<a xmlns:xmp='other'><xmp:Rating>1</xmp:Rating></a>"
    #expect(try said(packet(other, "<xmp:Rating>3</xmp:Rating>")).words?.rating == 3)
    let renamed = "<x:Rating xmlns:x='http://ns.adobe.com/xap/1.0/'>3</x:Rating>"
    #expect(try said(packet(renamed)).words?.rating == 3)
    let plain = "<Rating xmlns='http://ns.adobe.com/xap/1.0/'>3</Rating>"
    #expect(try said(packet(plain)).words?.rating == 3)
    // An attribute without a prefix is in no namespace, and this element in none any more.
    #expect(try said(packet(attributes: "Rating='3'")).words == nil)
    let taken = "<a xmlns='http://ns.adobe.com/xap/1.0/'/><Rating>3</Rating>"
    #expect(try said(packet(taken)).words == nil)
    for broken in [
      "<b:c:d xmlns:b='b'/>", "<a xmlns:b=''/>", "<a b='' b=''/>", "<a xmlns:b='c'/><b:d/>",
      "<a xmlns:b='e' xmlns:c='e' b:d='' c:d=''/>", "<a c:d=''/>",
    ] {
      #expect(try said(packet(broken, "<xmp:Rating>3</xmp:Rating>")).words == nil, "\(broken)")
    }
  }

  @Test(arguments: 0..<10)
  func `no damage traps or hangs`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = Array(packet(attributes: #"xmp:Rating="4""#, list("dc:subject", "Bag", ["a"])).utf8)
    for _ in 0..<100 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = bytes.indices.randomElement(using: &random) ?? 0
        bytes[index] = .random(in: 0...255, using: &random)
      }
      let rating = try said(bytes: bytes).words?.rating
      #expect(rating.map { (-1...5).contains($0) } != false, "seed \(seed)")
    }
  }
}

/// What other programs write is read from every container that can hold it.
struct WordsTests {
  @Test(
    .enabled(if: access("/usr/bin/exiftool", X_OK) == 0),
    arguments: ["jpg", "png", "webp", "tif", "dng"])
  func `what exiftool writes is read`(suffix: String) throws {
    let directory = try TemporaryDirectory()
    var dng = fullTIFF()
    dng.add(.image, 0xc612, .byte([1, 4, 0, 0]))
    let webp = WebPFixture([WebPFixture.lossy(64, 48)])
    let files = [
      "jpg": fullPhoto().bytes, "png": PNGFixture().bytes, "webp": webp.bytes,
      "tif": fullTIFF().bytes, "dng": dng.bytes,
    ]
    try directory.write("photo.\(suffix)", try #require(files[suffix]))
    let hasIPTC = suffix != "webp"
    try run(
      [
        "/usr/bin/exiftool", "-q", "-overwrite_original", "-XMP:Rating=-1", "-XMP:Subject=제주",
        "-XMP:Subject=sea", "-XMP:Title=Title", "-XMP:Description-ko=설명",
      ] + (hasIPTC ? ["-IPTC:Keywords=sea", "-IPTC:ObjectName=Name"] : [])
        + [directory.path + "/photo.\(suffix)"])
    guard case .metadata(let said) = try read(directory.read("photo.\(suffix)"), named: suffix)
    else {
      Issue.record("called truncated")
      return
    }
    let words = try #require(said.words)
    #expect(words.rating == -1)
    let iptc = hasIPTC ? [Words.Keyword("sea", .iptc)] : []
    #expect(words.keywords == [Words.Keyword("제주", .xmp), Words.Keyword("sea", .xmp)] + iptc)
    let name = hasIPTC ? [Words.Text(.title, language: "x-default", "Name", .iptc)] : []
    #expect(
      words.texts == [
        Words.Text(.title, language: "x-default", "Title", .xmp),
        Words.Text(.caption, language: "ko", "설명", .xmp),
      ] + name)
  }

  @Test func `profiles in the text of a PNG are read`() throws {
    let packet = Array(packet("<xmp:Rating>2</xmp:Rating>").utf8)
    let header = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let sets: [UInt8] = [0x1c, 2, 25, 0, 3] + Array("sea".utf8)
    let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(sets.count)] + sets
    for (kind, bytes) in [("xmp", packet), ("APP1", header + packet)] {
      for iptc in [sets, resource] {
        var png = PNGFixture()
        png.before = [
          profile(kind, bytes), profile("iptc", iptc),
          PNGFixture.chunk("eXIf", fullPhoto().exif?.bytes ?? []),
        ]
        guard case .metadata(let said) = try read(png.bytes, named: "png") else {
          Issue.record("called truncated")
          return
        }
        #expect(said.words?.rating == 2)
        #expect(said.words?.keywords == [Words.Keyword("sea", .iptc)])
        #expect(said.device?.make == "Canon")
      }
    }
  }

  @Test(arguments: [(7, true), (8, false)])
  func `of a PNG's texts with metadata the first eight are looked at`(
    count: Int, isRead: Bool
  ) throws {
    let good = profile("xmp", Array(packet("<xmp:Rating>2</xmp:Rating>").utf8))
    let keyword = Array("Raw profile type APP1\0".utf8)
    for bad in [
      PNGFixture.chunk("zTXt", keyword + [0, 1, 2, 3]),
      PNGFixture.chunk("tEXt", keyword + Array("\nAPP1\n4000\n00".utf8)),
    ] {
      var png = PNGFixture()
      // Other texts do not count.
      let comments = Array(repeating: PNGFixture.chunk("tEXt", Array("Comment\0a".utf8)), count: 20)
      png.before = comments + Array(repeating: bad, count: count) + [good]
      #expect(try whole(png.bytes, named: "png").words?.rating == (isRead ? 2 : nil))
    }
  }

  private func profile(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
    PNGFixture.chunk(
      "tEXt", Array("Raw profile type \(kind)\0".utf8) + PNGFixture.profile(kind, bytes))
  }
}

/// Words and times from IPTC.
struct IPTCTests {
  @Test func `text is UTF-8 if it says so or can be, else that of Windows`() throws {
    let euro = set(2, 25, [0x80, 0x20, 0xe9])
    #expect(try said(euro).words?.keywords == [Words.Keyword("€ é", .iptc)])
    let valid = set(2, 25, Array("é".utf8))
    #expect(try said(valid).words?.keywords == [Words.Keyword("é", .iptc)])
    let marked = set(1, 90, [0x1b, 0x25, 0x47]) + set(2, 25, [0x61, 0xff])
    #expect(try said(marked).words?.keywords == [Words.Keyword("a\u{fffd}", .iptc)])
  }

  @Test(
    arguments: [
      ("20240501", "134510+0900", "2024-05-01T13:45:10", "iptc+offset"),
      ("20240501", "134510", "2024-05-01T13:45:10", "iptc"),
      ("20240501", "", "2024-05-01T00:00:00", "iptc"), ("20240000", "", nil, nil),
      ("00000000", "000000+0000", nil, nil), ("2024", "134510", nil, nil),
    ] as [(String, String, String?, String?)])
  func `a date counts where nothing else has one`(
    day: String, time: String, local: String?, source: String?
  ) throws {
    let sets = set(2, 55, Array(day.utf8)) + set(2, 60, Array(time.utf8))
    let taken = resolved(try said(sets))
    #expect(taken?.local.description == local)
    #expect(taken?.source.description == source)
  }

  @Test func `data sets that are cut or too long end the reading`() throws {
    let good = set(2, 25, Array("sea".utf8))
    for rest in [[0x1c], [0x1c, 2, 25, 0, 9, 1], [0x1c, 2, 25, 0x80, 4, 0, 0, 0, 1], [1, 2, 3]]
      as [[UInt8]]
    {
      #expect(try said(good + rest).words?.keywords == [Words.Keyword("sea", .iptc)])
    }
  }

  @Test func `other segments of Adobe's do not hide the data sets`() throws {
    for other in ["Adobe_CM\0", "Photoshop 3", ""] {
      let segment = JPEGFixture.segment(0xed, Array(other.utf8))
      let words = try said(set(2, 25, Array("sea".utf8)), behind: segment).words
      #expect(words?.keywords == [Words.Keyword("sea", .iptc)])
    }
  }

  private func set(_ record: UInt8, _ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0x1c, record, number, 0, UInt8(bytes.count)] + bytes
  }

  private func said(_ sets: [UInt8], behind other: [UInt8] = []) throws -> PhotoMetadata {
    var fixture = JPEGFixture()
    let length = [UInt8(sets.count >> 8), UInt8(sets.count & 0xff)]
    let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0] + length + sets
    fixture.before = [
      other, JPEGFixture.segment(0xed, Array("Photoshop 3.0\0".utf8) + resource),
    ]
    return try metadata(fixture)
  }
}

private func resolved(_ metadata: PhotoMetadata) -> TakenTime? {
  TakenTime.resolve(
    metadata.time, modified: Timestamp(nanoseconds: .max), placeZone: nil, configuredZone: nil,
    zones: .system)
}

private func packet(attributes: String = "", _ properties: String...) -> String {
  """
  <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
  <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
   xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
   xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
  <rdf:Description rdf:about=""/><rdf:Description rdf:about="" \(attributes)>
  \(properties.joined())</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>
  """
}

private func list(_ name: String, _ kind: String, _ items: [String]) -> String {
  let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
  return "<\(name)><rdf:\(kind)>\(items)</rdf:\(kind)></\(name)>"
}

private func said(_ packet: String, _ exif: TIFFFixture? = nil) throws -> PhotoMetadata {
  try said(bytes: Array(packet.utf8), exif)
}

private func said(inPNG packet: String) throws -> PhotoMetadata {
  var png = PNGFixture()
  png.after = [
    PNGFixture.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array(packet.utf8))
  ]
  return try whole(png.bytes, named: "png")
}

private func said(bytes: [UInt8], _ exif: TIFFFixture? = nil) throws -> PhotoMetadata {
  var fixture = JPEGFixture(exif: exif)
  fixture.after = [
    JPEGFixture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + bytes)
  ]
  return try metadata(fixture)
}
