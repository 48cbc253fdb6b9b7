import Containers
import Model

// All fields of what a file says, in an order that both processes share: they are one program. A field
// that is missing here is one that no photo has; a test finds it.

extension PhotoMetadata {
  mutating func code(_ coder: inout some FieldCoder) {
    coder.text(&mediaType, orSameAs: MediaType.jpeg)
    coder.integer(&width, in: 0...Int(Int32.max))
    coder.integer(&height, in: 0...Int(Int32.max))
    coder.integer(&orientation, in: 1...8)
    coder.integer(&durationMilliseconds, in: 0...Int.max)
    DeviceIdentity.code(&device, &coder)
    time.code(&coder)
    Coordinate.code(&position, &coder)
    coder.word(&positionSource, usual: .exif)
    coder.number(&altitude)
    coder.optional(&exposure, blank: Exposure()) { $1.code(&$0) }
    coder.optional(&words, blank: Words()) { $1.code(&$0) }
    coder.text(&contentIdentifier)
    coder.flag(&hasMotion)
  }
}

extension DeviceIdentity {
  fileprivate static func code(_ device: inout DeviceIdentity?, _ coder: inout some FieldCoder) {
    var (make, model, serial) = (device?.make, device?.model, device?.serial)
    coder.text(&make)
    coder.text(&model)
    coder.text(&serial)
    device = DeviceIdentity(make: make, model: model, serial: serial)
  }
}

extension Coordinate {
  fileprivate static func code(_ position: inout Coordinate?, _ coder: inout some FieldCoder) {
    var (latitude, longitude) = (position?.latitude, position?.longitude)
    coder.number(&latitude)
    coder.number(&longitude)
    guard let latitude, let longitude else {
      position = nil
      return
    }
    position = Coordinate(latitude: latitude, longitude: longitude)
    if position == nil { coder.refuse() }
  }
}

extension RawTime {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.text(&dateTimeOriginal)
    coder.text(&subSecTimeOriginal)
    coder.text(&offsetTimeOriginal)
    coder.text(&dateTimeDigitized, orSameAs: dateTimeOriginal)
    coder.text(&subSecTimeDigitized, orSameAs: subSecTimeOriginal)
    coder.text(&offsetTimeDigitized, orSameAs: offsetTimeOriginal)
    coder.text(&dateTime, orSameAs: dateTimeDigitized)
    coder.text(&subSecTime, orSameAs: subSecTimeDigitized)
    coder.text(&offsetTime, orSameAs: offsetTimeDigitized)
    coder.text(&gpsDateStamp)
    coder.text(&gpsTimeStamp)
    coder.text(&creationDate)
    coder.text(&movieDate)
    coder.text(&xmpDate)
    coder.text(&iptcDate)
    coder.text(&sidecarDate)
    coder.text(&takeoutDate)
  }
}

extension Exposure {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.text(&lens)
    coder.number(&focalLength)
    coder.number(&focalLengthIn35mmFilm)
    coder.number(&fNumber)
    coder.number(&exposureTime)
    coder.integer(&iso, in: Int.min...Int.max)
  }
}

extension Words {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.integer(&rating, in: -1...5)
    coder.list(&keywords, atMost: listLimit, blank: Keyword("", .xmp)) { coder, keyword in
      var (text, source) = (keyword.keyword, keyword.source)
      coder.text(&text)
      coder.word(&source)
      keyword = Keyword(text, source)
    }
    coder.list(&texts, atMost: listLimit, blank: Text(.title, language: "", "", .xmp)) {
      coder, text in
      var (kind, language, words, source) = (text.kind, text.language, text.text, text.source)
      coder.word(&kind)
      coder.text(&language)
      coder.text(&words)
      coder.word(&source)
      text = Text(kind, language: language, words, source)
    }
  }
}

/// More than any vocabulary of a file is read to have.
let listLimit = 10_000
