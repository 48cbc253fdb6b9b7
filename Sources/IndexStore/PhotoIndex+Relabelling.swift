import Model
import SQLite

extension PhotoIndex {
  /// How far a relabelling has come.
  package struct Relabelling: Sendable {
    package let digest: String
    /// The rows up to this id are done.
    package fileprivate(set) var last: Int64
    package fileprivate(set) var isDone = false
    /// Rows that say something else than before.
    package fileprivate(set) var changed = 0
  }

  /// What the atlas of this digest has to do: nil when the rows follow from it already.
  ///
  /// One that was cut short goes on where it was, unless it was for another atlas.
  package func beginRelabelling(to digest: String) throws -> Relabelling? {
    guard try meta("atlas_digest") != digest else { return nil }
    let words = try meta("relabelling")?.split(separator: " ") ?? []
    let last = words.first.map(String.init) == digest ? words.last.flatMap { Int64($0) } : nil
    return Relabelling(digest: digest, last: last ?? 0)
  }

  /// Derives the next `count` rows with a position anew, and stores those that come out otherwise;
  /// returns how long other writers had to wait.
  ///
  /// All in one transaction, so that nobody changes a row between the look at it and its change.
  package func relabel(
    _ relabelling: inout Relabelling, count: Int,
    by derive: (DerivationInput, [Int64: [DeviceClock]]) -> Derivation
  ) throws -> Duration {
    var next = relabelling
    let duration = try withoutCachesOnFailure {
      try connection.timedTransaction {
        let clocks = try deviceClocks()
        var inputs: [(input: DerivationInput, known: [Value])] = []
        let after: [Value] = [.integer(next.last), .integer(Int64(count))]
        try connection.run(selectPositioned, after) { row in
          inputs.append(
            (DerivationInput(row), derivedColumns.indices.map { row.value(CInt(14 + $0)) }))
        }
        for (input, known) in inputs
        where try storeWhatDiffers(derive(input, clocks), from: known) {
          next.changed += 1
        }
        next.isDone = inputs.count < count
        next.last = inputs.last?.input.id ?? next.last
        if next.isDone {
          try setMeta("atlas_digest", next.digest)
          try connection.execute("DELETE FROM meta WHERE key = 'relabelling'")
        } else {
          try setMeta("relabelling", "\(next.digest) \(next.last)")
        }
      }
    }
    relabelling = next
    return duration
  }

  /// Each column that is set costs its index. Returns whether any was.
  private func storeWhatDiffers(_ derivation: Derivation, from known: [Value]) throws -> Bool {
    var list = ValueList()
    try appendDerived(derivation, to: &list)
    let values = list.values
    guard values != known else { return false }
    let count = takenColumns.count
    if values[..<count] == known[..<count] {
      try connection.run(storePlace, [.integer(derivation.id)] + values[count...])
    } else {
      try store(derivation)
    }
    return true
  }

  /// How many rows there are from that id on, at most; what a relabelling has before it.
  package func rowsLeft(after id: Int64) throws -> Int {
    Int(try connection.integer("SELECT max(id) FROM photo") ?? 0) - Int(id)
  }
}

private let storePlace = updateOfPhoto(placeColumns, and: ", derive_due = 0")

private let selectPositioned = SQL(
  """
  SELECT \(derivationColumns), \(derivedColumns.map { "photo." + $0 }.joined(separator: ", "))
  FROM \(derivationTables)
  WHERE photo.id > ? AND latitude IS NOT NULL AND position_source IS NOT 'nearby'
  ORDER BY photo.id LIMIT ?
  """)
