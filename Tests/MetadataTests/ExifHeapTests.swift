import Exif
import Testing

@testable import Containers

/// Blocks that share one heap keep out of each other's way.
struct ExifHeapTests {
  private let heap = ExifHeap()

  @Test func `each block takes the room of the one before it`() throws {
    for letter in "abc".utf8 { try expect(letter, inBlocksWithin: 0) }
  }

  /// Sixteen texts of a kilobyte take a quarter of its room.
  @Test func `blocks that live at one time are whole, however many there are`() throws {
    try expect(UInt8(ascii: "a"), inBlocksWithin: 9)
    try expect(UInt8(ascii: "z"), inBlocksWithin: 0)
  }

  private func expect(_ letter: UInt8, inBlocksWithin depth: Int) throws {
    let value = [UInt8](repeating: letter, count: 1000)
    var block = CleanBlock()
    block.start(isBigEndian: depth.isMultiple(of: 2))
    for tag in Tag.allCases where tag.isText { block.take(tag, type: 2, count: 1000, value.span) }
    block.finish()
    guard let exif = ExifBlock(block, in: heap) else { throw NoMemory() }
    if depth > 0 { try expect(letter + 1, inBlocksWithin: depth - 1) }
    for tag in Tag.allCases where tag.isText {
      let bytes = exif.text(tag) { text in
        String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
      }
      #expect(bytes == String(decoding: value + [0], as: UTF8.self), "\(tag) at \(depth)")
    }
  }
}

private struct NoMemory: Error {}
