import Linux
import TestSupport

/// What the fault layer's journal tells of writes to the database and to its log.
///
/// A disk that loses its power has all that was synced, and of the rest any part: each sector that
/// was written since may hold the new bytes or the old ones.
struct UnsyncedWrites {
  private struct Record {
    var isTruncation: Bool
    var file: Int
    var offset: Int
    var old: [UInt8]
    var new: [UInt8]
    var oldSize: Int
  }

  /// Those that were not synced, in their order.
  private var records: [Record] = []

  /// Six numbers of 8 bytes begin each record: see FaultLayer.c.
  init(journal: [UInt8]) {
    var position = 0
    while position + 48 <= journal.count {
      let numbers = (0..<6).map { number in
        journal[(position + 8 * number)..<(position + 8 * number + 8)].reversed()
          .reduce(0) { $0 << 8 | Int($1) }
      }
      let (start, middle) = (position + 48, position + 48 + numbers[3])
      let end = middle + numbers[4]
      // The layer itself was killed in the middle of a record; its write had not begun.
      guard end <= journal.count else { return }
      position = end
      guard numbers[0] != 3 else {
        records.removeAll { $0.file == numbers[1] }
        continue
      }
      records.append(
        Record(
          isTruncation: numbers[0] == 2, file: numbers[1], offset: numbers[2],
          old: Array(journal[start..<middle]), new: Array(journal[middle..<end]),
          oldSize: numbers[5]))
    }
  }

  var count: Int { records.count }

  /// Takes back what was not synced, and then does a random part of it.
  func lose(from bytes: [[UInt8]], _ generator: inout SeededGenerator) -> [[UInt8]] {
    var files = bytes
    for record in records.reversed() {
      files[record.file].resize(to: max(record.oldSize, record.offset + record.old.count))
      files[record.file].replaceSubrange(
        record.offset..<(record.offset + record.old.count), with: record.old)
      files[record.file].resize(to: record.oldSize)
    }
    for record in records {
      if record.isTruncation {
        if Bool.random(using: &generator) { files[record.file].resize(to: record.offset) }
        continue
      }
      for start in stride(from: 0, to: record.new.count, by: sectorSize)
      where Bool.random(using: &generator) {
        let sector = record.new[start..<min(start + sectorSize, record.new.count)]
        let place = record.offset + start
        files[record.file].resize(to: max(files[record.file].count, place + sector.count))
        files[record.file].replaceSubrange(place..<(place + sector.count), with: sector)
      }
    }
    return files
  }
}

private let sectorSize = 512

extension [UInt8] {
  fileprivate mutating func resize(to size: Int) {
    if size < count { removeLast(count - size) }
    if size > count { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
