/// A kind of file that is known by its content: who reads it, and what that finds.
///
/// The README's table of formats is made of these.
package struct Format: Sendable {
  /// As the README names it.
  package let name: String
  package let mediaTypes: [String]
  /// Raised whenever the reader finds more or other values: then an index that an older version made
  /// reads files of these types again.
  package let version: Int
  package let finds: [Finding]
  let container: Kind

  enum Kind: Sendable {
    case jpeg, png, webp, gif, bmp, heif, jpegXL, jpeg2000, movie
    /// A TIFF, or a raw whose tags stand in the directories of one.
    case tiff
    case cr2, canonRaw, raf, mrw, x3f
    /// Only its type is known.
    case unread
  }

  package enum Finding: String, CaseIterable, Sendable {
    case size, orientation, time, device, position, exposure, duration
    case imageHash = "image hash"
  }

  private init(
    _ name: String, _ mediaTypes: [String], _ container: Kind = .unread, version: Int = 1,
    finds: [Finding] = []
  ) {
    self.name = name
    self.mediaTypes = mediaTypes
    self.container = container
    self.version = version
    self.finds = finds
  }

  /// All that a photo's EXIF tells.
  private static let photo: [Finding] = [
    .size, .orientation, .time, .device, .position, .exposure,
  ]

  package static let all: [Format] = [
    Format("JPEG, MPO", [MediaType.jpeg], .jpeg, version: 3, finds: photo + [.imageHash]),
    Format(
      "HEIC, HEIF, AVIF",
      [
        "image/heic", "image/heif", "image/avif", "image/heic-sequence", "image/heif-sequence",
      ], .heif, version: 3, finds: photo + [.imageHash]),
    Format("JPEG XL", ["image/jxl"], .jpegXL, version: 3, finds: photo + [.imageHash]),
    Format(
      "JPEG 2000", ["image/jp2", "image/jpx", "image/x-j2c"], .jpeg2000, version: 3,
      finds: photo + [.imageHash]),
    Format("CR3", ["image/x-canon-cr3"], .canonRaw, version: 3, finds: photo + [.imageHash]),
    Format(
      "MP4, MOV, M4V, 3GP",
      [
        "video/mp4", "video/quicktime", "video/x-m4v", "video/3gpp", "video/3gpp2", "audio/mp4",
      ], .movie, version: 3,
      finds: [.size, .orientation, .time, .device, .position, .duration, .imageHash]),
    Format(
      "PNG, APNG", ["image/png", "image/apng"], .png, version: 3, finds: photo + [.imageHash]),
    Format("WebP", ["image/webp"], .webp, version: 3, finds: photo + [.imageHash]),
    Format(
      "TIFF, BigTIFF, JPEG XR", ["image/tiff", "image/x-tiff-big", "image/jxr"], .tiff,
      version: 3, finds: photo),
    Format(
      "DNG, GPR, NEF, NRW, ARW, SR2, SRF, RW2, RWL, ORF, PEF, SRW, 3FR, FFF, IIQ, MOS, KDC, DCR, ERF, MEF",
      [
        "image/x-adobe-dng", "image/x-gopro-gpr", "image/x-nikon-nef", "image/x-nikon-nrw",
        "image/x-sony-arw", "image/x-sony-sr2", "image/x-sony-srf", "image/x-panasonic-rw2",
        "image/x-leica-rwl", "image/x-olympus-orf", "image/x-pentax-pef", "image/x-samsung-srw",
        "image/x-hasselblad-3fr", "image/x-hasselblad-fff", "image/x-raw", "image/x-kodak-dcr",
        "image/x-kodak-k25", "image/x-kodak-kdc", "image/x-epson-erf", "image/x-mamiya-mef",
      ], .tiff, version: 4, finds: photo),
    Format("CR2", ["image/x-canon-cr2"], .cr2, version: 3, finds: photo),
    Format("RAF", ["image/x-fujifilm-raf"], .raf, version: 3, finds: photo),
    Format("MRW", ["image/x-minolta-mrw"], .mrw, version: 3, finds: photo),
    Format("X3F", ["image/x-sigma-x3f"], .x3f, version: 3, finds: photo),
    Format("GIF", ["image/gif"], .gif, version: 2, finds: [.size]),
    Format("BMP", ["image/bmp"], .bmp, version: 2, finds: [.size]),
    Format("CRW", ["image/x-canon-crw"]),
  ]

  private static let byMediaType: [String: Format] = {
    var formats: [String: Format] = [:]
    for format in all {
      for type in format.mediaTypes { formats[type] = format }
    }
    return formats
  }()

  /// Returns nil for a type that is none of ours.
  package static func of(_ mediaType: String) -> Format? { byMediaType[mediaType] }
}
