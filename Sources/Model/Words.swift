/// What people or their programs said of a photo, in the file itself or beside it.
package struct Words: Hashable, Sendable {
  /// Which of a file's two vocabularies something is from, or which file beside it, as the index
  /// spells it.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    case xmp, iptc, sidecar, takeout
  }

  package struct Keyword: Hashable, Sendable {
    package let keyword: String
    package let source: Source

    package init(_ keyword: String, _ source: Source) {
      self.keyword = keyword
      self.source = source
    }
  }

  package struct Text: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case title, caption
      /// A colour, mostly, in the words of the program that set it.
      case label
    }

    package let kind: Kind
    /// As in RFC 3066; `x-default` where none is named.
    package let language: String
    package let text: String
    package let source: Source

    package init(_ kind: Kind, language: String, _ text: String, _ source: Source) {
      self.kind = kind
      self.language = language
      self.text = text
      self.source = source
    }
  }

  /// Stars from 0 to 5; -1 is rejected.
  package var rating: Int?
  package var keywords: [Keyword] = []
  package var texts: [Text] = []

  package init() {}

  package var isEmpty: Bool { self == Words() }
}
