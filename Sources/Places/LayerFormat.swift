/// How a layer stands in the atlas, in 32-bit words that count from its first one.
///
/// Word 0 is the entry of the whole globe. An entry says in its upper two bits what it is:
/// - `uniform`: the whole cell belongs to one feature (its number + 1) or to none (0);
/// - `node`: the offset of 16 entries, the rows of a 4 × 4 division from the south-west;
/// - `leaf`: the offset of groups of at most 32 features each, in order of feature numbers.
///
/// A group: the header (the number of features, and whether this is the last group), the numbers
/// of toggles and of edges, a mask; the features' numbers; the toggles, (y, mask); the edges,
/// (ax, ay, bx, by, mask) with the lower end first. Bit n of a mask stands for the nth feature.
///
/// A position is inside those features whose bits are set in the group's mask, combined by
/// exclusive or with the masks of all toggles at or below its y, and of all edges to its west.
enum LayerFormat {
  static let uniform: UInt32 = 0 << 30
  static let node: UInt32 = 1 << 30
  static let leaf: UInt32 = 2 << 30
  static let kindMask: UInt32 = 3 << 30
  static let valueMask: UInt32 = (1 << 30) - 1

  static let lastGroup: UInt32 = 1 << 31
  static let groupHeader = 4
  static let toggleWords = 2
  static let edgeWords = 5
  static let featuresInGroup = 32
}
