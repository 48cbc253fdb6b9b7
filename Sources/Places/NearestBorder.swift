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
  /// first wins. `first` is the radius of the first search: narrow ones before a wide one spare its
  /// many cells, since most answers are near.
  func nearestBorder(
    to position: Position, within limit: Double, first: Double = 500, _ words: Span<UInt32>,
    _ credit: (EdgeFeatures) -> Int?
  ) -> NearestBorder? {
    var radius = min(first, limit)
    while true {
      var search = BorderSearch(position, radius: radius)
      for turn in [0, 2 * Int(east), -2 * Int(east)] where search.reaches(turn) {
        search.turn(by: turn)
        visitAll(&search, words, credit)
      }
      if let found = search.found(within: radius) { return found }
      guard radius < limit else { return nil }
      radius = min(2 * radius, limit)
    }
  }

  private func visitAll(
    _ search: inout BorderSearch, _ words: Span<UInt32>, _ credit: (EdgeFeatures) -> Int?
  ) {
    // Most searches lie within one cell, many levels below the globe.
    var (entry, cell) = (words[start], Cell.globe)
    while entry & LayerFormat.kindMask == LayerFormat.node, let child = search.onlyChild(of: cell) {
      entry = words[start + Int(entry & LayerFormat.valueMask) + child]
      cell = cell.child(child)
    }
    visit(entry, cell, &search, words, credit)
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
          let entry = words[offset + index]
          // A cell that belongs to one feature holds no border.
          guard entry & LayerFormat.kindMask != LayerFormat.uniform else { continue }
          visit(entry, cell.child(index), &search, words, credit)
        }
      }
    case LayerFormat.leaf where search.mayMeet(cell): visitLeaf(offset, &search, words, credit)
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
        if search.mayMeet(a, b) {
          search.consider(a, b) { credit(EdgeFeatures(mask: mask, group: group)) }
        }
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
  private var turn = 0.0
  private var window: Window

  init(_ position: Position, radius: Double) {
    x = Double(position.x)
    y = Double(position.y)
    scale = longitudeScale(atY: y)
    // The plane around the position is not the sphere; the limit itself is checked at the end.
    reach = radius / metresPerUnit * 1.01 + 1
    window = Window(x, y, reach / scale, reach)
  }

  func reaches(_ turn: Int) -> Bool {
    turn == 0 || abs(x + Double(turn)) <= Double(east) + reach / scale
  }

  mutating func turn(by turn: Int) {
    self.turn = Double(turn)
    window = Window(x + self.turn, y, reach / scale, reach)
  }

  func mayMeet(_ cell: Cell) -> Bool { window.meets(cell) }

  func mayMeet(_ a: Position, _ b: Position) -> Bool { window.meets(a, b) }

  /// The columns and rows of the children that the search may meet.
  func children(of cell: Cell) -> (columns: Range<Int>, rows: Range<Int>) {
    let shift = cell.shift - Cell.childShift
    let west = max(0, (window.west - cell.x) >> shift)
    let south = max(0, (window.south - cell.y) >> shift)
    return (
      west..<max(west, min(4, (window.east - cell.x) >> shift + 1)),
      south..<max(south, min(4, (window.north - cell.y) >> shift + 1))
    )
  }

  /// The child that holds all that the search may meet; nil where there is no such.
  func onlyChild(of cell: Cell) -> Int? {
    let shift = cell.shift - Cell.childShift
    let (column, row) = ((window.west - cell.x) >> shift, (window.south - cell.y) >> shift)
    guard (0..<4).contains(column), (window.east - cell.x) >> shift == column,
      (0..<4).contains(row), (window.north - cell.y) >> shift == row
    else { return nil }
    return 4 * row + column
  }

  /// Asks for the feature of an edge only if it is near enough, which few are.
  @inline(__always)
  mutating func consider(_ a: Position, _ b: Position, _ credit: () -> Int?) {
    let x = x + turn
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
    window = Window(x, y, reach / scale, reach)
  }

  func found(within limit: Double) -> NearestBorder? {
    guard let best else { return nil }
    let distance = metres(x, y, x + best.x, y + best.y)
    guard distance <= limit else { return nil }
    return NearestBorder(
      feature: best.feature, metres: distance, x: x + best.x, y: y + best.y)
  }
}

/// The positions that a search may meet, rounded outwards.
private struct Window {
  let west: Int
  let east: Int
  let south: Int
  let north: Int

  init(_ x: Double, _ y: Double, _ longitudeReach: Double, _ reach: Double) {
    // Close to a pole a search reaches around the globe.
    let longitudeReach = min(longitudeReach, 2 * Double(Places.east))
    west = Int(x - longitudeReach) - 1
    east = Int(x + longitudeReach) + 1
    south = Int(y - reach) - 1
    north = Int(y + reach) + 1
  }

  func meets(_ cell: Cell) -> Bool {
    cell.x <= east && cell.x + cell.size >= west && cell.y <= north && cell.y + cell.size >= south
  }

  /// Whether it meets the rectangle around an edge, of which `a` is the lower end.
  func meets(_ a: Position, _ b: Position) -> Bool {
    Int(b.y) >= south && Int(a.y) <= north && Int(max(a.x, b.x)) >= west
      && Int(min(a.x, b.x)) <= east
  }
}
