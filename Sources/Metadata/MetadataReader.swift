import Containers
import Exif
package import Linux
package import Model

package enum MetadataReading: Hashable, Sendable {
  /// All that the file says; a file without any metadata says nothing, which is an answer, too.
  case metadata(PhotoMetadata)
  /// The file ends before or inside its metadata. What is here is sure, but not all that it says.
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
    metadata.width = container.width
    metadata.height = container.height
    if container.hasBlock, let exif = ExifBlock(containers.block) { metadata.fill(from: exif) }
    return container.isCut ? .truncated(metadata) : .metadata(metadata)
  }
}

/// The versions of the readers: a row that an older one made is read again, although its file is
/// as it was.
package struct ReaderVersions: Hashable, Sendable {
  /// Under nil: content of no known type, which a program that knows more types reads again.
  private var byMediaType: [String?: Int]

  /// What this program reads. Raise a number whenever a reader finds more or other values.
  package static let current = ReaderVersions([
    "image/apng": 2,
    "image/bmp": 2,
    "image/gif": 2,
    "image/jpeg": 2,
    "image/jxr": 2,
    "image/png": 2,
    "image/tiff": 2,
    "image/webp": 2,
    "image/x-adobe-dng": 2,
    "image/x-canon-cr2": 2,
    "image/x-epson-erf": 2,
    "image/x-fujifilm-raf": 2,
    "image/x-gopro-gpr": 2,
    "image/x-hasselblad-3fr": 2,
    "image/x-hasselblad-fff": 2,
    "image/x-kodak-dcr": 2,
    "image/x-kodak-k25": 2,
    "image/x-kodak-kdc": 2,
    "image/x-leica-rwl": 2,
    "image/x-mamiya-mef": 2,
    "image/x-minolta-mrw": 2,
    "image/x-nikon-nef": 2,
    "image/x-nikon-nrw": 2,
    "image/x-olympus-orf": 2,
    "image/x-panasonic-rw2": 2,
    "image/x-pentax-pef": 2,
    "image/x-raw": 2,
    "image/x-samsung-srw": 2,
    "image/x-sigma-x3f": 2,
    "image/x-sony-arw": 2,
    "image/x-sony-sr2": 2,
    "image/x-sony-srf": 2,
    "image/x-tiff-big": 2,
    nil: 2,
  ])

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
