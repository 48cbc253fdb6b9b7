import Linux
import Synchronization

/// How many directories may be watched by all roots together: a share of what the kernel allows a
/// user, since others need some, too.
package final class WatchBudget: Sendable {
  /// What the kernel allows; nil where it does not say.
  package let limit: Int?
  package let most: Int
  private let used = Mutex(0)

  package init(share: Double, limit: Int? = kernelLimit()) {
    self.limit = limit
    most = limit.map { Int(Double($0) * share) } ?? .max
  }

  package init(most: Int) {
    limit = most
    self.most = most
  }

  /// Takes one, if any is left.
  func take() -> Bool {
    used.withLock { used in
      guard used < most else { return false }
      used += 1
      return true
    }
  }

  func giveBack(_ count: Int = 1) {
    used.withLock { $0 -= count }
  }

  package var count: Int { used.withLock { $0 } }

  /// A limit that would do for so many directories, with room to grow.
  package func sufficientLimit(for directories: Int, share: Double) -> Int {
    var limit = 65_536
    while Double(limit) * share < Double(directories) * 1.25 { limit *= 2 }
    return limit
  }
}

/// fs.inotify.max_user_watches; nil where it cannot be read.
package func kernelLimit() -> Int? {
  let path = Array("/proc/sys/fs/inotify/max_user_watches".utf8)
  guard let file = try? OpenFile(absolutePath: path) else { return nil }
  var bytes = [UInt8](repeating: 0, count: 20)
  guard let count = try? file.read(at: 0, into: &bytes) else { return nil }
  let digits = bytes[..<count].prefix { (0x30...0x39).contains($0) }
  return Int(String(decoding: digits, as: UTF8.self))
}
