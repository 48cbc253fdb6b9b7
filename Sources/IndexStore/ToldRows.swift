import SQLite

/// What the feed has told of each row since some token, in few bytes a row: a million may have
/// changed.
struct ToldRows {
  struct Told {
    let first: FeedChange.Kind
    let isMoved: Bool
    /// Each once, in the order in which they come.
    let fields: [String]
  }

  /// By subject, then by the start of the row's id: rows with neighbouring ids often change together.
  private var pages = feedSubjects.map { _ in [Int64: [PackedTold]]() }
  private var fields = FieldLists()

  /// Whether anything of that subject was told.
  func holds(_ subject: Int) -> Bool { !pages[subject].isEmpty }

  /// Adds a row of `change`, in the order of the feed: subject, row, kind and fields.
  mutating func add(_ change: borrowing Row) {
    let (page, slot) = place(of: change.integer(1))
    let list = PackedTold.list(of: pages[Int(change.integer(0))][page]?[slot])
    let next = fields.number(of: list, with: change.text(3))
    let kind = Int(change.integer(2))
    pages[Int(change.integer(0))][page, default: emptyPage][slot].add(kind, fields: next)
  }

  /// Takes one change of the row away; what was told of it in all, if that was the last one.
  mutating func takeLast(_ id: Int64, _ subject: Int) -> Told? {
    let (page, slot) = place(of: id)
    guard let told = pages[subject][page, default: emptyPage][slot].take(),
      let first = FeedChange.Kind(rawValue: feedKinds[told.firstKind])
    else { return nil }
    return Told(first: first, isMoved: told.isMoved, fields: fields.lists[told.fields])
  }

  private func place(of id: Int64) -> (page: Int64, slot: Int) {
    let (page, slot) = id.quotientAndRemainder(dividingBy: Int64(pageSize))
    // What follows from no id that SQLite gives must not stop the reader.
    return slot < 0 ? (page - 1, Int(slot) + pageSize) : (page, Int(slot))
  }
}

private let pageSize = 64
private let emptyPage = Array(repeating: PackedTold(), count: pageSize)

/// What was told of one row.
private struct PackedTold {
  private var count: UInt32 = 0
  /// The number of the first kind in three bits, whether any was a move in one, the fields in 28.
  private var rest: UInt32 = 0

  var firstKind: Int { Int(rest & 7) }
  var isMoved: Bool { rest & 8 != 0 }
  var fields: Int { Int(rest >> 4) }

  static func list(of told: PackedTold?) -> Int { told?.fields ?? 0 }

  mutating func add(_ kind: Int, fields: Int) {
    let first = count == 0 ? UInt32(kind) : rest & 7
    let moved = feedKinds[kind] == "move" ? 8 : rest & 8
    rest = UInt32(fields) << 4 | moved | first
    count += 1
  }

  mutating func take() -> PackedTold? {
    guard count > 0 else { return nil }
    count -= 1
    return count == 0 ? self : nil
  }
}

/// The lists of fields that rows have, each once: there are few.
private struct FieldLists {
  private struct Step: Hashable {
    let list: Int
    let text: String
  }

  private(set) var lists: [[String]] = [[]]
  private var numbers: [[String]: Int] = [[]: 0]
  private var known: [Step: Int] = [:]
  private var last: (step: Step, number: Int)?

  /// The number of that list with the words between the commas.
  mutating func number(of list: Int, with text: String?) -> Int {
    guard let text, !text.isEmpty else { return list }
    let step = Step(list: list, text: text)
    if let last, last.step == step { return last.number }
    let number = known[step] ?? add(step)
    last = (step, number)
    return number
  }

  private mutating func add(_ step: Step) -> Int {
    var words = lists[step.list]
    for word in step.text.split(separator: ",").map(String.init) where !words.contains(word) {
      words.append(word)
    }
    let number = numbers[words] ?? lists.count
    if number == lists.count { lists.append(words) }
    numbers[words] = number
    known[step] = number
    return number
  }
}
