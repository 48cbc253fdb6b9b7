import Glibc
import Synchronization

/// Random bits from the kernel, sixteen numbers a call: Swift's own generator makes two calls for
/// each, which shows in a first index.
package func randomBits() -> UInt128 {
  pool.withLock { $0.next() }
}

private let pool = Mutex(RandomPool())

private struct RandomPool {
  private var numbers: [UInt128] = []

  mutating func next() -> UInt128 {
    if let number = numbers.popLast() { return number }
    // getentropy(3) gives at most 256 bytes.
    numbers = Array(repeating: 0, count: 256 / MemoryLayout<UInt128>.size)
    let result = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress!, $0.count) }
    // It fails on no kernel that has the calls that we need; Swift's generator then stops us.
    guard result == 0 else { return .random(in: 0...(.max)) }
    return numbers.removeLast()
  }
}
