/// One pass of the reference model: what the words of DESIGN §6.5 to 6.7 come to, step by step.
struct ReferencePass {
  private(set) var index: ReferenceIndex
  private let disk: [String: ReferenceFile]
  private let directories: Set<String>
  private let look: ReferenceLook
  /// Rows whose files are gone, on good evidence.
  private var vanished: Set<Int64> = []
  /// Rows whose path another file has.
  private var displaced: Set<Int64> = []
  /// Files that no row had; the bytes decide whose they are.
  private var arrivals: [String] = []
  private var added = 0
  /// What was said of rows whose paths other photos took, with the rows that had their bytes then.
  private var replacements: [(row: ReferenceIndex.Row, copies: Set<Int64>)] = []

  init(_ index: ReferenceIndex, _ disk: ReferenceDisk, _ look: ReferenceLook) {
    self.index = index
    self.look = look
    directories = disk.directories
    self.disk = disk.files.filter { look.covers($0.key) && !look.isExcluded($0.key) }
  }

  mutating func run() {
    compare()
    if index.countsInodes { moveByInode() } else { moveDirectories() }
    if index.countsInodes { mergeTwins(of: index.rows.map(\.id).filter(vanished.contains)) }
    reconcile()
    adopt()
    retire()
    for row in index.rows.indices where index.rows[row].state == .present {
      let path = index.rows[row].path
      guard let file = disk[path], look.canOpen(path) else { continue }
      let isNews = index.rows[row].content == nil
      index.rows[row].content = file.content
      if isNews { index.inherit(row) }
    }
    noteChanceHeirs()
  }

  /// A copy that changes, and a copy where the row itself comes back, in the pass in which the row
  /// loses its path: they have been told what the user said of it, or they have not, for the files of
  /// a pass are written in no order.
  private mutating func noteChanceHeirs() {
    for (gone, copies) in replacements {
      let isBack = number(of: gone.id).map { index.rows[$0].state == .present } ?? false
      for heir in index.rows.indices where index.rows[heir].state == .present {
        let row = index.rows[heir]
        let isCopyNow = row.content == gone.content && isBack
        guard row.id != gone.id, !row.bequests.contains(gone.id),
          isCopyNow || copies.contains(row.id)
        else { continue }
        index.rows[heir].chances.append(gone)
      }
    }
  }

  // MARK: - Rows

  private func number(of id: Int64) -> Int? { index.rows.firstIndex { $0.id == id } }

  /// Once the rule that left it out has gone, a row has its path again.
  private func occupant(of path: String) -> Int? {
    index.rows.firstIndex { $0.path == path && $0.state != .missing }
  }

  private func isGone(_ row: ReferenceIndex.Row) -> Bool {
    row.state == .missing || vanished.contains(row.id)
  }

  private mutating func put(_ row: Int, at path: String) {
    guard let file = disk[path] else { return }
    index.rows[row].path = path
    index.rows[row].file = file
    comeBack(row)
    vanished.remove(index.rows[row].id)
    displaced.remove(index.rows[row].id)
  }

  private mutating func comeBack(_ row: Int) {
    if index.rows[row].state == .missing { index.forgetHeirs(of: row) }
    index.rows[row].state = .present
    release(row)
    index.rows[row].missingDay = nil
  }

  private mutating func release(_ row: Int) {
    if index.rows[row].isRemovalHeld { index.forgetHeirs(of: row) }
    index.rows[row].isRemovalHeld = false
  }

  /// Rows that go together hand on what the user said of them when all of them have gone.
  private mutating func leave(_ rows: [Int]) {
    for row in rows {
      index.rows[row].state = .missing
      index.rows[row].missingSince = look.now
      index.rows[row].missingDay = nil
      index.rows[row].isRemovalHeld = false
    }
    for row in rows {
      for heir in index.rows.indices { index.handOn(row, to: heir) }
    }
  }

  // MARK: - The steps

  private mutating func compare() {
    for row in index.rows.indices where index.rows[row].state != .missing {
      let known = index.rows[row]
      guard look.covers(known.path) else { continue }
      if look.isExcluded(known.path) {
        index.rows[row].state = .excluded
        release(row)
      } else if let file = disk[known.path] {
        if index.countsInodes, file.inode != known.file.inode {
          displaced.insert(known.id)
        }
      } else {
        vanished.insert(known.id)
      }
    }
  }

  /// An inode beats a path. Of rows that have been seen with it, the oldest has it.
  private mutating func moveByInode() {
    let coming = disk.keys.sorted().filter { path in
      occupant(of: path).map { displaced.contains(index.rows[$0].id) } ?? true
    }
    var claims: [String: Int64] = [:]
    for isNameKept in [true, false] {
      for path in coming where claims[path] == nil {
        claims[path] =
          index.rows.filter { row in
            (isGone(row) || displaced.contains(row.id)) && row.path != path
              && !claims.values.contains(row.id)
              && disk[path]?.isSame(as: row.file) == true
              && (!isNameKept || row.state != .missing && name(of: row.path) == name(of: path))
          }.map(\.id).min()
      }
    }
    let unseated = claims.keys.compactMap { occupant(of: $0) }.filter {
      !claims.values.contains(index.rows[$0].id)
    }
    for (path, id) in claims {
      if let row = number(of: id) { put(row, at: path) }
    }
    let rows = unseated.map { index.rows[$0].id }
    mergeTwins(of: rows)
    let left = rows.filter { displaced.contains($0) }
    displaced.subtract(left)
    leave(left.compactMap(number))
  }

  /// Where inodes do not count: a directory that went and one that came are the same if they hold
  /// the same names, sizes and times, and no others do.
  private mutating func moveDirectories() {
    let old = Dictionary(grouping: index.rows.filter { vanished.contains($0.id) }) {
      folder(of: $0.path)
    }.filter { !directories.contains($0.key) }
    let new = Dictionary(grouping: disk.keys) { folder(of: $0) }.filter { directory, _ in
      !index.rows.contains { $0.state != .missing && folder(of: $0.path) == directory }
    }
    let oldByContents = Dictionary(grouping: old.values) { rows in
      Set(rows.map { Entry($0.path, $0.file) })
    }
    let newByContents = Dictionary(grouping: new.keys) { directory in
      Set((new[directory] ?? []).compactMap { path in disk[path].map { Entry(path, $0) } })
    }
    for (contents, groups) in oldByContents where groups.count == 1 {
      guard let found = newByContents[contents], found.count == 1 else { continue }
      for known in groups[0] {
        let path = (found[0].isEmpty ? "" : found[0] + "/") + name(of: known.path)
        if let row = number(of: known.id) { put(row, at: path) }
      }
    }
  }

  private struct Entry: Hashable {
    let name: String
    let size: Int
    let modified: Int

    init(_ path: String, _ file: ReferenceFile) {
      name = SyncTests.name(of: path)
      size = file.content.size
      modified = file.modified
    }
  }

  /// A file that an earlier pass took for a new one is the file it was: the older row lives on.
  private mutating func mergeTwins(of rows: [Int64]) {
    for known in rows.compactMap({ number(of: $0) }).map({ index.rows[$0] })
    where known.state == .present {
      let twins = index.rows.filter {
        $0.id != known.id && $0.state == .present && $0.file.isSame(as: known.file)
          && !vanished.contains($0.id) && !displaced.contains($0.id)
      }
      guard let twin = twins.min(by: { $0.id < $1.id }), let row = number(of: known.id),
        let other = number(of: twin.id)
      else { continue }
      guard known.id < twin.id else {
        if !twin.bequests.contains(known.id) { index.handOnAnyway(row, to: other) }
        continue
      }
      index.forgetHeirs(of: row)
      index.rows[row].marks.join(twin.marks)
      index.rows[row].bequests.formUnion(twin.bequests)
      index.rows[row].content = twin.content ?? known.content
      index.rows[row].reading = twin.reading
      index.rows[row].isPending = twin.isPending
      index.rows[row].path = twin.path
      index.rows[row].file = twin.file
      comeBack(row)
      vanished.remove(known.id)
      displaced.remove(known.id)
      index.rows.remove(at: other)
    }
  }

  private mutating func reconcile() {
    var replaced: [Int] = []
    let before = index.rows
    for path in disk.keys.sorted() {
      guard let file = disk[path] else { continue }
      let there = index.rows.indices.filter { index.rows[$0].path == path }
      let row =
        there.first { index.rows[$0].state == .present }
        ?? there.first { index.rows[$0].state == .excluded } ?? there.last
      guard let row else {
        arrivals.append(path)
        continue
      }
      vanished.remove(index.rows[row].id)
      if index.rows[row].state == .missing {
        reappear(at: path, file, row)
      } else {
        comeBack(row)
        if isAnother(file, at: path, than: index.rows[row]) {
          replaced.append(row)
          added += 1
          // Its hash was read to tell it from the other, where that has one of its picture.
          let isHashed = index.rows[row].content?.isEmpty == false
          index.insert(path, file, file.content, isHashed: isHashed)
        } else {
          update(row, file)
        }
      }
    }
    replacements = replaced.map { index.rows[$0] }.filter {
      !$0.marks.isEmpty && $0.content?.isEmpty == false
    }.map { row in
      (row, Set(before.filter { $0.state == .present && $0.content == row.content }.map(\.id)))
    }
    leave(replaced)
  }

  /// Something is at the path of a missing row: that photo, if it has its bytes. That both are empty
  /// says nothing.
  private mutating func reappear(at path: String, _ file: ReferenceFile, _ row: Int) {
    let known = index.rows[row]
    let isUntouched =
      index.countsInodes ? file.isSame(as: known.file) : file.isUnchanged(from: known.file)
    if isUntouched {
      comeBack(row)
      update(row, file)
    } else if look.canOpen(path), !file.content.isEmpty, known.content == file.content {
      comeBack(row)
      update(row, file)
      index.rows[row].content = file.content
    } else {
      arrivals.append(path)
    }
  }

  private func isAnother(
    _ file: ReferenceFile, at path: String, than row: ReferenceIndex.Row
  ) -> Bool {
    guard look.canOpen(path), !file.isUnchanged(from: row.file) else { return false }
    if let known = row.content, !known.isEmpty { return file.content.isAnotherPhoto(than: known) }
    // Without a hash of the picture, the camera decides; all pictures are of one size.
    guard let reading = row.reading, !reading.isEmpty, !file.content.isEmpty else { return false }
    return file.content.camera != reading.camera
  }

  private mutating func update(_ row: Int, _ file: ReferenceFile) {
    let known = index.rows[row]
    let isChanged = !file.isUnchanged(from: known.file)
    // Nobody can say yet whose the bytes are.
    guard look.canOpen(known.path) || !isChanged else {
      index.rows[row].isPending = true
      return
    }
    index.rows[row].file = file
    let isRead = index.countsInodes ? file != known.file : isChanged
    if look.canOpen(known.path) {
      index.rows[row].isPending = file.content.isEmpty
      // What was read before is better than nothing.
      if !file.content.isEmpty { index.rows[row].reading = file.content }
      if isChanged {
        index.rows[row].content = contentRead(at: file, of: known)
        index.inherit(row)
      }
    } else if isRead {
      index.rows[row].isPending = true
    }
  }

  /// Of a file that is read, its hash as well if that decides who it is; else the pass computes it at
  /// its end, and until then nobody knows the copies.
  private func contentRead(at file: ReferenceFile, of known: ReferenceIndex.Row) -> PhotoContent? {
    guard let old = known.content, !old.isEmpty, !file.content.isEmpty,
      file.content.second != old.second || file.content.camera != old.camera
    else { return nil }
    return file.content
  }

  /// Bytes that went and came, once, are a photo that moved.
  private mutating func adopt() {
    let known = arrivals.filter { look.canOpen($0) }
    let byContent = Dictionary(grouping: known) { disk[$0]?.content }
    for path in arrivals {
      guard let file = disk[path] else { continue }
      let isAlone = look.canOpen(path) && byContent[file.content]?.count == 1
      let gone = index.rows.filter { isGone($0) && $0.content == file.content }.sorted {
        $0.id < $1.id
      }
      let row = gone.first { name(of: $0.path) == name(of: path) } ?? gone.first
      if isAlone, !file.content.isEmpty, let row, let number = number(of: row.id) {
        put(number, at: path)
        update(number, file)
      } else {
        added += 1
        index.insert(path, file, look.canOpen(path) ? file.content : nil)
      }
    }
  }

  /// Unless so many go that a person has to say that it is right.
  private mutating func retire() {
    // A person has said what is right; of what nobody can see now, too.
    for row in index.rows.indices
    where look.confirms && lies(index.rows[row].path, in: look.scope)
      && !vanished.contains(index.rows[row].id)
    {
      release(row)
    }
    let rows = index.rows.indices.filter { vanished.contains(index.rows[$0].id) }
    guard let fuse = index.fuse, !look.confirms, !rows.isEmpty else { return leave(rows) }
    // Whatever has held the root once, until it is back.
    let isHeld = index.rows.contains(where: \.isRemovalHeld)
    let going = rows.filter { index.rows[$0].state == .present }
    let recent = index.recentRemovals(at: look.now)
    let before = index.rows.count { $0.state == .present } + recent - added
    let isBlown =
      going.count + recent > fuse.count
      && Double(going.count + recent) > fuse.share * Double(before)
    guard isHeld || isBlown else { return leave(rows) }
    for row in going { index.rows[row].isRemovalHeld = true }
  }
}
