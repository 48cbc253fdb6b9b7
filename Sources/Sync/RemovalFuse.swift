/// How many photos of a root may go in a day before a person has to say that it is right.
package struct RemovalFuse: Hashable, Sendable, CustomStringConvertible {
  /// Of the photos that were there.
  package var share = 0.1
  package var count = 500

  package init() {}

  package init(share: Double, count: Int) {
    self.share = share
    self.count = count
  }

  package var description: String { "over \(share) of a root and over \(count) photos a day" }

  /// Both must be exceeded: a small root may lose a large share, a large one many photos.
  func isBlown(going: Int, of before: Int) -> Bool {
    going > count && Double(going) > share * Double(before)
  }
}
