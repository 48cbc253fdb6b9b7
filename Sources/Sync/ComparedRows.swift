import IndexStore

/// The rows of some directories as they were when these were compared, so that they need not be read
/// once more as long as nothing is written.
struct ComparedRows: Sendable {
  private var rows: [Int: [KnownPhoto]] = [:]
  private var room = mostKept
  /// How many changes of rows the index had made then.
  private var changes = 0

  /// Keeps the present and excluded rows of a directory, by its number in the survey.
  mutating func keep(_ photos: [KnownPhoto], of directory: Int, at changes: Int) {
    if changes != self.changes { self = ComparedRows(changes: changes) }
    guard photos.count <= room else { return }
    room -= photos.count
    rows[directory] = photos
  }

  /// nil: they have to be read.
  mutating func take(_ directory: Int, at changes: Int) -> [KnownPhoto]? {
    changes == self.changes ? rows.removeValue(forKey: directory) : nil
  }

  init() {}

  private init(changes: Int) {
    self.changes = changes
  }
}

/// Of a few directories: where more have changed, writing begins before the others are looked at.
private let mostKept = 4000
