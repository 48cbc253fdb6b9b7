/// The features whose border an edge is: one, or two where they touch.
struct EdgeFeatures {
  let mask: UInt32
  let group: LeafGroup

  /// The first feature, by number, that `admits` lets in.
  func first(_ words: Span<UInt32>, where admits: (Int) -> Bool) -> Int? {
    var rest = mask
    while rest != 0 {
      let feature = group.feature(rest.trailingZeroBitCount, words)
      if admits(feature) { return feature }
      rest &= rest &- 1
    }
    return nil
  }
}
