import Containers
import Model

extension PhotoMetadata {
  /// Adds what a film says to what its EXIF said, where it has any: a camera's EXIF tells more.
  mutating func fill(from movie: Movie) {
    device =
      device
      ?? DeviceIdentity(
        make: movie.clean(.make), model: movie.clean(.model), serial: movie.clean(.serial))
    contentIdentifier = movie.clean(.contentIdentifier) ?? contentIdentifier
    time.movieDate = movie.headerDate
    time.creationDate =
      movie.clean(.creationDate) ?? (time.movieDate == nil ? movie.clean(.contentDate) : nil)
    guard position == nil, let place = movie.located else { return }
    position = place.position
    altitude = place.altitude
    positionSource = .movie
  }
}

extension Movie {
  fileprivate func clean(_ text: Text) -> String? { texts[text].flatMap { cleanText($0.span) } }

  /// nil for a clock that was never set. Some writers count from 1970 instead of 1904; no film is as
  /// old as the numbers of such dates would make it.
  fileprivate var headerDate: String? {
    let isFrom1904 = created >= secondsFrom1904To1970
    let seconds = Int64(clamping: created) - (isFrom1904 ? secondsFrom1904To1970 : 0)
    guard isFrom1904 || seconds > secondsFrom1970To1990 else { return nil }
    guard !isCreatedLocal else { return LocalTime(secondsAsUTC: seconds)?.description }
    let minutes = clean(.utcOffset).flatMap { offsetMinutes($0) }
    guard let minutes, minutes != 0 else {
      return LocalTime(secondsAsUTC: seconds).map { $0.description + "Z" }
    }
    let local = LocalTime(secondsAsUTC: seconds + Int64(minutes) * 60)
    return local.map { $0.description + offsetText(minutes) }
  }

  /// The text has more digits than the numbers of a box, and Apple's has the altitude.
  fileprivate var located: (position: Coordinate, altitude: Double?)? {
    if let text = clean(.location), let location = ISO6709(text) {
      return (location.position, location.altitude)
    }
    guard let place, place.latitude != 0 || place.longitude != 0,
      let position = Coordinate(latitude: place.latitude, longitude: place.longitude)
    else { return nil }
    return (position, place.altitude)
  }
}

private func offsetText(_ minutes: Int) -> String {
  let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
  return (minutes < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):"
    + (rest < 10 ? "0" : "") + "\(rest)"
}

private let secondsFrom1904To1970: Int64 = 2_082_844_800
private let secondsFrom1970To1990: Int64 = 631_152_000
