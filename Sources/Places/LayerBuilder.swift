/// Builds the tree of a layer from the rings of its features.
///
/// The rule that decides: a position is inside a feature if a ray to the west meets an odd number
/// of its edges. A cell keeps the edges that may lie within it, and what all others contribute on
/// its western side, which does not change from there to its eastern side.
package struct LayerBuilder {
  private var edges: [Edge] = []
  var words: [UInt32] = [0]
  /// The edge lists of the cells from the globe down to the one at hand.
  private var stack: [Int32] = []
  private var scratch: Parity

  /// The more edges a leaf holds, the smaller the atlas and the slower the look-up.
  static let leafCapacity = 24
  /// Leaves of 4096 units, some 45 m, are not divided further, whatever they hold.
  static let smallestShift = 12

  /// A layer may grow to so many words for each edge. The bundled layers need a tenth; but edges
  /// that run across the globe, as only a mistaken or hostile file has them, would fill the memory
  /// with their crumbs. Beyond the limit cells are not divided further: slower, and still right.
  static let wordsPerEdge = 64

  /// The layer of features with these rings; the first of overlapping ones wins.
  package static func layer(_ features: [Rings?]) -> [UInt32] {
    var builder = LayerBuilder(features)
    let corner = builder.base(.globe, builder.edges, [])
    builder.words[0] = builder.entry(.globe, 0..<builder.edges.count, corner)
    return builder.words
  }

  private init(_ features: [Rings?]) {
    scratch = Parity(count: features.count)
    for (number, rings) in features.enumerated() {
      guard let rings else { continue }
      for ring in rings.ends.indices { append(rings[ring], feature: Int32(number)) }
    }
    stack = edges.indices.map { Int32($0) }
  }

  private mutating func append(_ ring: ArraySlice<Position>, feature: Int32) {
    for index in ring.indices.dropFirst() {
      guard let edge = Edge(from: ring[index - 1], to: ring[index], feature: feature) else {
        continue
      }
      edges.append(edge)
    }
  }

  /// The entry of a cell whose edges are the range `list` of the stack; `inside` are the features
  /// that hold its south-western corner.
  private mutating func entry(_ cell: Cell, _ list: Range<Int>, _ inside: [Int32]) -> UInt32 {
    if list.isEmpty { return LayerFormat.uniform | UInt32((inside.first ?? -1) + 1) }
    if list.count <= LayerBuilder.leafCapacity || cell.shift <= LayerBuilder.smallestShift
      || words.count > edges.count * LayerBuilder.wordsPerEdge
    {
      return LayerFormat.leaf | leaf(cell, stack[list].map { edges[Int($0)] }, inside)
    }
    return LayerFormat.node | node(cell, list, inside)
  }

  private mutating func node(_ cell: Cell, _ list: Range<Int>, _ inside: [Int32]) -> UInt32 {
    let offset = words.count
    words.append(contentsOf: repeatElement(0, count: Cell.childCount))
    let corners = corners(cell, list, inside)
    let children = stack[list].map { cell.children(meeting: edges[Int($0)]) }
    for index in 0..<Cell.childCount {
      let start = stack.count
      for (position, bits) in zip(list, children) where bits & 1 << UInt16(index) != 0 {
        stack.append(stack[position])
      }
      words[offset + index] = entry(cell.child(index), start..<stack.count, corners[index])
      stack.removeSubrange(start...)
    }
    return UInt32(offset)
  }

  /// The features that hold the south-western corner of each child.
  private mutating func corners(_ cell: Cell, _ list: Range<Int>, _ inside: [Int32]) -> [[Int32]] {
    let base = base(cell, stack[list].lazy.map { [edges] in edges[Int($0)] }, inside)
    var corners: [[Int32]] = []
    for row in 0..<4 {
      let y = cell.child(row * 4).y
      var crossing: [Edge] = []
      var west = base
      for position in list {
        let edge = edges[Int(stack[position])]
        if edge.ay <= y, y < edge.by { crossing.append(edge) }
        if edge.toggles(from: cell, upTo: y) { west.append(edge.feature) }
      }
      for column in 0..<4 {
        let x = cell.child(column).x
        scratch.flip(west)
        for edge in crossing where edge.isWest(ofX: x, y: y) { scratch.flip(edge.feature) }
        corners.append(scratch.takeOdd())
      }
    }
    return corners
  }

  /// The features in which the cell's corner is by all edges that the cell does not keep.
  mutating func base(
    _ cell: Cell, _ list: some Sequence<Edge>, _ inside: [Int32]
  ) -> [Int32] {
    scratch.flip(inside)
    for edge in list where edge.isWest(ofX: cell.x, y: cell.y) { scratch.flip(edge.feature) }
    return scratch.takeOdd()
  }
}

extension Edge {
  /// Where the contribution of other edges changes, for the sake of this one: at its ends west of
  /// the cell.
  ///
  /// Rings are closed, so that an even number of edges meets in each end. Whatever those that the
  /// cell keeps contribute there, the others must make up for.
  func toggles(in cell: Cell) -> [Int32] {
    [(ax, ay), (bx, by)].compactMap { x, y in
      Int(x) < cell.x && Int(y) > cell.y && Int(y) < cell.y + cell.size ? y : nil
    }
  }

  /// Whether the toggles of this edge up to `y`, which lies in the cell, are odd in number.
  func toggles(from cell: Cell, upTo y: Int) -> Bool {
    let first = Int(ax) < cell.x && Int(ay) > cell.y && Int(ay) <= y
    let second = Int(bx) < cell.x && Int(by) > cell.y && Int(by) <= y
    return first != second
  }
}

/// Counts, for each feature, whether it was named an odd number of times.
struct Parity {
  private var isOdd: [Bool]
  private var touched: [Int32] = []

  init(count: Int) {
    isOdd = Array(repeating: false, count: count)
  }

  mutating func flip(_ feature: Int32) {
    isOdd[Int(feature)].toggle()
    touched.append(feature)
  }

  mutating func flip(_ features: [Int32]) {
    for feature in features { flip(feature) }
  }

  /// The features named an odd number of times, in order; all counts start anew.
  mutating func takeOdd() -> [Int32] {
    var odd: [Int32] = []
    for feature in touched where isOdd[Int(feature)] {
      odd.append(feature)
      isOdd[Int(feature)] = false
    }
    touched.removeAll(keepingCapacity: true)
    return odd.count > 1 ? odd.sorted() : odd
  }
}
