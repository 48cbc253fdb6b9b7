/// A layer of the atlas: which of its features holds a position.
package struct Layer: Sendable {
  /// Where the layer begins among the words of the atlas.
  let start: Int

  package init(start: Int) {
    self.start = start
  }

  /// The number of the feature that holds the position, the first of overlapping ones.
  package func feature(at position: Position, _ words: Span<UInt32>) -> Int? {
    let u = UInt32(bitPattern: position.x &+ east)
    let v = UInt32(bitPattern: position.y &+ north)
    var entry = words[start]
    var shift = UInt32(Cell.globe.shift - Cell.childShift)
    while entry & LayerFormat.kindMask == LayerFormat.node {
      let index = (v &>> shift & 3) << 2 | (u &>> shift & 3)
      entry = words[start + Int(entry & LayerFormat.valueMask) + Int(index)]
      shift &-= UInt32(Cell.childShift)
    }
    let value = Int(entry & LayerFormat.valueMask)
    guard entry & LayerFormat.kindMask == LayerFormat.leaf else {
      return value == 0 ? nil : value - 1
    }
    return feature(at: position, inLeaf: start + value, words)
  }

  private func feature(
    at position: Position, inLeaf offset: Int, _ words: Span<UInt32>
  ) -> Int? {
    var group = LeafGroup(words, at: offset)
    while true {
      let mask = group.mask(at: position, words)
      if mask != 0 { return group.feature(mask.trailingZeroBitCount, words) }
      if group.isLast { return nil }
      group = LeafGroup(words, at: group.end)
    }
  }
}

/// Where the parts of a group of a leaf stand.
struct LeafGroup {
  let offset: Int
  let isLast: Bool
  let toggles: Int
  let edges: Int
  let end: Int

  init(_ words: Span<UInt32>, at offset: Int) {
    self.offset = offset
    let header = words[offset]
    isLast = header & LayerFormat.lastGroup != 0
    toggles = offset + LayerFormat.groupHeader + Int(header & ~LayerFormat.lastGroup)
    edges = toggles + Int(words[offset + 1]) * LayerFormat.toggleWords
    end = edges + Int(words[offset + 2]) * LayerFormat.edgeWords
  }

  func feature(_ bit: Int, _ words: Span<UInt32>) -> Int {
    Int(words[offset + LayerFormat.groupHeader + bit])
  }

  func edge(at offset: Int, _ words: Span<UInt32>) -> (a: Position, b: Position, mask: UInt32) {
    (
      Position(x: Int32(bitPattern: words[offset]), y: Int32(bitPattern: words[offset + 1])),
      Position(x: Int32(bitPattern: words[offset + 2]), y: Int32(bitPattern: words[offset + 3])),
      words[offset + 4]
    )
  }

  /// The features that hold the position.
  func mask(at position: Position, _ words: Span<UInt32>) -> UInt32 {
    var mask = words[offset + 3]
    var toggle = toggles
    while toggle < edges {
      if Int32(bitPattern: words[toggle]) <= position.y { mask ^= words[toggle + 1] }
      toggle += LayerFormat.toggleWords
    }
    let (x, y) = (Int(position.x), Int(position.y))
    var offset = edges
    while offset < end {
      let (a, b, bits) = edge(at: offset, words)
      if isEdgeWest(Int(a.x), Int(a.y), Int(b.x), Int(b.y), x, y) { mask ^= bits }
      offset += LayerFormat.edgeWords
    }
    return mask
  }
}
