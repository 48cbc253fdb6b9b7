package import Model
import SQLite

extension IndexReader {
  /// Passes the content token of each directory of the roots that are indexed, a root's own first;
  /// nil while a hash of a photo in or below it is missing.
  package func contentTokens(
    _ body: (_ root: String, _ directory: RelativePath, Token?) throws -> Void
  ) throws {
    try connection.query(selectTokens) { row in
      try body(
        row.text(0) ?? "", RelativePath(bytes: row.blob(1) ?? []),
        row.blob(2).flatMap { Token(bytes: $0) })
    }
  }
}

private let selectTokens = """
  SELECT root.name, sync_state.directory_bytes, sync_state.content_token
  FROM sync_state JOIN root ON root.id = sync_state.root_id
  WHERE root.state <> 'detached'
  ORDER BY root.name, sync_state.directory_bytes
  """
