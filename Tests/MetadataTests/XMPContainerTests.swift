import Glibc
import Model
import TestSupport
import Testing

/// XMP where containers other than JPEG, PNG, WebP and TIFF keep it.
struct XMPContainerTests {
  @Test func `an item of a HEIC is read, that of the picture first`() throws {
    var exif = TIFFFixture()
    exif.add(.exif, 0x9003, "2024:05:01 13:45:10")
    for hasExif in [true, false] {
      var picture = HEIFFixture(exif: hasExif ? exif : nil)
      picture.packet = packet
      let said = try whole(picture.bytes, named: "heic")
      #expect(said.words == expected)
      #expect((said.time.dateTimeOriginal != nil) == hasExif)
      picture.packetType = "text/plain"
      #expect(try whole(picture.bytes, named: "heic").words == nil)
    }
    // One that is cut off leaves the rest as it is.
    var picture = HEIFFixture(exif: exif)
    picture.packet = packet
    let bytes = Array(picture.bytes.dropLast(5))
    let cut = try whole(bytes, named: "heic")
    #expect(cut.words == nil && cut.time.dateTimeOriginal != nil)
  }

  @Test func `a box of a JPEG XL is read, before the picture or behind it`() throws {
    let exif = box("Exif", big(0, 4), TIFFFixture.raw(taken: "2024:05:01 13:45:10").bytes)
    let xmp = box("xml ", packet)
    for boxes in [
      [xmp, exif, picture], [exif, picture, xmp], [picture, xmp], [picture, xmp, exif],
    ] {
      let said = try whole(jpegXL + boxes.flatMap { $0 }, named: "jxl")
      #expect(said.words == expected && said.width == 1000)
    }
    // What is cut off behind picture and EXIF does not matter.
    let cut = (jpegXL + exif + picture + xmp).dropLast(9)
    let said = try whole(Array(cut), named: "jxl")
    #expect(said.words == nil && said.device?.make == "Canon")
  }

  @Test func `a film has it in a box of its own, or in the user data`() throws {
    var movie = MovieFixture()
    let own = box("uuid", identifier, packet)
    #expect(try whole(movie.bytes + own, named: "mov").words == expected)
    #expect(try whole(movie.bytes + own.dropLast(3), named: "mov").words == nil)
    #expect(
      try whole(movie.bytes + box("uuid", identifier.reversed(), packet), named: "mov").words == nil
    )
    movie.userData = [box("XMP_", packet)]
    #expect(try whole(movie.bytes, named: "mov").words == expected)
  }

  @Test func `the date of a film's making is not that of its taking`() throws {
    for (property, counts) in [("exif:DateTimeOriginal", true), ("xmp:CreateDate", false)] {
      var movie = MovieFixture()
      movie.created = 3_797_000_000
      let dated = xmpSidecar("<\(property)>2020-01-01T00:00:00</\(property)>")
      let said = try whole(movie.bytes + box("uuid", identifier, dated), named: "mov")
      #expect((said.time.xmpDate != nil) == counts)
    }
  }

  @Test func `what does not fit into a segment of a JPEG is put together from its parts`() throws {
    let more = xmpSidecar(xmpList("dc:subject", ["sea"]), String(repeating: " ", count: 300))
    let name = String(repeating: "0123456789ABCDEF", count: 2)
    let first = xmpSidecar(
      attributes: """
        xmp:Rating="4" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\(name)"
        """)
    let (front, back) = (Array(more.prefix(200)), Array(more.dropFirst(200)))
    let parts = [part(name, more, 0, front), part(name, more, 200, back)]
    for order in [parts, parts.reversed()] {
      let words = try said(first, order)
      #expect(words?.rating == 4 && words?.keywords == [Words.Keyword("sea", .xmp)])
    }
    let other = String(repeating: "F", count: 32)
    for hostile in [
      [parts[0]], [parts[1]], [part(other, more, 0, more)],
      [part(name, more, 0, more + [0])], [part(name, more, 0, [])],
      [part(name, Array(repeating: 0x20, count: 2 << 20), 0, more)],
    ] {
      let words = try said(first, hostile)
      #expect(words?.rating == 4 && words?.keywords == [])
    }
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `what exiftool writes is read`() throws {
    var movie = MovieFixture()
    movie.brand = "qt  "
    let directory = try TemporaryDirectory()
    for (name, bytes) in [
      ("a.mov", movie.bytes), ("a.heic", HEIFFixture(exif: TIFFFixture()).bytes),
      ("a.jpg", JPEGFixture().bytes), ("a.jxl", jpegXL + picture),
    ] {
      try directory.write(name, bytes)
      try run([
        "/usr/bin/exiftool", "-q", "-q", "-m", "-overwrite_original", "-XMP:Rating=3",
        "-XMP:Subject=sea", directory.path + "/" + name,
      ])
      let said = try whole(try directory.read(name), named: String(name.dropFirst(2)))
      #expect(said.words?.rating == 3, "\(name)")
      #expect(said.words?.keywords == [Words.Keyword("sea", .xmp)], "\(name)")
    }
  }

  @Test func `Apple's identifier comes from the maker note, and from the keys of a film`() throws {
    var exif = TIFFFixture()
    exif.addAppleNote(identifier: "9A1C7E2F-0000-4000-8000-1234567890AB")
    let identifier = "9A1C7E2F-0000-4000-8000-1234567890AB"
    #expect(try metadata(JPEGFixture(exif: exif)).contentIdentifier == identifier)
    #expect(
      try whole(HEIFFixture(exif: exif).bytes, named: "heic").contentIdentifier == identifier)
    let film = MovieFixture.live(identifier: identifier, taken: "2024-05-01T13:45:10+0900")
    #expect(try whole(film.bytes, named: "mov").contentIdentifier == identifier)
    // Cut anywhere, a note says nothing or the same.
    guard case .raw(_, _, let note) = exif.fields[0].value else { return }
    for count in 0..<note.count {
      var cut = TIFFFixture()
      cut.add(.exif, 0x927c, .raw(type: 7, count: UInt32(count), Array(note.prefix(count))))
      #expect(try metadata(JPEGFixture(exif: cut)).contentIdentifier == nil)
    }
  }

  private func said(_ first: [UInt8], _ parts: [[UInt8]]) throws -> Words? {
    var fixture = JPEGFixture()
    fixture.after =
      [JPEGFixture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + first)] + parts
    return try metadata(fixture).words
  }

  private func part(_ name: String, _ whole: [UInt8], _ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    JPEGFixture.segment(
      0xe1,
      Array("http://ns.adobe.com/xmp/extension/\0\(name)".utf8) + big(whole.count, 4)
        + big(offset, 4) + bytes)
  }
}

private let packet = xmpSidecar(attributes: #"xmp:Rating="3""#, xmpList("dc:subject", ["sea"]))

private let expected: Words = {
  var words = Words()
  words.rating = 3
  words.keywords = [Words.Keyword("sea", .xmp)]
  return words
}()

private let picture = box("jxlc", codestream(width: 1000, height: 600))

/// That of Adobe's box.
private let identifier: [UInt8] = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
]
