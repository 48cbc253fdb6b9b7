/// Values for the parameters of a statement, in one piece.
///
/// An array of `Value` is an allocation for each longer text in it. For the rows of a library of
/// many photos it takes longer to make and to drop those than to insert the rows.
package struct ValueList: Hashable, Sendable {
  enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(count: Int)
    case blob(count: Int)
  }

  private(set) var cells: [Cell] = []
  /// Those of the texts and blobs, one behind the other.
  private(set) var bytes: [UInt8] = []

  package init() {}

  package init(_ values: [Value]) {
    for value in values { append(value) }
  }

  package mutating func reserve(_ count: Int, bytes byteCount: Int) {
    cells.reserveCapacity(count)
    bytes.reserveCapacity(byteCount)
  }

  package var isEmpty: Bool { cells.isEmpty }

  package mutating func append(_ value: Value) {
    switch value {
    case .null: cells.append(.null)
    case .integer(let integer): cells.append(.integer(integer))
    case .real(let real): cells.append(.real(real))
    case .text(let text): append(text)
    case .blob(let blob): append(blob)
    }
  }

  package mutating func append(_ integer: Int64?) {
    cells.append(integer.map(Cell.integer) ?? .null)
  }

  package mutating func append(_ integer: Int?) {
    cells.append(integer.map { .integer(Int64($0)) } ?? .null)
  }

  package mutating func append(_ real: Double?) {
    cells.append(real.map(Cell.real) ?? .null)
  }

  package mutating func append(_ text: String?) {
    guard let text else { return cells.append(.null) }
    bytes.append(contentsOf: text.utf8)
    cells.append(.text(count: text.utf8.count))
  }

  package mutating func append(_ blob: [UInt8]?) {
    guard let blob else { return cells.append(.null) }
    bytes.append(contentsOf: blob)
    cells.append(.blob(count: blob.count))
  }

  /// Appends the text whose UTF-8 `write` appends to the bytes, without a string in between.
  package mutating func appendText(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    cells.append(.text(count: bytes.count - start))
  }

  /// As `appendText`; null where `write` appends nothing.
  package mutating func appendTextIfAny(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    cells.append(bytes.count == start ? .null : .text(count: bytes.count - start))
  }

  package mutating func append(_ other: ValueList) {
    cells.append(contentsOf: other.cells)
    bytes.append(contentsOf: other.bytes)
  }

  /// The values, one by one.
  package var values: [Value] {
    var rest = bytes[...]
    return cells.map { cell in
      switch cell {
      case .null: return .null
      case .integer(let integer): return .integer(integer)
      case .real(let real): return .real(real)
      case .text(let count):
        defer { rest = rest.dropFirst(count) }
        return .text(String(decoding: rest.prefix(count), as: UTF8.self))
      case .blob(let count):
        defer { rest = rest.dropFirst(count) }
        return .blob(Array(rest.prefix(count)))
      }
    }
  }
}
