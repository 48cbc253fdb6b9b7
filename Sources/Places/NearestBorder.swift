/// The border of a feature that is nearest to a position.
struct NearestBorder {
  /// The feature that the search asked for.
  let feature: Int
  let metres: Double
  /// The point of the border, in units.
  let x: Double
  let y: Double
}

extension Layer {
  /// The nearest edge within `limit` metres for which `credit` names a feature.
  ///
  /// `credit` gets the features whose border the edge is. Of two that are equally near, the
  /// first wins.
  func nearestBorder(
    to position: Position, within limit: Double, _ words: Span<UInt32>,
    _ credit: (EdgeFeatures) -> Int?
  ) -> NearestBorder? {
    // Most answers are near; a narrow search first spares the many cells of a wide one.
    for radius in [limit / 16, limit] {
      var search = BorderSearch(position, radius: radius)
      for turn in [0, 2 * Int(east), -2 * Int(east)] where search.reaches(turn) {
        search.turn = turn
        visit(words[start], .globe, &search, words, credit)
      }
      if let found = search.found(within: radius) { return found }
    }
    return nil
  }

  private func visit(
    _ entry: UInt32, _ cell: Cell, _ search: inout BorderSearch, _ words: Span<UInt32>,
    _ credit: (EdgeFeatures) -> Int?
  ) {
    let offset = start + Int(entry & LayerFormat.valueMask)
    switch entry & LayerFormat.kindMask {
    case LayerFormat.node:
      let (columns, rows) = search.children(of: cell)
      for row in rows {
        for index in columns.lowerBound + 4 * row..<columns.upperBound + 4 * row {
          visit(words[offset + index], cell.child(index), &search, words, credit)
        }
      }
    case LayerFormat.leaf where search.mayMeet(cell): visitLeaf(offset, &search, words, credit)
    // A cell that belongs to one feature holds no border.
    default: return
    }
  }

  private func visitLeaf(
    _ offset: Int, _ search: inout BorderSearch, _ words: Span<UInt32>,
    _ credit: (EdgeFeatures) -> Int?
  ) {
    var group = LeafGroup(words, at: offset)
    while true {
      var offset = group.edges
      while offset < group.end {
        let (a, b, mask) = group.edge(at: offset, words)
        search.consider(a, b) { credit(EdgeFeatures(mask: mask, group: group)) }
        offset += LayerFormat.edgeWords
      }
      if group.isLast { return }
      group = LeafGroup(words, at: group.end)
    }
  }
}

/// A search that knows the best so far and how far it still must look.
private struct BorderSearch {
  /// Where the search stands, in units; a turn around the globe away when it looks across ±180°.
  private let x: Double
  private let y: Double
  private let scale: Double
  private var best: (squared: Double, feature: Int, x: Double, y: Double)?
  /// In units of latitude.
  private var reach: Double
  var turn = 0

  init(_ position: Position, radius: Double) {
    x = Double(position.x)
    y = Double(position.y)
    scale = longitudeScale(atY: y)
    // The plane around the position is not the sphere; the limit itself is checked at the end.
    reach = radius / metresPerUnit * 1.01 + 1
  }

  private var longitudeReach: Double { min(reach / scale, 2 * Double(east)) }

  func reaches(_ turn: Int) -> Bool {
    let x = x + Double(turn)
    return turn == 0 || abs(x) <= Double(east) + longitudeReach
  }

  func mayMeet(_ cell: Cell) -> Bool {
    let x = x + Double(turn)
    return Double(cell.x) <= x + longitudeReach
      && Double(cell.x + cell.size) >= x - longitudeReach
      && Double(cell.y) <= y + reach && Double(cell.y + cell.size) >= y - reach
  }

  /// The columns and rows of the children that the search may meet.
  func children(of cell: Cell) -> (columns: Range<Int>, rows: Range<Int>) {
    let shift = cell.shift - Cell.childShift
    let range = { (middle: Double, reach: Double, start: Int) -> Range<Int> in
      let first = max(0, (Int(middle - reach) - 1 - start) >> shift)
      return first..<max(first, min(4, (Int(middle + reach) + 1 - start) >> shift + 1))
    }
    return (range(x + Double(turn), longitudeReach, cell.x), range(y, reach, cell.y))
  }

  /// Asks for the feature of an edge only if it is near enough, which few are.
  @inline(__always)
  mutating func consider(_ a: Position, _ b: Position, _ credit: () -> Int?) {
    let x = x + Double(turn)
    let (ax, ay) = ((Double(a.x) - x) * scale, Double(a.y) - y)
    let (dx, dy) = ((Double(b.x) - Double(a.x)) * scale, Double(b.y) - Double(a.y))
    let length = dx * dx + dy * dy
    let share = length > 0 ? max(0, min(1, -(ax * dx + ay * dy) / length)) : 0
    let (px, py) = (ax + share * dx, ay + share * dy)
    let squared = px * px + py * py
    guard squared <= reach * reach, let feature = credit() else { return }
    if let best, best.squared < squared || best.squared == squared && best.feature <= feature {
      return
    }
    best = (squared, feature, px / scale, py)
    reach = squared.squareRoot()
  }

  func found(within limit: Double) -> NearestBorder? {
    guard let best else { return nil }
    let distance = metres(x, y, x + best.x, y + best.y)
    guard distance <= limit else { return nil }
    return NearestBorder(
      feature: best.feature, metres: distance, x: x + best.x, y: y + best.y)
  }
}
