import Containers
import Exif
package import Linux
package import Model

/// Indirect, for it goes through several lists, and each copy of its thirty strings would show in a first
/// index.
package indirect enum MetadataReading: Hashable, Sendable {
  /// All that the file says; a file without any metadata says nothing, which is an answer, too.
  case metadata(PhotoMetadata)
  /// The file ends before or inside its metadata. What is here is sure, but not all that it says.
  case truncated(PhotoMetadata)
}

/// Reads what files say about themselves, one after the other, with buffers that serve them all.
package struct MetadataReader: ~Copyable {
  private var containers = ContainerReader()
  private let heap = ExifHeap()

  package init() {}

  /// `suffix` is that of the file's name, without the dot, in any case. It is a hint for raws
  /// whose content does not tell them apart.
  package mutating func read(
    _ file: borrowing OpenFile, named suffix: String
  ) throws(SystemError) -> MetadataReading {
    let container = try containers.read(file, named: suffix)
    var metadata = PhotoMetadata(mediaType: container.mediaType)
    metadata.width = container.width
    metadata.height = container.height
    if container.hasBlock, let exif = ExifBlock(containers.block, in: heap) {
      metadata.fill(from: exif)
      metadata.contentIdentifier = containers.block.contentIdentifier.flatMap { cleanText($0.span) }
    }
    if container.isCut { return .truncated(metadata) }
    if let movie = container.movie { metadata.fill(from: movie) }
    metadata.orientation = container.orientation ?? metadata.orientation
    metadata.durationMilliseconds = container.durationMilliseconds
    if let xmp = container.xmp { metadata.fill(fromXMP: xmp, extendedBy: container.extendedXMP) }
    if let iptc = container.iptc { metadata.fill(fromIPTC: iptc) }
    return .metadata(metadata)
  }
}

/// The versions of the readers: a row that an older one made is read again, although its file is
/// as it was.
package struct ReaderVersions: Hashable, Sendable {
  /// Under nil: content of no known type, which a program that knows more types reads again.
  private var byMediaType: [String?: Int]

  /// What this program reads.
  package static let current: ReaderVersions = {
    var versions: [String?: Int] = [nil: 2]
    for format in Format.all {
      for type in format.mediaTypes { versions[type] = format.version }
    }
    return ReaderVersions(versions)
  }()

  /// A type that is not named has version 1: its metadata is not read, only its type.
  package init(_ byMediaType: [String?: Int]) {
    self.byMediaType = byMediaType
  }

  package func version(of mediaType: String?) -> Int {
    byMediaType[mediaType] ?? 1
  }

  /// Tells these versions from all others, as a part of each change token.
  package var digestible: String {
    byMediaType.map { "\($0.key ?? "")=\($0.value)" }.sorted().joined(separator: ",")
  }
}
