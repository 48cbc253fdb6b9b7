import Linux
import TestSupport

/// What the fault layer's journal tells of writes to the database and to what is beside it, and of
/// names that came and went there.
///
/// A disk that loses its power has all that was synced, and of the rest any part: each sector that
/// was written since may hold the new bytes or the old ones, and of the names, whose order file systems
/// keep, the last ones may be as they were. That a file was synced says nothing of its name: POSIX wants
/// the directory synced for that.
struct UnsyncedWrites {
  private struct Write {
    let isTruncation: Bool
    let inode: Int
    let offset: Int
    let old: [UInt8]
    let new: [UInt8]
    let oldSize: Int
  }

  private struct Naming {
    enum Event: Int {
      case made = 4
      case removed
      case renamed
    }

    let event: Event
    let old: String
    let new: String
    /// Under which number the file is kept that had the name.
    let kept: Int
  }

  /// Those that were not synced, in their order.
  private var writes: [Write] = []
  private var namings: [Naming] = []
  /// The numbers of all calls by which a name came or went.
  private(set) var namingCalls: [Int] = []

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
      add(numbers, Array(journal[start..<middle]), Array(journal[middle..<end]))
    }
  }

  private mutating func add(_ numbers: [Int], _ old: [UInt8], _ new: [UInt8]) {
    switch (numbers[0], Naming.Event(rawValue: numbers[0])) {
    case (3, _): writes.removeAll { $0.inode == numbers[1] }
    case (7, _): namings = []
    case (_, let event?):
      namingCalls.append(numbers[2])
      namings.append(
        Naming(
          event: event, old: String(decoding: old, as: UTF8.self),
          new: String(decoding: new, as: UTF8.self), kept: numbers[1]))
    default:
      writes.append(
        Write(
          isTruncation: numbers[0] == 2, inode: numbers[1], offset: numbers[2], old: old, new: new,
          oldSize: numbers[5]))
    }
  }

  var count: Int { writes.count }

  /// Leaves in the directory what the disk may have: of the files whose names begin so. `journal` is
  /// the name of the journal there.
  func lose(
    in directory: TemporaryDirectory, _ prefix: String, journal: String,
    _ generator: inout SeededGenerator
  ) throws {
    let left = Int.random(in: 0...namings.count, using: &generator)
    for naming in namings[left...].reversed() { try undo(naming, in: directory, journal) }
    for name in try directory.names().sorted() where name.hasPrefix(prefix) {
      let inode = Int(try directory.inode(of: name))
      guard writes.contains(where: { $0.inode == inode }) else { continue }
      try directory.write(name, lose(from: try directory.read(name), of: inode, &generator))
    }
  }

  /// The call itself may have been left out, by a kill at one of another thread's.
  private func undo(
    _ naming: Naming, in directory: TemporaryDirectory, _ journal: String
  ) throws {
    let names = [naming.old, naming.new].map { String($0.dropFirst(directory.path.count + 1)) }
    switch naming.event {
    case .made: directory.remove(names[0])
    case .removed where !directory.holds(names[0]):
      try directory.hardLink(names[0], to: "\(journal).\(naming.kept)")
    case .renamed where !directory.holds(names[0]):
      try directory.move(names[1], to: names[0])
      if naming.kept > 0 {
        try directory.hardLink(names[1], to: "\(journal).\(naming.kept)")
      }
    default: break
    }
  }

  /// Takes back what was not synced, and then does a random part of it.
  func lose(
    from bytes: [UInt8], of inode: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var file = bytes
    let writes = writes.filter { $0.inode == inode }
    for write in writes.reversed() {
      file.resize(to: max(write.oldSize, write.offset + write.old.count))
      file.replaceSubrange(write.offset..<(write.offset + write.old.count), with: write.old)
      file.resize(to: write.oldSize)
    }
    for write in writes {
      if write.isTruncation {
        if Bool.random(using: &generator) { file.resize(to: write.offset) }
        continue
      }
      for start in stride(from: 0, to: write.new.count, by: sectorSize)
      where Bool.random(using: &generator) {
        let sector = write.new[start..<min(start + sectorSize, write.new.count)]
        let place = write.offset + start
        file.resize(to: max(file.count, place + sector.count))
        file.replaceSubrange(place..<(place + sector.count), with: sector)
      }
    }
    return file
  }
}

private let sectorSize = 512

extension [UInt8] {
  fileprivate mutating func resize(to size: Int) {
    if size < count { removeLast(count - size) }
    if size > count { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
