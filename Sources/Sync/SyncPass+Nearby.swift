import IndexStore
import Model
import Places

/// How far apart the photos before and after may be, in metres.
private let agreement = 2000.0

/// How many photos are looked at, and how many changed, at a time.
private let page = 5000
private let batch = 500

extension SyncPass {
  /// Gives photos without a position the place of photos that other devices took shortly before and
  /// after, where these agree, and takes back guesses whose evidence has gone.
  ///
  /// Reads no photo, and looks only at the times around what changed since it last ran.
  func guessNearby() async throws {
    guard let nearby = settings.nearby else {
      guard try await index.meta("nearby") != nil else { return }
      while try await index.withdrawGuesses() > 0 { try Task.checkCancellation() }
      return
    }
    let reach = Int64(nearby / .milliseconds(1))
    while let news = try await index.guessNews(reach: reach) {
      for span in news.spans ?? [Int64.min / 2...Int64.max / 2] {
        try await guess(in: span, reach)
      }
      try await index.endGuessing(news, reach: reach)
    }
  }

  /// Slides over the time, so that the photos of no more than two reaches are held.
  private func guess(in span: GuessSpan, _ reach: Int64) async throws {
    var photos: [TimedPhoto] = []
    var next = span.lowerBound
    var last = (time: span.lowerBound - reach, id: Int64.min)
    while next <= span.upperBound {
      try Task.checkCancellation()
      let found = try await index.timedPhotos(
        from: last.time, after: last.id, through: span.upperBound + reach, count: page)
      photos += found
      if let newest = found.last { last = (newest.time, newest.id) }
      // Of those at the very last moment some may be still to come.
      let known = found.count < page ? span.upperBound : min(last.time - reach - 1, span.upperBound)
      if known >= next {
        let changes = changes(of: photos, in: next...known, reach)
        for start in stride(from: 0, to: changes.count, by: batch) {
          try await index.store(changes[start..<min(start + batch, changes.count)])
        }
        next = known + 1
      }
      photos.removeAll { $0.time < next - reach }
    }
  }
}

/// What is to be changed of the guesses for photos of that span; photos come in any order.
func changes(of photos: [TimedPhoto], in span: GuessSpan, _ reach: Int64) -> [GuessChange] {
  // Of one moment, too, an order that says the same in every index.
  let photos = photos.sorted { $0.rank < $1.rank }
  let before = evidence(photos)
  let after = evidence(photos.reversed()).reversed()
  return zip(photos, zip(before, after)).compactMap { photo, evidence in
    guard span.contains(photo.time) else { return nil }
    let guess = photo.mayBeGuessed ? guess(photo, evidence.0, evidence.1, reach) : nil
    return guess == photo.guess ? nil : GuessChange(photo, guess)
  }
}

private func guess(
  _ photo: TimedPhoto, _ before: TimedPhoto?, _ after: TimedPhoto?, _ reach: Int64
) -> TimedPhoto.Guess? {
  guard photo.position == nil, let before, let after, photo.time - before.time <= reach,
    after.time - photo.time <= reach, let from = before.position, let to = after.position,
    metres(from, to) <= agreement
  else { return nil }
  let isBeforeNearer = photo.time - before.time <= after.time - photo.time
  let (nearest, position) = isBeforeNearer ? (before, from) : (after, to)
  return TimedPhoto.Guess(photo: nearest.id, position: position, place: nearest.place)
}

/// For each photo the last one so far, or of its very moment, that another device took and that has
/// a position of its own: a guess is no evidence.
private func evidence(_ photos: some Collection<TimedPhoto>) -> [TimedPhoto?] {
  var newest: TimedPhoto?
  /// The newest of another device than that one's.
  var other: TimedPhoto?
  var evidence: [TimedPhoto?] = []
  var rest = photos[...]
  while let first = rest.first {
    let moment = rest.prefix { $0.time == first.time }
    rest = rest.dropFirst(moment.count)
    for photo in moment where photo.position != nil {
      if newest?.device != photo.device { other = newest }
      newest = photo
    }
    evidence += moment.map { newest?.device == $0.device ? other : newest }
  }
  return evidence
}

extension TimedPhoto {
  fileprivate var rank: (Int64, Double, Double, Int64) {
    (time, position?.latitude ?? 0, position?.longitude ?? 0, id)
  }
}
