import Linux
import Metadata
import Model
import TestSupport
import Testing

@testable import Decoding

/// The bytes in which a decoder answers.
struct FieldTests {
  /// Something in every field.
  private var full: PhotoMetadata {
    var metadata = PhotoMetadata(mediaType: "image/jpeg")
    (metadata.width, metadata.height, metadata.orientation) = (6000, 4000, 8)
    metadata.durationMilliseconds = 1 << 40
    metadata.device = DeviceIdentity(make: "Canon", model: "EOS R5", serial: "0123é")
    metadata.time.dateTimeOriginal = "2024:05:01 13:45:10"
    metadata.time.subSecTimeOriginal = "123"
    metadata.time.offsetTimeOriginal = "+09:00"
    metadata.time.dateTimeDigitized = "2024:05:01 13:45:11"
    metadata.time.subSecTimeDigitized = "124"
    metadata.time.offsetTimeDigitized = "+08:00"
    metadata.time.dateTime = "2024:05:01 13:45:12"
    metadata.time.subSecTime = "125"
    metadata.time.offsetTime = "+07:00"
    metadata.time.gpsDateStamp = "2024:05:01"
    metadata.time.gpsTimeStamp = "04:45:10"
    metadata.time.creationDate = "2024-05-01T13:45:10+0900"
    metadata.time.movieDate = "2024-05-01T04:45:10Z"
    metadata.time.xmpDate = "2024-05-01"
    metadata.time.iptcDate = "20240501"
    metadata.time.sidecarDate = "2024-05-01"
    metadata.time.takeoutDate = "2024-05-01T04:45:10Z"
    metadata.position = Coordinate(latitude: -37.5, longitude: 127)
    metadata.positionSource = .movie
    metadata.altitude = -1.5
    var exposure = Exposure()
    exposure.lens = "RF 24-70mm"
    (exposure.focalLength, exposure.focalLengthIn35mmFilm) = (24, 35.5)
    (exposure.fNumber, exposure.exposureTime, exposure.iso) = (2.8, 1 / 250, -1)
    metadata.exposure = exposure
    var words = Words()
    words.rating = -1
    words.keywords = [Words.Keyword("제주", .xmp), Words.Keyword("", .iptc)]
    words.texts = [
      Words.Text(.title, language: "ko", "집\0", .xmp),
      Words.Text(.caption, language: "x-default", "Home\nagain", .iptc),
    ]
    metadata.words = words
    metadata.contentIdentifier = "5F6A2E9C"
    metadata.hasMotion = true
    return metadata
  }

  private var fullXMP: XMPSidecar {
    var values = XMPSidecar()
    values.original = "2024-05-01T13:45:10"
    values.digitized = "2024-05-02"
    (values.latitude, values.longitude, values.altitude) = (-37.5, 127, -1.5)
    values.rating = -1
    values.keywords = ["제주", ""]
    values.title = ["x-default": "Home", "ko": "집\0"]
    values.caption = ["x-default": "Home\nagain"]
    values.label = "Red"
    return values
  }

  private var fullTakeout: TakeoutFile {
    var values = TakeoutFile()
    values.taken = "2024-05-01T04:45:10Z"
    (values.latitude, values.longitude, values.altitude) = (-37.5, 127, -1.5)
    values.caption = "Below"
    return values
  }

  private func bytes(_ answers: [DecoderAnswer]) -> [UInt8] {
    var writer = FieldWriter()
    for var answer in answers { DecoderAnswer.code(&answer, &writer) }
    return writer.bytes
  }

  private var all: [DecoderAnswer] {
    let hash = Hash(bytes: Array(1...32))
    let digests = hash.map {
      [
        FileHashes(content: $0, image: ImageHash(bytes: Array(1...16))),
        FileHashes(content: $0, image: nil),
      ]
    }
    return [
      .metadata(.metadata(full)), .metadata(.truncated(full)),
      .metadata(.metadata(PhotoMetadata())), .failed(call: "pread", code: 5),
      .sidecar(.values(.xmp(fullXMP))), .sidecar(.values(.xmp(XMPSidecar()))),
      .sidecar(.values(.takeout(fullTakeout))), .sidecar(.values(.takeout(TakeoutFile()))),
      .sidecar(.unreadable(.noXMP)),
    ] + (digests ?? []).map { .digests($0) }
  }

  @Test func `the samples have something in every field`() {
    // So that the next test fails for a new field that is not sent.
    #expect(emptyFields(of: full, "metadata") == [])
    #expect(emptyFields(of: fullXMP, "xmp") == [])
    #expect(emptyFields(of: fullTakeout, "takeout") == [])
  }

  @Test func `every field comes through`() {
    #expect(answers(in: bytes(all), count: all.count) == all)
  }

  @Test func `a text that repeats an earlier one is spelled as it was`() throws {
    var metadata = PhotoMetadata()
    metadata.time.dateTimeOriginal = "\u{e9}"
    metadata.time.dateTimeDigitized = "e\u{301}"
    metadata.time.dateTime = "e\u{301}"
    let found = try #require(answers(in: bytes([.metadata(.metadata(metadata))]), count: 1))
    guard case .metadata(.metadata(let read)) = found[0] else {
      Issue.record("\(found) is no metadata")
      return
    }
    let spellings = [
      read.time.dateTimeOriginal, read.time.dateTimeDigitized, read.time.dateTime,
    ].map { Array(($0 ?? "").utf8) }
    #expect(spellings == [[0xc3, 0xa9], [0x65, 0xcc, 0x81], [0x65, 0xcc, 0x81]])
  }

  @Test func `any cut of an answer is refused, and so is anything behind it`() {
    let bytes = bytes(all)
    for count in 0..<bytes.count {
      #expect(answers(in: Array(bytes[..<count]), count: all.count) == nil)
    }
    #expect(answers(in: bytes + [0], count: all.count) == nil)
    #expect(answers(in: bytes, count: all.count - 1) == nil)
  }

  @Test(arguments: 1...20)
  func `a process that lies gets no further than a lie`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = bytes(all)
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      // No trap, and whatever is believed can be said again.
      guard let found = answers(in: bytes, count: all.count) else { continue }
      #expect(answers(in: self.bytes(found), count: all.count) == found, "seed \(seed)")
    }
  }

  @Test func `values that no photo has are refused`() {
    func isRefused(_ change: (inout PhotoMetadata) -> Void) -> Bool {
      var metadata = full
      change(&metadata)
      return answers(in: bytes([.metadata(.metadata(metadata))]), count: 1) == nil
    }
    #expect(!isRefused { _ in })
    #expect(isRefused { $0.orientation = 9 })
    #expect(isRefused { $0.orientation = 0 })
    #expect(isRefused { $0.width = -1 })
    #expect(isRefused { $0.words?.rating = 6 })
    #expect(isRefused { $0.altitude = .infinity })
    #expect(isRefused { $0.altitude = .nan })
    #expect(isRefused { $0.mediaType = String(repeating: "x", count: 1 << 17) })
    let word = Words.Keyword("x", .xmp)
    #expect(isRefused { $0.words?.keywords = Array(repeating: word, count: 10_001) })
  }

  @Test func `values that no sidecar has are refused`() {
    func isRefused(_ change: (inout XMPSidecar) -> Void) -> Bool {
      var values = fullXMP
      change(&values)
      return answers(in: bytes([.sidecar(.values(.xmp(values)))]), count: 1) == nil
    }
    #expect(!isRefused { _ in })
    #expect(isRefused { $0.rating = 6 })
    #expect(isRefused { $0.latitude = .nan })
    #expect(isRefused { $0.keywords = Array(repeating: "x", count: 10_001) })
    let many = (0...10_000).map { ("\($0)", "x") }
    #expect(isRefused { $0.title = Dictionary(uniqueKeysWithValues: many) })
    #expect(isRefused { $0.label = String(repeating: "x", count: 1 << 17) })
    // A fault that there is none of, which would otherwise be told in a decoder's own words.
    let sound = bytes([.sidecar(.unreadable(.noXMP))])
    #expect(answers(in: Array(sound[..<2]) + [1, 0x78], count: 1) == nil)
    #expect(answers(in: Array(sound[..<2]) + sound[2...], count: 1) != nil)
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    var bytes = bytes([.failed(call: "pread", code: 5)])
    // Kind, length, then the text.
    bytes[2] = 0xff
    #expect(answers(in: bytes, count: 1) == nil)
  }
}

/// The fields, however deep, in which there is nothing.
private func emptyFields(of value: Any, _ name: String) -> [String] {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional {
    return mirror.children.first.map { emptyFields(of: $0.value, name) } ?? [name]
  }
  if mirror.displayStyle == .collection, mirror.children.isEmpty { return [name] }
  guard mirror.displayStyle == .struct, !(value is String) else { return [] }
  return mirror.children.flatMap { emptyFields(of: $0.value, "\(name).\($0.label ?? "")") }
}
