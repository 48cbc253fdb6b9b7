import Linux

/// The places of the user's own files, which are looked up before all others.
struct OwnPlaces: Sendable {
  let words: MappedWords
  /// The number of the first of their units; the units are in the order of the files.
  let first: Int
  private let layer: Layer
  private let files: [String]

  /// The words must be intact.
  init(_ words: MappedWords, first: Int, files: [String]) {
    self.words = words
    self.first = first
    self.files = files
    layer = Layer(start: words.field(.ownLayer))
  }

  var count: Int { words.field(.unitCount) }

  /// The first unit whose area holds the position.
  func unit(at position: Position) -> Int? {
    words.withSpan { layer.feature(at: position, $0) }.map { first + $0 }
  }

  /// The nearest border behind which the first unit is another one; nil stands for none of them.
  ///
  /// Of areas that overlap the first counts, so that the borders of those behind it do not.
  func border(of unit: Int?, near position: Position, within limit: Double) -> NearestBorder? {
    let last = unit.map { $0 - first } ?? Int.max
    return words.withSpan { words in
      layer.nearestBorder(to: position, within: limit, words) { features in
        features.first(words) { $0 <= last }
      }
    }
  }

  /// The file that a unit is from.
  func file(of unit: Int) -> String? {
    guard unit >= first else { return nil }
    let record = words.record(ofUnit: unit - first)
    return files[Int(words[record] >> 16)]
  }
}
