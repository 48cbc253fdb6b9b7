package import Model
import SQLite

/// A photo, as far as a guess of its place from others, or of theirs from it, needs it.
package struct TimedPhoto: Sendable {
  package let id: Int64
  /// Milliseconds since 1970, UTC.
  package let time: Int64
  package let device: Int64
  /// By its file; nil where it has none of its own.
  package let position: Coordinate?
  /// The place that the row has, guessed or not.
  package let place: Int64?
  /// The photo that the guess in the row is from, with what the row took over.
  package let guess: Guess?
  /// It has a time to rely on and a device, and the user has not named its place.
  package let mayBeGuessed: Bool

  package struct Guess: Hashable, Sendable {
    package let photo: Int64
    package let position: Coordinate
    package let place: Int64?

    package init(photo: Int64, position: Coordinate, place: Int64?) {
      self.photo = photo
      self.position = position
      self.place = place
    }
  }
}

/// What a row's guess is to be; nil takes it back.
package struct GuessChange: Sendable {
  package let photo: TimedPhoto
  package let guess: TimedPhoto.Guess?

  package init(_ photo: TimedPhoto, _ guess: TimedPhoto.Guess?) {
    self.photo = photo
    self.guess = guess
  }
}

/// A span of time, in milliseconds, in which guesses may have changed.
package typealias GuessSpan = ClosedRange<Int64>

extension PhotoIndex {
  /// What has happened since the guesses were last right.
  package struct GuessNews: Sendable {
    /// The point in the feed that this takes in.
    package let seq: Int64
    /// Where guesses may have changed; nil: anywhere.
    package let spans: [GuessSpan]?
  }

  /// Where guesses have to be looked at, of photos at most `reach` milliseconds from others; nil when
  /// nothing has happened since. Every change that matters is in the feed.
  package func guessNews(reach: Int64) throws -> GuessNews? {
    let last = try connection.integer("SELECT max(seq) FROM change") ?? 0
    let state = try meta("nearby")?.split(separator: " ").compactMap { Int64($0) } ?? []
    guard state.count == 2, state[0] == reach else { return GuessNews(seq: last, spans: nil) }
    guard state[1] != last else { return nil }
    let since: [Value] = [.integer(state[1])]
    // A change of the time itself moves the photo away from where it counted, which nobody knows.
    // So does one that the feed no longer tells of, since it was too old.
    let floor = try connection.integer("SELECT min(seq) FROM change") ?? 0
    let isWide =
      try connection.integer(countWideChanges, since) != 0
      || connection.integer(countChanges, since) ?? 0 > manyChanges || floor > state[1] + 1
    guard !isWide else { return GuessNews(seq: last, spans: nil) }
    var times: [Int64] = []
    try connection.run(selectChangedTimes, since) { times.append($0.integer(0)) }
    return GuessNews(seq: last, spans: spans(around: times.sorted(), reach))
  }

  /// Remembers that all guesses are right as of that point in the feed.
  package func endGuessing(_ news: GuessNews, reach: Int64) throws {
    try setMeta("nearby", "\(reach) \(news.seq)")
  }

  /// The next `count` photos in time from there on that can tell or take a place.
  package func timedPhotos(
    from time: Int64, after id: Int64, through last: Int64, count: Int
  ) throws -> [TimedPhoto] {
    var photos: [TimedPhoto] = []
    let values: [Value] = [.integer(time), .integer(id), .integer(last), .integer(Int64(count))]
    try connection.run(selectTimed, values) { photos.append(TimedPhoto($0)) }
    return photos
  }

  /// Stores guesses, but for rows that meanwhile have a position or a place of their own. Whatever
  /// else has changed since they were made is news, and they are made anew.
  package func store(_ changes: some Sequence<GuessChange>) throws {
    try inShortTransactions(Array(changes)) { try store($0) }
  }

  private func store(_ change: GuessChange) throws {
    let id = Value.integer(change.photo.id)
    guard let guess = change.guess else {
      return try connection.run(withdrawGuess, [id])
    }
    try connection.run(
      storeGuess,
      [
        id, .real(guess.position.latitude), .real(guess.position.longitude), .integer(guess.photo),
        Value(guess.place),
        placeSources.code(of: guess.place == nil ? nil : PlaceSource.nearby.rawValue),
      ])
  }

  /// Takes back the next guesses of all, some hundred, and returns how many there were.
  package func withdrawGuesses() throws -> Int {
    var ids: [Int64] = []
    try connection.run(selectGuessed) { ids.append($0.integer(0)) }
    try inShortTransactions(ids) { try connection.run(withdrawGuess, [.integer($0)]) }
    if ids.isEmpty { try connection.execute("DELETE FROM meta WHERE key = 'nearby'") }
    return ids.count
  }
}

extension TimedPhoto {
  fileprivate init(_ row: borrowing Row) {
    let found = row.real(3).flatMap { latitude in
      row.real(4).flatMap { Coordinate(latitude: latitude, longitude: $0) }
    }
    id = row.integer(0)
    time = row.integer(1)
    device = row.integer(2)
    let source = row.integerOrNull(5)
    position = source == nil ? found : nil
    place = row.integerOrNull(6)
    mayBeGuessed = row.integer(7) == 1
    guess = source.flatMap { photo in
      found.map { Guess(photo: photo, position: $0, place: row.integerOrNull(6)) }
    }
  }
}

/// The times with all that is within reach, those that meet as one.
private func spans(around times: [Int64], _ reach: Int64) -> [GuessSpan] {
  var spans: [GuessSpan] = []
  for time in times {
    let span = time - reach...time + reach
    if let last = spans.last, last.upperBound >= span.lowerBound {
      spans[spans.count - 1] = last.lowerBound...span.upperBound
    } else {
      spans.append(span)
    }
  }
  return spans
}

/// Beyond, to look at all is cheaper than to find out what to look at.
private let manyChanges: Int64 = 20_000

/// Another path is nothing to guess by, but a renamed tree has a million of them.
private let isOfGuesses = "subject = 'photo' AND NOT (kind = 'move' AND fields = 'path')"

private let countChanges = """
  SELECT count(*) FROM (
    SELECT 1 FROM change WHERE seq > ? AND \(isOfGuesses) LIMIT \(manyChanges + 1))
  """

private let countWideChanges = """
  SELECT EXISTS (SELECT 1 FROM change WHERE seq > ? AND subject = 'photo'
    AND (fields LIKE '%taken\\_%' ESCAPE '\\' OR fields LIKE '%device\\_id%' ESCAPE '\\'))
  """

/// The photos that changed, and those that are guessed from one of them, which may be gone.
private let selectChangedTimes = SQL(
  """
  WITH changed AS (SELECT DISTINCT row_id FROM change WHERE seq > ? AND \(isOfGuesses))
  SELECT photo.sort_time FROM changed JOIN photo ON photo.id = row_id
    WHERE photo.sort_time IS NOT NULL
  UNION SELECT photo.sort_time FROM changed JOIN photo ON photo.nearby_photo_id = row_id
    WHERE photo.sort_time IS NOT NULL
  """)

/// A date that a program wrote, that lies in the future, or that is a day's is nothing to guess by.
private let isReliable = """
  (taken_at IS NOT NULL AND device_id IS NOT NULL AND taken_precision IN ('second', 'minute')
    AND taken_source NOT LIKE 'modified%' AND taken_source NOT LIKE '%-future')
  """

private let selectTimed = SQL(
  """
  SELECT photo.id, sort_time, device_id, latitude, longitude, nearby_photo_id, place_id,
    \(isReliable) AND place_source IS NOT 'user'
  FROM photo
  WHERE missing_since IS NULL AND excluded_since IS NULL
    AND sort_time >= ?1 AND (sort_time > ?1 OR photo.id > ?2) AND sort_time <= ?3
    AND (\(isReliable) OR nearby_photo_id IS NOT NULL)
    AND +root_id IN (SELECT id FROM root WHERE state <> 'detached')
  ORDER BY sort_time, photo.id LIMIT ?4
  """)

private let storeGuess = SQL(
  """
  UPDATE photo SET latitude = ?2, longitude = ?3,
    \(positionSources.storedName) = \(positionSources.literal("nearby")), nearby_photo_id = ?4,
    place_id = ?5, \(placeSources.storedName) = ?6, place_distance_m = NULL, place_margin_m = NULL,
    place_neighbour_id = NULL
  WHERE id = ?1 AND (latitude IS NULL OR nearby_photo_id IS NOT NULL)
    AND place_source IS NOT 'user'
  """)

/// The place that the user named stays.
let withdrawGuess = SQL(withdrawal(where: "id = ?"))

func withdrawal(where condition: String) -> String {
  """
  UPDATE photo SET latitude = NULL, longitude = NULL, \(positionSources.storedName) = NULL,
    nearby_photo_id = NULL, place_id = iif(place_source IS 'user', place_id, NULL),
    \(placeSources.storedName) = iif(place_source IS 'user', \(placeSources.storedName), NULL)
  WHERE \(condition) AND nearby_photo_id IS NOT NULL
  """
}

private let selectGuessed = SQL(
  "SELECT id FROM photo WHERE nearby_photo_id IS NOT NULL LIMIT 500")
