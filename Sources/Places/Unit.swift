package import Model

/// An administrative area, with all that the index stores of it.
package struct Unit: Hashable, Sendable {
  /// A small number that stays the same for as long as the atlas has the same digest.
  package let id: Int
  package let source: Source
  /// The name of the user's own file that it is from.
  package let file: String?
  package let level: Level
  /// Unique among the units of one source and level.
  package let code: String
  package let parent: Int?
  /// As it is called there.
  package let name: String
  /// Official names by language ("ko", "en", "ja" …).
  package let names: [String: String]
  /// The 행정동, where the 법정동 has only one.
  package let administrativeName: String?
  /// More names under which people look for it.
  package let aliases: [String]
  /// ISO 3166-2, where `code` is another.
  package let iso: String?
  /// A point inside.
  package let point: Coordinate

  /// The name in the first of the languages that has one, else in English, else the local one.
  package func name(in languages: [String]) -> String {
    for language in languages {
      if let name = names[language] { return name }
    }
    return names["en"] ?? name
  }

  package enum Source: String, Hashable, Sendable, CaseIterable {
    case zones
    case admin1
    case korea
    /// A file of the user.
    case own
  }

  package enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
    case country
    case admin1
    case admin2
    case admin3
    case admin4
    case admin5
    case custom

    package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rank < rhs.rank }

    var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
  }
}

/// The label of the last unit of a chain, in the first of the languages that each unit has.
package func label(of chain: [Unit], languages: [String]) -> String {
  placeLabel(chain.map { $0.name(in: languages) })
}
