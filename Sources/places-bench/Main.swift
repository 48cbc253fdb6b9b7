import Glibc
import Linux
import Model
import Places

/// Measures the atlas from within, for `scripts/bench-places`, which compares.
///
///     places-bench RESOURCES CACHE [FILE…]
///
/// Prints `open MILLISECONDS PRIVATE_KB MOST_KB`, what opening the atlas takes, what memory of its own
/// it costs, and the most that this process has had; then for each file of lines `LAT,LON`:
/// `set SECONDS SECONDS UNITS`, the best of five rounds through all its points, without and with
/// margins, and how many have a place. Seconds are of the processor, whatever else it does.
@main
struct Main {
  static func main() throws {
    let words = programArguments().map { String(decoding: $0, as: UTF8.self) }
    let before = try kilobytes("Anonymous:", in: "smaps_rollup")
    var atlas: Atlas?
    let opening = try ContinuousClock().measure {
      atlas = try Atlas.open(resources: words[0], cache: words[1])
    }
    guard let atlas else { return }
    let after = try kilobytes("Anonymous:", in: "smaps_rollup")
    let most = try kilobytes("VmHWM:", in: "status")
    try printOutput("open \(opening / .milliseconds(1)) \(after - before) \(most)\n")
    for file in words.dropFirst(2) {
      let points = try coordinates(in: file)
      let (lookups, found) = best { points.count { atlas.locate($0).unit != nil } }
      let (margins, _) = best {
        points.count { atlas.margin(at: $0, of: atlas.locate($0)) != nil }
      }
      try printOutput("set \(lookups) \(margins) \(found)\n")
    }
  }

  private static func best(_ body: () -> Int) -> (seconds: Double, count: Int) {
    var best = Double.infinity
    var count = 0
    for _ in 0..<5 {
      let start = clock()
      count = body()
      best = min(best, Double(clock() - start) / 1e6)
    }
    return (best, count)
  }

  private static func coordinates(in file: String) throws -> [Coordinate] {
    try contents(of: file).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
    }
  }

  /// A line of what the kernel tells of this process.
  private static func kilobytes(_ name: String, in file: String) throws -> Int {
    let line = try contents(of: "/proc/self/" + file).split(separator: "\n").first {
      $0.hasPrefix(name)
    }
    return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
  }

  private static func contents(of path: String) throws -> String {
    let file = try OpenFile(absolutePath: Array(path.utf8))
    // Files in /proc say that they are empty.
    var bytes = [UInt8](
      repeating: 0, count: max(8192, Int(try file.status().fingerprint.size)))
    let count = try file.read(at: 0, into: &bytes)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
