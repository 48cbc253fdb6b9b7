/// A value that SQLite can store.
package enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ text: String?) {
    self = text.map(Value.text) ?? .null
  }

  package init(_ real: Double?) {
    self = real.map(Value.real) ?? .null
  }

  package init(_ integer: Int64?) {
    self = integer.map(Value.integer) ?? .null
  }

  package init(_ integer: Int?) {
    self = integer.map { .integer(Int64($0)) } ?? .null
  }

  package init(_ flag: Bool) {
    self = .integer(flag ? 1 : 0)
  }

  package init(_ blob: [UInt8]?) {
    self = blob.map(Value.blob) ?? .null
  }
}
