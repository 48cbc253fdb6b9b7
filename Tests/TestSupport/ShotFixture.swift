extension TIFFFixture {
  /// A raw as Adobe's: a TIFF with a version of DNG in it (DNG 1.6, chapter 4).
  package static func raw(taken: String?) -> TIFFFixture {
    var tiff = TIFFFixture()
    tiff.add(.image, 0x010f, "Canon")
    tiff.add(.image, 0x0110, "Canon EOS R5")
    tiff.add(.image, 0xc612, .byte([1, 4, 0, 0]))
    if let taken { tiff.add(.exif, 0x9003, taken) }
    return tiff
  }

  /// The maker note of Apple's devices, in a shot with a film: one entry, the identifier.
  package mutating func addAppleNote(identifier: String) {
    let text = Array(identifier.utf8) + [0]
    let entry = big(0x11, 2) + big(2, 2) + big(text.count, 4) + big(32, 4)
    let note = latin("Apple iOS\0") + [0, 1] + latin("MM") + big(1, 2) + entry + big(0, 4) + text
    add(.exif, 0x927c, .raw(type: 7, count: UInt32(note.count), note))
  }
}

extension MovieFixture {
  /// The film of such a shot.
  package static func live(identifier: String, taken: String) -> MovieFixture {
    var movie = MovieFixture()
    movie.addKey("com.apple.quicktime.content.identifier", identifier)
    movie.addKey("com.apple.quicktime.creationdate", taken)
    return movie
  }
}

/// An XMP file, as programs put it beside photos.
package func xmpSidecar(attributes: String = "", _ properties: String...) -> [UInt8] {
  Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
     xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
     xmlns:GCamera="http://ns.google.com/photos/1.0/camera/">
    <rdf:Description rdf:about="" \(attributes)>\(properties.joined())</rdf:Description>
    </rdf:RDF></x:xmpmeta>
    """.utf8)
}

/// A list of XMP's.
package func xmpList(_ name: String, _ items: [String]) -> String {
  let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
  return "<\(name)><rdf:Bag>\(items)</rdf:Bag></\(name)>"
}

/// A JSON file of Google Takeout's, with what it has beside what we read.
package func takeoutFile(
  taken: Int = 0, latitude: Double = 0, longitude: Double = 0, description: String = ""
) -> [UInt8] {
  Array(
    """
    {"title": "IMG.jpg", "description": "\(description)", "imageViews": "3",
     "creationTime": {"timestamp": "1700000000", "formatted": "14 Nov 2023, 22:13:20 UTC"},
     "photoTakenTime": {"timestamp": "\(taken)", "formatted": "somewhen"},
     "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0,
       "latitudeSpan": 0.0, "longitudeSpan": 0.0},
     "geoDataExif": {"latitude": \(latitude), "longitude": \(longitude), "altitude": 12.5,
       "latitudeSpan": 0.0, "longitudeSpan": 0.0},
     "people": [{"name": "Mina"}], "favorited": true, "url": "https://photos.google.com/photo/x"}
    """.utf8)
}
