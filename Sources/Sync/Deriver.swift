package import IndexStore
import Linux
import Metadata
import Model
package import Places

/// Tells what follows for a row from what its file and the user say, without a look at the file.
package struct Deriver: Sendable {
  let places: Atlas?
  let namesTellDates: Bool
  /// What the user says of the devices' clocks, by device.
  let clocks: [Int64: [DeviceClock]]

  package init(places: Atlas?, namesTellDates: Bool, clocks: [Int64: [DeviceClock]]) {
    self.places = places
    self.namesTellDates = namesTellDates
    self.clocks = clocks
  }

  package func derive(_ input: DerivationInput, configuredZone: String?) -> Derivation {
    let location = input.position.flatMap { places?.locate($0) }
    let zones = Zones(
      place: location?.landZone, configured: configuredZone, sea: location?.seaZone)
    let taken = input.userTime.flatMap { TakenTime($0, zones) } ?? byFile(input, zones)
    return Derivation(input, taken: taken, place: places?.placed(input.position, location))
  }

  private func byFile(_ input: DerivationInput, _ zones: Zones) -> TakenTime? {
    let byFile = TakenTime.resolve(
      input.raw, name: namesTellDates && !input.isPending ? Array(input.path.name) : nil,
      modified: input.modified, placeZone: zones.place, configuredZone: zones.configured,
      seaZone: zones.sea, zones: .system)
    let known = input.device.flatMap { clocks[$0] } ?? []
    return byFile.map { $0.corrected(by: known, placeZone: zones.place) }
  }
}

private struct Zones {
  let place: String?
  let configured: String?
  /// Of the open sea, the last resort.
  let sea: String?
}

extension TakenTime {
  /// When the user says that it was; nil for a text that is no date.
  fileprivate init?(_ user: UserTime, _ zones: Zones) {
    guard let local = LocalTime(partial: user.local) else { return nil }
    let precision = user.precision.flatMap { TakenPrecision(rawValue: $0) }
    let known = [user.zone, zones.place, zones.configured].compactMap(\.self).first {
      TimeZoneDatabase.system.exists($0)
    }
    let zone = known ?? zones.sea
    let minutes = zone.flatMap { offset(of: local, in: $0) }
    let way: TakenSource.Offset = known == nil ? .sea : .zone
    self.init(
      local: local, offsetMinutes: minutes, zone: minutes == nil ? nil : zone,
      source: TakenSource(date: .user, offset: minutes == nil ? nil : way, isFuture: false),
      precision: precision ?? TakenPrecision(ofPartial: user.local))
  }
}

extension TakenPrecision {
  /// The finest unit that is written in as much of `2024-05-01T13:45:10` as the text has.
  fileprivate init(ofPartial text: String) {
    switch text.utf8.count {
    case ...4: self = .year
    case ...7: self = .month
    case ...10: self = .day
    case ...13: self = .hour
    case ...16: self = .minute
    default: self = .second
    }
  }
}

extension TakenTime {
  /// With the clock of the device put right, as the user says that it was off at that reading.
  fileprivate func corrected(by clocks: [DeviceClock], placeZone: String?) -> TakenTime {
    // What stands beside the file is not what the device's clock showed.
    guard source.date != .sidecar, source.date != .takeout else { return self }
    let reading = local.description
    let clock = clocks.first { $0.fromLocal <= reading && reading < $0.toLocal }
    guard let clock else { return self }
    let (seconds, overflows) = local.secondsAsUTC.addingReportingOverflow(clock.shiftSeconds)
    guard !overflows, let right = LocalTime(secondsAsUTC: seconds, fraction: local.fraction) else {
      return self
    }
    guard let clockZone = clock.zone, let minutes = offset(of: right, in: clockZone) else {
      return TakenTime(
        local: right, offsetMinutes: offsetMinutes, zone: zone, source: source,
        precision: precision)
    }
    // The clock showed the time of one zone, and perhaps the photo was taken in another.
    let utc = right.secondsAsUTC - Int64(minutes) * 60
    let zone = placeZone ?? clockZone
    let there = TimeZoneDatabase.system.offset(ofZone: zone, atUTC: utc).map { $0 / 60 } ?? minutes
    return TakenTime(
      local: LocalTime(secondsAsUTC: utc + Int64(there) * 60, fraction: local.fraction) ?? right,
      offsetMinutes: there, zone: zone,
      source: TakenSource(date: source.date, offset: .zone, isFuture: source.isFuture),
      precision: precision)
  }
}

/// The offset, in minutes, with which the zone's clocks show `local`; of two, the earlier.
private func offset(of local: LocalTime, in zone: String) -> Int? {
  switch TimeZoneDatabase.system.offsets(ofZone: zone, atLocal: local.secondsAsUTC) {
  case .one(let offset), .two(let offset, _), .skipped(let offset): offset / 60
  case nil: nil
  }
}
