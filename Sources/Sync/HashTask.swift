import Decoding
import IndexStore
import Library
import Linux
import Model

/// What came of reading files whole.
struct Digested: Sendable {
  /// Its number in the survey.
  let directory: Int
  var results: [PhotoHashes] = []
  var failures: [(row: KnownPhoto, failure: ReadFailure)] = []
  /// Those of which only the picture's hash is not known.
  var deaths: [(row: KnownPhoto, failure: ReadFailure)] = []

  init(directory: Int) { self.directory = directory }

  var diskErrors: Int { failures.count { $0.failure.reason == .io } }

  mutating func note(_ failure: DecoderFailure, _ row: KnownPhoto) {
    if let failure = ReadFailure(failure) { failures.append((row, failure)) }
  }
}

/// Some files of a directory that are to be read whole.
struct HashTask: Sendable {
  let rows: ArraySlice<KnownPhoto>
  let directory: Int
  let path: RelativePath
  let tree: RootTree
  let countsInodes: Bool
  let decoder: any Decoder
  let failed: FailedReadings

  /// Reads them; one that changed since its row was written, or cannot be read, has no digest this time.
  func run() async throws -> Digested {
    var digested = Digested(directory: directory)
    var rest = rows
    while !rest.isEmpty, failed.room > 0 {
      let next = rest.prefix(failed.room)
      rest = rest.dropFirst(next.count)
      let before = digested.diskErrors
      try await read(next, &digested)
      failed.add(digested.diskErrors - before)
    }
    return digested
  }

  private func read(_ rows: ArraySlice<KnownPhoto>, _ digested: inout Digested) async throws {
    let files = open(rows, &digested)
    let found = try await decoder.digests(of: files.map { DecoderInput($0.file, suffix: "") })
    for (open, found) in zip(files, found) {
      let row = open.row
      switch found {
      case .success(let digests) where isStill(row, open.file.file, countsInodes):
        digested.results.append(
          PhotoHashes(
            id: row.id, fingerprint: row.fingerprint, hashes: digests,
            isRetry: row.hashRetry != nil))
        if let failure = digests.failure { digested.deaths.append((row, failure)) }
      case .success: break
      case .failure(let failure): digested.note(failure, row)
      }
    }
  }

  private func open(
    _ rows: ArraySlice<KnownPhoto>, _ digested: inout Digested
  ) -> [(row: KnownPhoto, file: SharedFile)] {
    guard let directory = try? tree.open(path) else { return [] }
    var files: [(row: KnownPhoto, file: SharedFile)] = []
    for row in rows {
      do throws(SystemError) {
        let file = try tree.file(at: row.path, in: directory)
        guard isStill(row, file, countsInodes) else { continue }
        files.append((row, SharedFile(file)))
      } catch {
        digested.note(.system(error), row)
      }
    }
    return files
  }
}

/// Two files of one size can be written, and exchanged, within one tick of the clock.
private func isStill(
  _ row: KnownPhoto, _ file: borrowing OpenFile, _ countsInodes: Bool
) -> Bool {
  guard let now = try? file.status().fingerprint else { return false }
  return now.size == row.fingerprint.size && now.modified == row.fingerprint.modified
    && (!countsInodes || now.inode == row.fingerprint.inode)
}
