import Model
import SQLite

extension PhotoIndex {
  /// What the file itself says takes the place of what it said before.
  func store(_ words: Words?, of id: Int64) throws {
    for sql in deleteWords { try connection.run(sql, [.integer(id)]) }
    if let words { try insert(words, of: id) }
  }

  func insert(_ words: Words, of id: Int64) throws {
    for keyword in words.keywords {
      try connection.run(
        insertKeyword, [.integer(id), .text(keyword.keyword), .text(keyword.source.rawValue)])
    }
    for text in words.texts {
      try connection.run(
        insertText,
        [
          .integer(id), .text(text.kind.rawValue), .text(text.language), .text(text.text),
          .text(text.source.rawValue),
        ])
    }
  }
}

private let insertKeyword = SQL("INSERT OR REPLACE INTO keyword VALUES (?, ?, ?)")
private let insertText = SQL(
  """
  INSERT OR REPLACE INTO text (photo_id, kind, language, text, source) VALUES (?, ?, ?, ?, ?)
  """)

private let deleteWords = ["keyword", "text"].map { table in
  let sources = Words.Source.allCases.map { "source = '\($0.rawValue)'" }
  return SQL("DELETE FROM \(table) WHERE photo_id = ? AND (\(sources.joined(separator: " OR ")))")
}
