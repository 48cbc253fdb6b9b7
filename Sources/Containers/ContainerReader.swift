package import Linux

/// What the outer structure of a file says.
package struct Container: Hashable, Sendable {
  /// nil when the content is of no type that we know.
  package var mediaType: String?
  /// Pixels as stored.
  package var width: Int?
  package var height: Int?
  /// How the container itself turns the picture, as EXIF numbers it; nil where it leaves that to EXIF.
  package var orientation: Int?
  package var durationMilliseconds: Int?
  package var movie: Movie?
  /// Whether the reader's block holds EXIF tags of this file; of a cut one those that are sure.
  package var hasBlock = false
  /// The first XMP packet and the IPTC data sets, as far as they are not larger than any that
  /// a photo has.
  package var xmp: [UInt8]?
  /// What a JPEG has of XMP beyond the 64 KiB of a segment: a packet of its own, of other properties.
  package var extendedXMP: [UInt8]?
  package var iptc: [UInt8]?
  /// Whether the file ends before or inside the metadata that it should have.
  package var isCut = false
}

extension Container {
  /// Where a cut file's reader cannot tell which values are sure, none is.
  fileprivate var wholeOrNothing: Container {
    isCut ? Container(movie: movie, isCut: true) : self
  }

  /// Sizes that no picture has are not known.
  mutating func setSize(width: UInt64, height: UInt64) {
    if let size = pixels(width, height) { (self.width, self.height) = size }
  }
}

/// Returns nil for a size that no picture has.
func pixels(_ width: UInt64?, _ height: UInt64?) -> (width: Int, height: Int)? {
  guard let width, let height, (1...sideLimit).contains(width), (1...sideLimit).contains(height)
  else { return nil }
  return (Int(width), Int(height))
}

/// What PNG allows (11.2.1); where others have more room for numbers, no picture needs it.
private let sideLimit: UInt64 = 0x7fff_ffff

/// No packet of a photo is larger than this.
let packetLimit = 1 << 20

/// Finds the metadata in files, one after the other, with buffers that serve them all.
package struct ContainerReader: ~Copyable {
  private var window = FileWindow()
  package private(set) var block = CleanBlock()

  package init() {}

  /// `suffix` is the file name's, without the dot, in any case: a hint where content does not tell.
  package mutating func read(
    _ file: borrowing OpenFile, named suffix: String
  ) throws(SystemError) -> Container {
    try window.open(file)
    let type = try mediaType(of: file, named: suffix, in: &window)
    var container = try readContainer(of: type, file)
    // Sound without pictures often has the brand of films.
    let isSound = type == "video/mp4" && container.movie?.isSoundAlone == true
    container.mediaType = isSound ? "audio/mp4" : type
    return container
  }

  /// One reader for each kind of container; of a type that has none nothing but the type is known.
  private mutating func readContainer(
    of type: String?, _ file: borrowing OpenFile
  ) throws(SystemError) -> Container {
    guard let type else {
      return Container(
        isCut: isCutBeforeItsType(window.bytes[try window.range(at: 0, 4097, of: file)]))
    }
    return switch Format.of(type)?.container {
    case .jpeg: try readJPEG(of: file, &window, &block)
    case .png: try readPNG(of: file, &window, &block)
    case .webp: try readWebP(of: file, &window, &block)
    case .gif: try readGIF(of: file, &window)
    case .bmp: try readBMP(of: file, &window)
    case .tiff: try readTIFF(of: file, isSizeInFirst: false, &window, &block)
    case .cr2: try readTIFF(of: file, isSizeInFirst: true, &window, &block)
    case .raf: try readRAF(of: file, &window, &block)
    case .mrw: try readMRW(of: file, &window, &block)
    case .x3f: try readX3F(of: file, &window, &block)
    case .heif: (try readHEIF(of: file, &window, &block)).wholeOrNothing
    case .canonRaw: (try readCanonRaw(of: file, &window, &block)).wholeOrNothing
    case .movie: (try readMovie(of: file, &window, &block)).wholeOrNothing
    case .jpegXL: (try readJPEGXL(of: file, &window, &block)).wholeOrNothing
    case .jpeg2000: (try readJPEG2000(of: file, &window, &block)).wholeOrNothing
    case .unread, nil: Container()
    }
  }
}
