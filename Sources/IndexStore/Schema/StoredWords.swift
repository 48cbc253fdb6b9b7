import SQLite

/// A column of words, of which all rows repeat a few: as texts those would take a tenth of a table.
///
/// Under the column's own name a word is worked out, for all who read; what is written is
/// `storedName`: the number of the word, or the word itself if it is none of these.
struct StoredWords: Sendable {
  let column: String
  /// From 0, and only ever added to. The numbers of the first two take no room at all.
  let words: [String]
  /// Whether there are no others.
  var isClosed = false

  var storedName: String { column + "_code" }

  func code(of word: String?) -> Value {
    guard let word else { return .null }
    return words.firstIndex(of: word).map { .integer(Int64($0)) } ?? .text(word)
  }

  /// `code` as SQL writes it.
  func literal(_ word: String) -> String {
    words.firstIndex(of: word).map(String.init) ?? "'\(word)'"
  }

  /// The two columns, in the words of CREATE TABLE.
  var definition: String {
    let cases = words.enumerated().map { "WHEN \($0) THEN '\($1)'" }.joined(separator: " ")
    let type =
      isClosed ? "INTEGER CHECK (\(storedName) BETWEEN 0 AND \(words.count - 1))" : "ANY"
    let others = isClosed ? "" : " ELSE \(storedName)"
    return """
      \(storedName) \(type),
          \(column) TEXT AS (CASE \(storedName) \(cases)\(others) END) VIRTUAL
      """
  }
}

let mediaTypes = StoredWords(
  column: "media_type",
  words: [
    "image/jpeg", "image/heic", "video/mp4", "video/quicktime", "image/png", "image/x-adobe-dng",
    "image/x-canon-cr2", "image/x-canon-cr3", "image/x-nikon-nef", "image/x-sony-arw",
    "image/x-fujifilm-raf", "image/x-olympus-orf", "image/x-panasonic-rw2", "image/tiff",
    "image/webp", "image/avif", "image/jxl", "image/gif", "video/x-m4v",
  ])
let takenSources = StoredWords(
  column: "taken_source",
  words: [
    "original+offset", "original+place", "original+zone", "original", "original+gps",
    "original+sea", "creation+offset", "movie+place", "movie+zone", "movie+utc",
    "movie-local+place", "movie-local+zone", "digitized+offset", "digitized+place",
    "digitized+zone", "modified+offset", "modified+place", "modified+zone", "xmp+offset",
    "xmp+zone", "sidecar+offset", "sidecar+zone", "takeout+place", "takeout+zone", "takeout+utc",
    "name+place", "name+zone", "user+place", "user+zone",
  ])
let takenPrecisions = StoredWords(
  column: "taken_precision", words: ["second", "minute", "hour", "day", "month", "year"],
  isClosed: true)
let positionSources = StoredWords(
  column: "position_source", words: ["exif", "xmp", "movie", "sidecar", "takeout", "nearby"])
let placeSources = StoredWords(
  column: "place_source", words: ["polygon", "nearest", "nearby", "user"], isClosed: true)

private let storedWords = [
  mediaTypes, takenSources, takenPrecisions, positionSources, placeSources,
]

/// Whether a row's time is what the clock of its device showed, as a condition on `photo`.
let isByClock = {
  let stored = takenSources.storedName
  let starts = ["original", "digitized", "creation", "movie"]
  let last = takenSources.words.prefix { word in starts.contains { word.hasPrefix($0) } }.count - 1
  let likes = starts.map { "\(stored) LIKE '\($0)%'" }
  // A text is more than any number.
  return "(\(stored) <= \(last) OR \(likes.joined(separator: " OR ")))"
}()

/// What a column of `photo` is called where it is written.
func storedName(of column: String) -> String {
  storedWords.first { $0.column == column }?.storedName ?? column
}
