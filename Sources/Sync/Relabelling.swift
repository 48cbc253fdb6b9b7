package import IndexStore
package import Places

/// Brings what the rows and the places say in line with the atlas and the languages, without a look
/// at the photos: after new data, another language, or another file of the user's own places.
///
/// A relabelling that is cut short goes on where it was. No transaction lasts longer than the others
/// of a sync, and only rows that say something else than before enter the feed.
package func relabel(
  _ index: PhotoIndex, _ atlas: Atlas, languages: [String], namesTellDates: Bool,
  report: (SyncEvent) -> Void
) async throws {
  let wanted = languages.joined(separator: " ")
  let named = try await index.meta("place_languages")
  var job = try await index.beginRelabelling(to: atlas.digest)
  if job != nil || named != wanted {
    try await index.refreshPlaces()
    try await index.setMeta("place_languages", wanted)
  }
  var size = TransactionSize()
  let total = try await index.rowsLeft(after: 0)
  while var next = job, !next.isDone {
    try Task.checkCancellation()
    report(.labelling(done: Int(next.last), of: total))
    let (count, before) = (size.rows, next.last)
    let duration = try await index.relabel(&next, count: count) { input, clocks in
      Deriver(places: atlas, namesTellDates: namesTellDates, clocks: clocks)
        .derive(input, configuredZone: input.rootZone)
    }
    size.adapt(to: duration, for: next.last > before ? count : 0)
    job = next
  }
}
