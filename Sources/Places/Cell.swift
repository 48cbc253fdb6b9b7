/// A square of the globe in a layer's tree: the positions from (`x`, `y`) on, 2^`shift` each way.
struct Cell {
  let x: Int
  let y: Int
  let shift: Int

  /// Holds the whole globe; what lies beyond it is empty.
  static let globe = Cell(x: -Int(east), y: -Int(north), shift: 32)

  /// Each square is divided into 4 × 4: a node is then one cache line.
  static let childShift = 2
  static let childCount = 16

  var size: Int { 1 << shift }

  func child(_ index: Int) -> Cell {
    let shift = shift - Cell.childShift
    return Cell(x: x + (index & 3) << shift, y: y + (index >> 2) << shift, shift: shift)
  }

  /// Whether the edge may pass through the square or the column of positions west of it.
  ///
  /// Doubtful cases pass: an edge too many in a cell changes no answer.
  func mayMeet(_ edge: Edge) -> Bool {
    let west = x - 1
    let (ax, bx) = (Int(edge.ax), Int(edge.bx))
    guard max(ax, bx) >= west, min(ax, bx) < x + size, Int(edge.by) >= y, Int(edge.ay) < y + size
    else { return false }
    // The middle's distance from the line against the half extent of the square across it.
    let (dx, dy) = (Double(bx - ax), Double(Int(edge.by) - Int(edge.ay)))
    let half = Double(size) / 2 + 1
    let cross = dx * (Double(y) + half - Double(edge.ay)) - dy * (Double(x) + half - Double(ax))
    return abs(cross) <= (abs(dx) + dy) * (half + 2)
  }
}

extension Cell {
  /// The children that the edge may pass through, as a set of bits.
  func children(meeting edge: Edge) -> UInt16 {
    let shift = shift - Cell.childShift
    let (west, east) = (Int(min(edge.ax, edge.bx)), Int(max(edge.ax, edge.bx)))
    let columns = max(0, (west - x) >> shift)...max(0, min(3, (east + 1 - x) >> shift))
    let rows = max(0, (Int(edge.ay) - y) >> shift)...max(0, min(3, (Int(edge.by) - y) >> shift))
    // In a single row or column an edge meets all between its ends.
    let isCertain = columns.count == 1 || rows.count == 1
    var children: UInt16 = 0
    for row in rows {
      for index in columns.lowerBound + row * 4...columns.upperBound + row * 4
      where isCertain || child(index).mayMeet(edge) {
        children |= 1 << UInt16(index)
      }
    }
    return children
  }
}

/// One side of a ring of a feature, its lower end first.
struct Edge {
  let ax: Int32
  let ay: Int32
  let bx: Int32
  let by: Int32
  let feature: Int32

  init?(from a: Position, to b: Position, feature: Int32) {
    guard a != b else { return nil }
    let (low, high) = a.y <= b.y ? (a, b) : (b, a)
    ax = low.x
    ay = low.y
    bx = high.x
    by = high.y
    self.feature = feature
  }

  /// Whether a ray that goes west from the point meets the edge. The lower end belongs to the
  /// edge, the upper one does not, and a point on the edge meets it: of two areas that share an
  /// edge the eastern or northern one owns its points.
  func isWest(ofX x: Int, y: Int) -> Bool {
    isEdgeWest(Int(ax), Int(ay), Int(bx), Int(by), x, y)
  }
}

/// Exact: both products stay below 2^63, as |by − ay| ≤ 1.8·10⁹ and the other factors ≤ 4.3·10⁹.
@inline(__always)
func isEdgeWest(_ ax: Int, _ ay: Int, _ bx: Int, _ by: Int, _ x: Int, _ y: Int) -> Bool {
  ay <= y && y < by && (bx &- ax) &* (y &- ay) <= (x &- ax) &* (by &- ay)
}
