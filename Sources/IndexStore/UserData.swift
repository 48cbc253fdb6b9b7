/// What a user wrote into an index, by names that mean the same in another: the root, path and bytes
/// of a photo, the identity of a device, the code of a place.
package struct UserData: Codable, Hashable, Sendable {
  /// The number of this form.
  package static let form = 1

  package var userData = form
  package var photos: [Photo] = []
  package var albums: [Album] = []
  package var devices: [Device] = []
  /// The user's own tables, views, indexes and triggers, in the order in which they were made.
  package var objects: [Object] = []

  package struct Photo: Codable, Hashable, Sendable {
    package let root: String
    package let path: String
    /// The exact bytes in hexadecimal, where `path` cannot spell them.
    package let pathBytes: String?
    package let size: Int64
    package let contentHash: String?
    package let imageHash: String?
    package let isFavorite: Bool
    package let rating: Int64?
    package let time: Time?
    package let place: Place?
    package let albums: [Membership]
  }

  package struct Time: Codable, Hashable, Sendable {
    package let local: String
    package let precision: String?
    package let zone: String?
  }

  package struct Place: Codable, Hashable, Sendable {
    package let source: String
    package let level: String
    package let code: String
    /// For a person who reads this.
    package let label: String
  }

  package struct Membership: Codable, Hashable, Sendable {
    package let album: String
    package let position: Double
  }

  package struct Album: Codable, Hashable, Sendable {
    package let name: String
    package let createdAt: Int64
    package let isFavorites: Bool
  }

  package struct Device: Codable, Hashable, Sendable {
    package let make: String?
    package let model: String?
    package let serial: String?
    /// nil: the one that it had from the beginning.
    package let name: String?
    package let isRegistered: Bool
    package let clocks: [Clock]
  }

  package struct Clock: Codable, Hashable, Sendable {
    package let fromLocal: String
    package let toLocal: String
    package let shiftS: Int64
    package let zone: String?
  }

  package struct Object: Codable, Hashable, Sendable {
    package let type: String
    package let name: String
    package let sql: String
    /// Those of a table.
    package let rows: [[Cell]]?
  }

  package enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// In hexadecimal.
    case blob(String)
  }
}

/// As JSON has them; a blob, which JSON has not, as `{"blob": "00ff"}`.
extension UserData.Cell: Codable {
  private struct Blob: Codable {
    let blob: String
  }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? value.decode(Double.self) {
      self = .real(real)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .blob(try value.decode(Blob.self).blob)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .integer(let integer): try value.encode(integer)
    case .real(let real): try value.encode(real)
    case .text(let text): try value.encode(text)
    case .blob(let digits): try value.encode(Blob(blob: digits))
    }
  }
}
