import IndexStore
import Model
import Sync

/// The summary of a pass that `--rescan` prints.
func describe(_ summary: SyncSummary, of root: String) -> String {
  let counts = summary.counts
  var lines: [String] = []
  switch summary.result {
  case .offline(let reason):
    return "\(root): offline: \(reason); its rows were left as they are\n"
  case .refused:
    return "\(root): held: \(summary.held ?? "")\n"
  case .unchanged:
    lines.append("nothing changed: \(grouped(counts.files)) photos")
  case .changed:
    let parts: [(Int, String)] = [
      (counts.added, "added"), (counts.updated, "updated"), (counts.moved, "moved"),
      (counts.removed, "missing"), (summary.excluded, "excluded"), (summary.restored, "restored"),
      (summary.hashed, "hashed"), (summary.forgotten, "forgotten"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    lines.append("\(grouped(counts.files)) photos: " + words.joined(separator: ", "))
  }
  if summary.verified > 0 {
    let found = [SuspectKind.corrupt, .replaced, .damaged].compactMap { kind in
      summary.suspects[kind].map { "\(grouped($0)) \(kind.rawValue)" }
    }
    lines.append(
      "\(grouped(summary.verified)) files verified"
        + (found.isEmpty
          ? "" : ": " + found.joined(separator: ", ") + "; the view suspects lists them"))
  }
  if summary.hashesLeft > 0 {
    lines.append("\(grouped(summary.hashesLeft)) content hashes wait for the hours of hash_window")
  }
  if let reason = summary.held { lines.append("held: \(reason)") }
  if counts.pending > 0 {
    lines.append("\(grouped(counts.pending)) could not be read yet; photoindexd --status says why")
  }
  if !summary.unreadable.isEmpty {
    lines.append("\(grouped(summary.unreadable.count)) directories could not be listed")
  }
  return lines.map { "\(root): \($0)\n" }.joined()
}
