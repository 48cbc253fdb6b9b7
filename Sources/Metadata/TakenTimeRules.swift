package import Linux
package import Model

extension TakenTime {
  /// When the photo was taken, from what its file says, where it was taken, and the zone that is
  /// configured. The same arguments give the same time wherever and whenever this runs.
  ///
  /// Returns nil when the file has no valid date, nor its name, where that is given because names
  /// count. `seaZone` is that of the open sea, which counts where nothing else does. A clock
  /// reading that a zone skips has the offset from before the change, for the camera was not put
  /// forward yet; one that occurs twice is the earlier, unless GPS says which.
  package static func resolve(
    _ raw: RawTime, name: [UInt8]? = nil, modified: Timestamp, placeZone: String?,
    configuredZone: String?, seaZone: String? = nil, zones: TimeZoneDatabase
  ) -> TakenTime? {
    guard
      let date = raw.dateBeside ?? raw.dateInside ?? FileDate(movie: raw.movieDate)
        ?? FileDate(takeout: raw.takeoutDate)
        ?? FileDate(name: name, nearest: placeZone ?? configuredZone, zones)
    else { return nil }
    let found = date.offset(
      raw, placeZone: placeZone, configuredZone: configuredZone, seaZone: seaZone, zones)
    let local = date.isUTC ? date.local.shifted(byMinutes: found?.minutes) : date.local
    let utc = local.secondsAsUTC - Int64(found?.minutes ?? 0) * 60
    let isFuture = utc > modified.seconds + 86_400
    return TakenTime(
      local: local, offsetMinutes: found?.minutes, zone: found?.zone,
      source: TakenSource(date: date.source, offset: found?.source, isFuture: isFuture),
      precision: date.precision)
  }
}

/// The first valid date of a file, with what belongs to it.
private struct FileDate {
  let source: TakenSource.Date
  let local: LocalTime
  let precision: TakenPrecision
  let offsetMinutes: Int?
  /// Whether `local` is by UTC, and clocks there showed another reading.
  var isUTC = false
  /// Whether what GPS took for UTC can tell anything about this date.
  let isOfGPS: Bool

  init?(
    _ source: TakenSource.Date, _ text: String?, _ subSec: String? = nil, _ offset: String? = nil
  ) {
    guard let text, let date = DateText(text) else { return nil }
    self.source = source
    local = date.local.adding(fraction: subSec, if: date.precision == .second)
    precision = date.precision
    offsetMinutes = date.offsetMinutes ?? offset.flatMap { Metadata.offsetMinutes($0) }
    // DateTime may be that of an edit, which GPS has nothing to do with.
    isOfGPS = source != .modified && precision != .day
  }

  init(sidecar date: DateText) {
    source = .sidecar
    (local, precision, offsetMinutes) = (date.local, date.precision, date.offsetMinutes)
    // A person may have put the clock right that GPS contradicts.
    isOfGPS = false
  }

  func repeats(_ date: DateText) -> Bool {
    let isSameOffset = date.offsetMinutes == nil || date.offsetMinutes == offsetMinutes
    guard isSameOffset, precision == date.precision || precision == .second else { return false }
    let count = date.precision == .second ? 19 : date.precision == .minute ? 16 : 10
    return local.description.prefix(count) == date.local.description.prefix(count)
      && local.hasDigits(of: date.local)
  }

  /// The date that Google Takeout gives, by UTC.
  init?(takeout text: String?) {
    guard let date = text.flatMap({ DateText($0) }) else { return nil }
    isUTC = true
    source = .takeout
    (local, precision, offsetMinutes, isOfGPS) = (date.local, date.precision, nil, false)
  }

  /// The date in the header of a film.
  init?(movie text: String?) {
    guard let text, let date = DateText(text) else { return nil }
    isUTC = text.hasSuffix("Z")
    source = date.offsetMinutes == nil ? .movieLocal : .movie
    (local, precision) = (date.local, date.precision)
    offsetMinutes = isUTC ? nil : date.offsetMinutes
    isOfGPS = false
  }

  /// The date in a name; what that tells by UTC is shown as the clocks of the zone do.
  init?(name: [UInt8]?, nearest zone: String?, _ zones: TimeZoneDatabase) {
    guard let date = name.flatMap({ NameDate($0) }) else { return nil }
    source = .name
    precision = date.precision
    isOfGPS = false
    guard date.isUTC else {
      (local, offsetMinutes) = (date.local, nil)
      return
    }
    let utc = date.local.secondsAsUTC
    let minutes = zone.flatMap { zones.offset(ofZone: $0, atUTC: utc) }.map(wholeMinutes) ?? 0
    let there = LocalTime(
      secondsAsUTC: utc + Int64(minutes) * 60, fraction: date.local.fraction)
    (local, offsetMinutes) = (there ?? date.local, there == nil ? 0 : minutes)
  }

  struct Offset {
    let minutes: Int
    let zone: String?
    let source: TakenSource.Offset
  }

  func offset(
    _ raw: RawTime, placeZone: String?, configuredZone: String?, seaZone: String?,
    _ zones: TimeZoneDatabase
  ) -> Offset? {
    if isUTC { return offsetFromUTC(placeZone, configuredZone, seaZone, zones) }
    if let minutes = offsetMinutes {
      let zone = placeZone.flatMap { shows(minutes, $0, zones) ? $0 : nil }
      return Offset(minutes: minutes, zone: zone, source: .offset)
    }
    let gps = isOfGPS ? raw.gpsUTC : nil
    if let zone = placeZone, let minutes = minutes(in: zone, gps, zones), !contradicts(gps, minutes)
    {
      return Offset(minutes: minutes, zone: zone, source: .place)
    }
    if let minutes = gps.flatMap({ minutes(from: $0, zones) }) {
      return Offset(minutes: minutes, zone: nil, source: .gps)
    }
    if let zone = configuredZone, let minutes = minutes(in: zone, gps, zones) {
      return Offset(minutes: minutes, zone: zone, source: .zone)
    }
    if let zone = seaZone, let minutes = minutes(in: zone, gps, zones), !contradicts(gps, minutes) {
      return Offset(minutes: minutes, zone: zone, source: .sea)
    }
    return nil
  }

  /// What clocks showed at an instant that is known.
  private func offsetFromUTC(
    _ placeZone: String?, _ configuredZone: String?, _ seaZone: String?, _ zones: TimeZoneDatabase
  ) -> Offset {
    let utc = local.secondsAsUTC
    let known: [(String?, TakenSource.Offset)] = [
      (placeZone, .place), (configuredZone, .zone), (seaZone, .sea),
    ]
    for (zone, source) in known {
      guard let zone, let seconds = zones.offset(ofZone: zone, atUTC: utc) else { continue }
      return Offset(minutes: wholeMinutes(seconds), zone: zone, source: source)
    }
    return Offset(minutes: 0, zone: nil, source: .utc)
  }

  /// Whether the zone's clocks show `local` with this offset.
  private func shows(_ minutes: Int, _ zone: String, _ zones: TimeZoneDatabase) -> Bool {
    let utc = local.secondsAsUTC - Int64(minutes) * 60
    return zones.offset(ofZone: zone, atUTC: utc).map(wholeMinutes) == minutes
  }

  private func minutes(in zone: String, _ gps: Int64?, _ zones: TimeZoneDatabase) -> Int? {
    switch zones.offsets(ofZone: zone, atLocal: local.secondsAsUTC) {
    case .one(let offset), .skipped(let offset): return wholeMinutes(offset)
    case .two(let earlier, let later):
      guard let gps else { return wholeMinutes(earlier) }
      let (first, second) = (local.secondsAsUTC - Int64(earlier), local.secondsAsUTC - Int64(later))
      return wholeMinutes(abs(second - gps) < abs(first - gps) ? later : earlier)
    case nil: return nil
    }
  }

  private func contradicts(_ gps: Int64?, _ minutes: Int) -> Bool {
    guard let gps else { return false }
    return abs(local.secondsAsUTC - Int64(minutes) * 60 - gps) >= 3600
  }

  /// The difference to GPS if it is that of a real clock: within 3 minutes of a quarter of an
  /// hour, and in use somewhere then.
  private func minutes(from gps: Int64, _ zones: TimeZoneDatabase) -> Int? {
    let difference = local.secondsAsUTC - gps
    guard abs(difference) <= 24 * 3600 else { return nil }
    let minutes = Int((Double(difference) / 900).rounded()) * 15
    guard abs(difference - Int64(minutes) * 60) <= 180, (-12 * 60...14 * 60).contains(minutes),
      zones.isInUse(minutes * 60, atUTC: gps)
    else { return nil }
    return minutes
  }
}

/// Local mean times had odd seconds; the index counts minutes.
private func wholeMinutes(_ seconds: Int) -> Int { Int((Double(seconds) / 60).rounded()) }

extension LocalTime {
  /// Whether the decimals of the other are the first of these, or nothing but zeros.
  fileprivate func hasDigits(of other: LocalTime) -> Bool {
    fraction.hasPrefix(other.fraction) || other.fraction.allSatisfy { $0 == "0" }
  }

  fileprivate func shifted(byMinutes minutes: Int?) -> LocalTime {
    let seconds = secondsAsUTC + Int64(minutes ?? 0) * 60
    return LocalTime(secondsAsUTC: seconds, fraction: fraction) ?? self
  }

  /// With the digits of a SubSecTime tag, unless the date had decimals of its own.
  fileprivate func adding(fraction text: String?, if isExact: Bool) -> LocalTime {
    guard isExact, fraction.isEmpty, let text else { return self }
    let digits = text.utf8.first == 0x20 ? String(text.drop { $0 == " " }) : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return self
    }
    return LocalTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      fraction: digits) ?? self
  }
}

extension RawTime {
  /// The date in the XMP beside the file, unless the file's own date says the same, and perhaps more:
  /// programs repeat it there without its decimals or its offset.
  fileprivate var dateBeside: FileDate? {
    guard let date = sidecarDate.flatMap({ DateText($0) }) else { return nil }
    if let own = dateInside, own.repeats(date) { return nil }
    return FileDate(sidecar: date)
  }

  fileprivate var dateInside: FileDate? {
    FileDate(.creation, creationDate)
      ?? FileDate(.original, dateTimeOriginal, subSecTimeOriginal, offsetTimeOriginal)
      ?? FileDate(.digitized, dateTimeDigitized, subSecTimeDigitized, offsetTimeDigitized)
      ?? FileDate(.modified, dateTime, subSecTime, offsetTime)
      ?? FileDate(.xmp, xmpDate)
      ?? FileDate(.iptc, iptcDate)
  }

  /// GPS date and time, seconds since 1970.
  fileprivate var gpsUTC: Int64? {
    guard let gpsDateStamp, let gpsTimeStamp else { return nil }
    return DateText(gpsDateStamp + " " + gpsTimeStamp)?.local.secondsAsUTC
  }
}
