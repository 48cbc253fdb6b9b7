import Folding
import Model
import SQLite

let pathColumns = ["path", "path_bytes", "search_path"]
let stampColumns = ["size", "mtime_ns", "ctime_ns", "inode"]
let hashColumns = ["content_hash", "image_hash"]
/// What the file says, but for its device, which is a row of its own.
let fileColumns = [
  "reader_version", mediaTypes.storedName, "width", "height", "orientation", "duration_ms",
  "taken_raw",
  "latitude", "longitude", "altitude", positionSources.storedName, "rating", "content_identifier",
  "has_motion",
]
let takenColumns = [
  "taken_at", "taken_local", "taken_offset", "taken_zone", takenSources.storedName,
  takenPrecisions.storedName,
]
let placeColumns = [
  "place_id", placeSources.storedName, "place_distance_m", "place_margin_m", "place_neighbour_id",
]

/// The columns of a new photo that need no look into the index, and a name for it.
let readingColumns =
  ["local_identifier"] + pathColumns + stampColumns + ["sidecar_state"] + hashColumns + fileColumns
  + takenColumns

extension ValueList {
  mutating func append(_ path: RelativePath) {
    let isPlain = path.bytes.allSatisfy { $0 < 0x80 }
    guard !isPlain else {
      appendText { $0.append(contentsOf: path.bytes) }
      append(.null)
      return append(.null)
    }
    let spelling = indexSpelling(of: path)
    append(spelling)
    append(spelling.utf8.elementsEqual(path.bytes) ? .null : .blob(path.bytes))
    append(searchText(spelling))
  }

  mutating func append(_ fingerprint: Fingerprint) {
    append(fingerprint.size)
    append(fingerprint.modified.nanoseconds)
    append(fingerprint.changed.nanoseconds)
    append(Int64(bitPattern: fingerprint.inode))
  }

  mutating func append(_ hashes: FileHashes?) {
    append(hashes?.content.bytes)
    append(hashes?.image?.bytes)
  }

  mutating func append(_ metadata: PhotoMetadata, readBy readerVersion: Int) {
    append(readerVersion)
    append(mediaTypes.code(of: metadata.mediaType))
    append(metadata.width)
    append(metadata.height)
    append(metadata.orientation)
    append(metadata.durationMilliseconds)
    appendTextIfAny { metadata.time.write(to: &$0) }
    append(metadata.position?.latitude)
    append(metadata.position?.longitude)
    append(metadata.altitude)
    append(
      positionSources.code(of: metadata.position == nil ? nil : metadata.positionSource.rawValue))
    append(metadata.words?.rating)
    append(metadata.contentIdentifier)
    append(metadata.hasMotion ? 1 : 0)
  }

  mutating func append(_ taken: TakenTime?) {
    guard let taken else {
      for _ in takenColumns { append(.null) }
      return
    }
    append(taken.utc)
    appendText { taken.local.write(to: &$0) }
    append(taken.offsetMinutes)
    append(taken.zone)
    append(takenSources.code(of: taken.source.description))
    append(takenPrecisions.code(of: taken.precision.rawValue))
  }

  /// All but the lens, which is a row of its own.
  mutating func append(_ exposure: Exposure) {
    append(exposure.focalLength)
    append(exposure.focalLengthIn35mmFilm)
    append(exposure.fNumber)
    append(exposure.exposureTime)
    append(exposure.iso)
  }
}

/// The values that `build` appends, behind an id.
func row(_ id: Int64, _ build: (inout ValueList) throws -> Void) rethrows -> ValueList {
  var values = ValueList()
  values.reserve(12, bytes: 0)
  values.append(id)
  try build(&values)
  return values
}
