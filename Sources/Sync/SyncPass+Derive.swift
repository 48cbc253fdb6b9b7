import IndexStore

extension SyncPass {
  /// Derives times and places anew for rows that ask for it: no file is read.
  mutating func derive() async throws {
    while true {
      let version = try await index.othersVersion()
      let deriver = Deriver(
        places: places, namesTellDates: settings.namesTellDates,
        clocks: try await index.deviceClocks())
      let inputs = try await index.derivationsDue(in: root.id)
      guard !inputs.isEmpty else { return }
      try Task.checkCancellation()
      let zone = root.timeZone ?? settings.timeZone
      let derivations = inputs.map { deriver.derive($0, configuredZone: zone) }
      if try await index.store(derivations, ifStill: version) {
        summary.counts.updated += inputs.count
      }
    }
  }
}
