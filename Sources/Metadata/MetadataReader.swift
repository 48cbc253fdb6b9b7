import Containers
import Exif
package import Linux
package import Model

package enum MetadataReading: Hashable, Sendable {
  /// All that the file says; a file without any metadata says nothing, which is an answer, too.
  case metadata(PhotoMetadata)
  /// The file ends before or inside its metadata. Only the media type is sure.
  case truncated(PhotoMetadata)
}

/// Reads what files say about themselves, one after the other, with buffers that serve them all.
package struct MetadataReader: ~Copyable {
  private var containers = ContainerReader()

  package init() {}

  /// `suffix` is that of the file's name, without the dot, in any case. It is a hint for raws
  /// whose content does not tell them apart.
  package mutating func read(
    _ file: borrowing OpenFile, named suffix: String
  ) throws(SystemError) -> MetadataReading {
    let container = try containers.read(file, named: suffix)
    var metadata = PhotoMetadata(mediaType: container.mediaType)
    if container.isCut { return .truncated(metadata) }
    metadata.width = container.width
    metadata.height = container.height
    if container.hasBlock, let exif = ExifBlock(containers.block) { metadata.fill(from: exif) }
    return .metadata(metadata)
  }
}

/// The version of the reader of a media type: a row that an older one made is read again.
package func readerVersion(ofMediaType type: String?) -> Int { 1 }
