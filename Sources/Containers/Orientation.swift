/// How a stored picture is turned and mirrored to be shown, as EXIF numbers it from 1 to 8.
///
/// The first two numbers are the row that gives the shown x from the stored x and y, the others
/// that of the shown y; y points down.
struct Orientation: Hashable {
  private let rows: [Int]

  static let upright = Orientation(rows: [1, 0, 0, 1])

  private init(rows: [Int]) {
    self.rows = rows
  }

  /// From the rows of a matrix that may scale, too; nil where it does more, or nothing at all.
  init?(xx: Double, xy: Double, yx: Double, yy: Double) {
    let isStraight = xx != 0 && yy != 0 && abs(xy) < abs(xx) / 100 && abs(yx) < abs(yy) / 100
    let isTurned = xy != 0 && yx != 0 && abs(xx) < abs(xy) / 100 && abs(yy) < abs(yx) / 100
    guard isStraight || isTurned else { return nil }
    let signs = [xx, xy, yx, yy].map { $0 < 0 ? -1 : 1 }
    rows = isStraight ? [signs[0], 0, 0, signs[3]] : [0, signs[1], signs[2], 0]
  }

  /// EXIF 2.32, 4.6.4: where row and column 0 are shown.
  private static let numbered: [Orientation] = [
    upright, Orientation(rows: [-1, 0, 0, 1]), Orientation(rows: [-1, 0, 0, -1]),
    Orientation(rows: [1, 0, 0, -1]), Orientation(rows: [0, 1, 1, 0]),
    Orientation(rows: [0, -1, 1, 0]), Orientation(rows: [0, -1, -1, 0]),
    Orientation(rows: [0, 1, -1, 0]),
  ]

  /// All eight are numbered.
  var number: Int { 1 + (Orientation.numbered.firstIndex(of: self) ?? 0) }

  /// What is shown when `next` turns what this one shows.
  func followed(by next: Orientation) -> Orientation {
    let (a, b) = (rows, next.rows)
    return Orientation(rows: [
      b[0] * a[0] + b[1] * a[2], b[0] * a[1] + b[1] * a[3],
      b[2] * a[0] + b[3] * a[2], b[2] * a[1] + b[3] * a[3],
    ])
  }

  /// Against the clock, by a number of right angles.
  static func turned(quarters: Int) -> Orientation {
    [upright, numbered[7], numbered[2], numbered[5]][quarters & 3]
  }

  static let topAndBottomExchanged = numbered[3]
  static let leftAndRightExchanged = numbered[1]
}
