extension LayerBuilder {
  /// Writes a leaf and returns its offset.
  mutating func leaf(_ cell: Cell, _ edges: [Edge], _ inside: [Int32]) -> UInt32 {
    let offset = words.count
    let base = base(cell, edges, inside)
    var features = base
    for edge in edges where !features.contains(edge.feature) { features.append(edge.feature) }
    features.sort()
    var start = 0
    while start < features.count {
      let end = min(start + LayerFormat.featuresInGroup, features.count)
      write(Group(cell, features[start..<end], edges, base), isLast: end == features.count)
      start = end
    }
    return UInt32(offset)
  }

  private mutating func write(_ group: Group, isLast: Bool) {
    words.append(UInt32(group.features.count) | (isLast ? LayerFormat.lastGroup : 0))
    words.append(UInt32(group.toggles.count))
    words.append(UInt32(group.edges.count))
    words.append(group.base)
    words.append(contentsOf: group.features.map { UInt32($0) })
    for (y, mask) in group.toggles {
      words.append(UInt32(bitPattern: y))
      words.append(mask)
    }
    for (edge, mask) in group.edges {
      words.append(contentsOf: [edge.ax, edge.ay, edge.bx, edge.by].map { UInt32(bitPattern: $0) })
      words.append(mask)
    }
  }
}

/// The content of a leaf as far as it concerns at most 32 features.
private struct Group {
  let features: ArraySlice<Int32>
  let base: UInt32
  var toggles: [(y: Int32, mask: UInt32)] = []
  var edges: [(edge: Edge, mask: UInt32)] = []

  init(_ cell: Cell, _ features: ArraySlice<Int32>, _ all: [Edge], _ inside: [Int32]) {
    self.features = features
    let bit = { (feature: Int32) -> UInt32? in
      features.firstIndex(of: feature).map { 1 << UInt32($0 - features.startIndex) }
    }
    base = inside.reduce(0) { $0 ^ (bit($1) ?? 0) }
    for edge in all.sorted(by: { $0.key < $1.key }) {
      guard let bit = bit(edge.feature) else { continue }
      add(edge, bit)
      for y in edge.toggles(in: cell) { toggles.append((y, bit)) }
    }
    edges.removeAll { $0.mask == 0 }
    mergeToggles()
  }

  /// A border that two features share is kept once. An edge that a feature runs along twice
  /// encloses nothing.
  private mutating func add(_ edge: Edge, _ bit: UInt32) {
    if let last = edges.indices.last, edges[last].edge.key == edge.key {
      edges[last].mask ^= bit
    } else {
      edges.append((edge, bit))
    }
  }

  private mutating func mergeToggles() {
    var merged: [(y: Int32, mask: UInt32)] = []
    for toggle in toggles.sorted(by: { $0.y < $1.y }) {
      if let last = merged.indices.last, merged[last].y == toggle.y {
        merged[last].mask ^= toggle.mask
      } else {
        merged.append(toggle)
      }
    }
    toggles = merged.filter { $0.mask != 0 }
  }
}

extension Edge {
  fileprivate var key: (Int, Int) {
    (Int(ay) << 32 | Int(UInt32(bitPattern: ax)), Int(by) << 32 | Int(UInt32(bitPattern: bx)))
  }
}
