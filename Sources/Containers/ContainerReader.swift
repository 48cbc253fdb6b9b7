package import Linux

/// What the outer structure of a file says.
package struct Container: Hashable, Sendable {
  /// nil when the content is of no type that we know.
  package var mediaType: String?
  /// Pixels as stored.
  package var width: Int?
  package var height: Int?
  /// Whether the reader's block holds EXIF tags of this file; of a cut one those that are sure.
  package var hasBlock = false
  /// Whether the file ends before or inside the metadata that it should have.
  package var isCut = false
}

extension Container {
  /// Sizes that no picture has are not known.
  mutating func setSize(width: UInt64, height: UInt64) {
    let limit = UInt64(UInt32.max)
    guard (1...limit).contains(width), (1...limit).contains(height) else { return }
    (self.width, self.height) = (Int(width), Int(height))
  }
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
    container.mediaType = type
    return container
  }

  /// One reader for each kind of container; of a type that has none nothing but the type is known.
  private mutating func readContainer(
    of type: String?, _ file: borrowing OpenFile
  ) throws(SystemError) -> Container {
    switch type {
    case nil: Container(isCut: try isCutBeforeItsType(file))
    case MediaType.jpeg: try readJPEG(of: file, &window, &block)
    case "image/png", "image/apng": try readPNG(of: file, &window, &block)
    case "image/webp": try readWebP(of: file, &window, &block)
    case "image/gif": try readGIF(of: file, &window)
    case "image/bmp": try readBMP(of: file, &window)
    case "image/x-fujifilm-raf": try readRAF(of: file, &window, &block)
    case "image/x-minolta-mrw": try readMRW(of: file, &window, &block)
    case "image/x-sigma-x3f": try readX3F(of: file, &window, &block)
    case let type? where tiffTypes.contains(type):
      try readTIFF(of: file, isSizeInFirst: type == "image/x-canon-cr2", &window, &block)
    default: Container()
    }
  }

  /// Whether the file is so short that it can be the beginning of a JPEG. An empty one can.
  private mutating func isCutBeforeItsType(
    _ file: borrowing OpenFile
  ) throws(SystemError) -> Bool {
    let head = window.bytes[try window.range(at: 0, 3, of: file)]
    return head.count < 3 && head.elementsEqual([0xff, 0xd8].prefix(head.count))
  }
}
