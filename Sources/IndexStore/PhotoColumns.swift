import Folding
import Model
import SQLite

let pathColumns = ["path", "path_bytes", "search_path"]
let stampColumns = ["size", "mtime_ns", "ctime_ns", "inode"]
let hashColumns = ["content_hash", "image_hash"]
/// What the file says, but for its device, which is a row of its own.
let fileColumns = [
  "reader_version", "media_type", "width", "height", "orientation", "duration_ms", "taken_raw",
  "latitude", "longitude", "altitude", "position_source", "rating",
]
let takenColumns = [
  "taken_at", "taken_local", "taken_offset", "taken_zone", "taken_source", "taken_precision",
]
let placeColumns = [
  "place_id", "place_source", "place_distance_m", "place_margin_m", "place_neighbour_id",
]

/// The columns of a new photo that need no look into the index, and a name for it.
let readingColumns =
  ["local_identifier"] + pathColumns + stampColumns + hashColumns + fileColumns + takenColumns

/// Appended one by one: joining small arrays would show in a first index.
extension [Value] {
  mutating func append(_ path: RelativePath) {
    let spelling = indexSpelling(of: path)
    let isPlain = path.bytes.allSatisfy { $0 < 0x80 }
    let isExact = isPlain || spelling.utf8.elementsEqual(path.bytes)
    append(.text(spelling))
    append(isExact ? .null : .blob(path.bytes))
    append(isPlain ? .null : .text(searchText(spelling)))
  }

  mutating func append(_ fingerprint: Fingerprint) {
    append(.integer(fingerprint.size))
    append(.integer(fingerprint.modified.nanoseconds))
    append(.integer(fingerprint.changed.nanoseconds))
    append(.integer(Int64(bitPattern: fingerprint.inode)))
  }

  mutating func append(_ hashes: FileHashes?) {
    append(Value(hashes?.content.bytes))
    append(Value(hashes?.image?.bytes))
  }

  mutating func append(_ metadata: PhotoMetadata, readBy readerVersion: Int) {
    append(.integer(Int64(readerVersion)))
    append(Value(metadata.mediaType))
    append(Value(metadata.width))
    append(Value(metadata.height))
    append(Value(metadata.orientation))
    append(Value(metadata.durationMilliseconds))
    append(metadata.time.isEmpty ? .null : .text(metadata.time.text))
    append(Value(metadata.position?.latitude))
    append(Value(metadata.position?.longitude))
    append(Value(metadata.altitude))
    append(metadata.position == nil ? .null : .text(metadata.positionSource.rawValue))
    append(Value(metadata.words?.rating))
  }

  mutating func append(_ taken: TakenTime?) {
    guard let taken else { return append(contentsOf: repeatElement(.null, count: 6)) }
    append(Value(taken.utc))
    append(.text(taken.local.description))
    append(Value(taken.offsetMinutes))
    append(Value(taken.zone))
    append(.text(taken.source.description))
    append(.text(taken.precision.rawValue))
  }

  mutating func append(_ exposure: Exposure) {
    append(Value(exposure.lens))
    append(Value(exposure.focalLength))
    append(Value(exposure.focalLengthIn35mmFilm))
    append(Value(exposure.fNumber))
    append(Value(exposure.exposureTime))
    append(Value(exposure.iso))
  }
}

/// The values that `build` appends, behind an id.
func row(_ id: Int64, _ build: (inout [Value]) throws -> Void) rethrows -> [Value] {
  var values: [Value] = [.integer(id)]
  try build(&values)
  return values
}
