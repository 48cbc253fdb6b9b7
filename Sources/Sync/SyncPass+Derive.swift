import IndexStore
import Linux
import Metadata
import Model
import Places

extension SyncPass {
  /// Derives times and places anew for rows that ask for it: no file is read.
  mutating func derive() async throws {
    while true {
      let version = try await index.othersVersion()
      let clocks = try await index.deviceClocks()
      let inputs = try await index.derivationsDue(in: root.id)
      guard !inputs.isEmpty else { return }
      try Task.checkCancellation()
      if try await index.store(inputs.map { derive($0, clocks) }, ifStill: version) {
        summary.counts.updated += inputs.count
      }
    }
  }

  private func derive(
    _ input: DerivationInput, _ clocks: [Int64: [DeviceClock]]
  ) -> Derivation {
    let location = input.position.flatMap { places?.locate($0) }
    let zone = location?.landZone
    let configured = root.timeZone ?? settings.timeZone
    var taken = input.userTime.flatMap {
      TakenTime($0, placeZone: zone, configuredZone: configured)
    }
    if taken == nil {
      let byFile = TakenTime.resolve(
        input.raw,
        name: settings.namesTellDates && !input.isPending ? Array(input.path.name) : nil,
        modified: input.modified, placeZone: zone, configuredZone: configured,
        zones: .system)
      let known = input.device.flatMap { clocks[$0] } ?? []
      taken = byFile.map { $0.corrected(by: known, placeZone: zone) }
    }
    return Derivation(
      id: input.id, taken: taken, place: location.flatMap { PlacedAt($0) },
      userPlace: input.userPlace)
  }
}

extension TakenTime {
  /// When the user says that it was; nil for a text that is no date.
  fileprivate init?(_ user: UserTime, placeZone: String?, configuredZone: String?) {
    guard let local = LocalTime(partial: user.local) else { return nil }
    let precision = user.precision.flatMap { TakenPrecision(rawValue: $0) }
    let zones = [user.zone, placeZone, configuredZone].compactMap { $0 }
    let zone = zones.first { TimeZoneDatabase.system.exists($0) }
    let minutes = zone.flatMap { offset(of: local, in: $0) }
    self.init(
      local: local, offsetMinutes: minutes, zone: minutes == nil ? nil : zone,
      source: TakenSource(date: .user, offset: minutes == nil ? nil : .zone, isFuture: false),
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
