/// What the index must say, as DESIGN §6.5 to 6.8 has it, in values alone: no file is opened, and
/// nothing is stored anywhere.
struct ReferenceIndex {
  struct Row: Hashable {
    enum State: String { case present, missing, excluded }

    /// Older rows have smaller ones; that of the index, once it has been seen there.
    var id: Int64
    var path: String
    var file: ReferenceFile
    var state = State.present
    /// What is known of the bytes; nil when they could not be read.
    var content: PhotoContent?
    /// What the last reading told, be it of older bytes.
    var reading: PhotoContent?
    var isPending = false
    var isRemovalHeld = false
    var missingSince = 0
    /// The number of the first day with a good scan on which it was missing.
    var missingDay: Int?
    var marks = Marks()
    /// The number of the pass that found it.
    var foundIn = 0
    /// That of the pass in which somebody inherited first what was said of it.
    var inheritedIn: Int?
    /// The rows that it has inherited from.
    var bequests: Set<Int64> = []
    /// Rows that it may have inherited from in the last pass; the index decides.
    var chances: [Row] = []
  }

  /// What the user said of a photo.
  struct Marks: Hashable {
    var isFavourite = false
    var albums: Set<Int> = []
    var rating: Int?
    var time: String?

    var isEmpty: Bool { self == Marks() }

    /// What was said of the photo itself is not overruled.
    mutating func join(_ other: Marks) {
      isFavourite = isFavourite || other.isFavourite
      albums.formUnion(other.albums)
      rating = rating ?? other.rating
      time = time ?? other.time
    }
  }

  /// In the order of their ids.
  var rows: [Row] = []
  var state = "online"
  /// Whether a file is known by its inode where its path is not.
  var countsInodes = true
  var fuse: (share: Double, count: Int)?
  /// For how many other days with a good scan a missing row is kept.
  var grace = 30
  private var confirmedAt: Int?
  private var passes = 0
  private var scanDays = ScanDays()
  /// Of rows that no look at the index has shown yet.
  private var nextID = firstUnseenID

  static let firstUnseenID: Int64 = 1 << 40

  /// A pass over what is on disk.
  mutating func pass(over disk: ReferenceDisk, _ look: ReferenceLook) {
    guard look.isRootThere else {
      state = "offline"
      return
    }
    passes += 1
    var pass = ReferencePass(self, disk, look)
    pass.run()
    self = pass.index
    if look.confirms { confirmedAt = look.now }
    state = rows.contains(where: \.isRemovalHeld) ? "held" : "online"
    if look.scope.isEmpty { forgetLongMissing(look) }
  }

  mutating func insert(
    _ path: String, _ file: ReferenceFile, _ content: PhotoContent?, isHashed: Bool = true
  ) {
    nextID += 1
    rows.append(
      Row(
        id: nextID, path: path, file: file, content: isHashed ? content : nil,
        reading: content.flatMap { $0.isEmpty ? nil : $0 },
        // What is empty may be about to be written.
        isPending: content?.isEmpty ?? true, foundIn: passes))
    inherit(rows.count - 1)
  }

  /// Whether two rows, be they missing, have the same bytes.
  var holdsCopies: Bool {
    let contents = rows.compactMap { $0.content ?? $0.reading }.filter { !$0.isEmpty }
    return Set(contents).count < contents.count
  }

  /// Copied now, deleted later: a present copy of what is gone is told what was said of that, once.
  /// What comes when there are heirs already is a copy of theirs.
  mutating func handOn(_ gone: Int, to heir: Int) {
    let (from, to) = (rows[gone], rows[heir])
    guard to.state == .present, from.id != to.id, !from.marks.isEmpty,
      let content = from.content, !content.isEmpty, to.content == content,
      !to.bequests.contains(from.id), to.foundIn <= from.inheritedIn ?? passes
    else { return }
    handOnAnyway(gone, to: heir)
  }

  mutating func handOnAnyway(_ gone: Int, to heir: Int) {
    rows[heir].marks.join(rows[gone].marks)
    rows[heir].bequests.insert(rows[gone].id)
    rows[gone].inheritedIn = rows[gone].inheritedIn ?? passes
  }

  /// What a pass may have handed on, it has, where that makes a row what `isSeen` knows.
  mutating func takeChances(_ isSeen: (Row) -> Bool) {
    for heir in rows.indices {
      for gone in rows[heir].chances {
        var row = rows[heir]
        row.marks.join(gone.marks)
        guard !isSeen(rows[heir]), isSeen(row) else { continue }
        rows[heir].marks = row.marks
        guard let from = rows.firstIndex(where: { $0.id == gone.id && $0.state == .missing })
        else { continue }
        handOnAnyway(from, to: heir)
      }
      rows[heir].chances = []
    }
  }

  /// Once its bytes are known.
  mutating func inherit(_ heir: Int) {
    for gone in rows.indices where rows[gone].state == .missing { handOn(gone, to: heir) }
  }

  /// A row that is back has no heirs any more.
  mutating func forgetHeirs(of row: Int) {
    rows[row].inheritedIn = nil
    for heir in rows.indices { rows[heir].bequests.remove(rows[row].id) }
  }

  /// How many rows turned missing within a day; a time in the future is that of a clock that was
  /// put back, and counts.
  func recentRemovals(at now: Int) -> Int {
    rows.count { row in
      row.state == .missing && row.missingSince > now - 86_400
        && (confirmedAt.map { $0 > now || row.missingSince > $0 } ?? true)
    }
  }

  private mutating func forgetLongMissing(_ look: ReferenceLook) {
    scanDays.count(day: look.now / 86_400)
    for index in rows.indices where rows[index].state == .missing {
      rows[index].missingDay = rows[index].missingDay ?? scanDays.newest
    }
    guard let limit = scanDays.numberOfDay(before: grace) else { return }
    rows.removeAll {
      $0.state == .missing && ($0.missingDay ?? limit + 1) <= limit && $0.marks.isEmpty
        && !look.isUnlisted($0.path)
    }
  }
}

/// A file as a listing shows it, and what is in it.
struct ReferenceFile: Hashable, Sendable {
  var inode: UInt64
  var modified: Int
  /// When anything about it changed last, in nanoseconds.
  var changed: Int64 = 0
  var content: PhotoContent

  /// What stays with a file that is renamed.
  func isSame(as other: ReferenceFile) -> Bool { inode == other.inode && isUnchanged(from: other) }

  func isUnchanged(from other: ReferenceFile) -> Bool {
    modified == other.modified && content.size == other.content.size
  }
}

/// How a pass looks at the disk, and what keeps it from seeing all.
struct ReferenceLook {
  /// Seconds since 1970.
  var now: Int
  var scope = ""
  var isRootThere = true
  /// A directory that a rule leaves out.
  var excluded: String?
  /// A directory that cannot be listed.
  var unlisted: String?
  /// A directory whose files cannot be opened.
  var unopened: String?
  /// Whether a person has confirmed the removals.
  var confirms = false

  func covers(_ path: String) -> Bool { lies(path, in: scope) && !isUnlisted(path) }
  func isExcluded(_ path: String) -> Bool { excluded.map { lies(path, in: $0) } ?? false }
  func isUnlisted(_ path: String) -> Bool { unlisted.map { lies(path, in: $0) } ?? false }
  func canOpen(_ path: String) -> Bool { unopened.map { !lies(path, in: $0) } ?? true }
}

/// Dates with a good scan of the whole root, each counted once, whatever the clock does.
private struct ScanDays {
  private var days: [Int] = []
  private var last: Int?

  var newest: Int { days.count }

  mutating func count(day: Int) {
    if last.map({ $0 < day }) ?? true, !days.contains(day) { days.append(day) }
    last = day
  }

  /// The number of the day with so many others behind it; nil when there is none.
  func numberOfDay(before count: Int) -> Int? { newest > count ? newest - count : nil }
}

func lies(_ path: String, in directory: String) -> Bool {
  directory.isEmpty || path.hasPrefix(directory + "/")
}

func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
}

func name(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
}
