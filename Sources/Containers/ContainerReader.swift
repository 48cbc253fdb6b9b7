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
  /// Whether the reader's block holds EXIF tags of this file.
  package var hasBlock = false
  /// Whether the file ends before or inside the metadata that it should have.
  package var isCut = false
}

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
    case .heif: try readHEIF(of: file, &window, &block)
    case .canonRaw: try readCanonRaw(of: file, &window, &block)
    case .movie: try readMovie(of: file, &window, &block)
    case .jpegXL: try readJPEGXL(of: file, &window, &block)
    case .jpeg2000: try readJPEG2000(of: file, &window, &block)
    case .unread, nil: Container()
    }
  }
}
