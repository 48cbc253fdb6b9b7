package import Model

/// The entries of one directory, in the order of the file system.
///
/// All names stand in one buffer, so that a listing costs two allocations and not one an entry.
package struct DirectoryListing: Sendable {
  package struct Entry: Sendable {
    package let kind: EntryKind
    /// nil for everything but regular files.
    package let fingerprint: Fingerprint?
    /// Why nothing but its name is known. Its kind may be unknown, too.
    package let failure: SystemError?
    fileprivate let nameStart: Int
    fileprivate let nameEnd: Int
  }

  package private(set) var entries: [Entry] = []
  private var names: [UInt8] = []

  package init() {}

  package func name(of entry: Entry) -> ArraySlice<UInt8> {
    names[entry.nameStart..<entry.nameEnd]
  }

  package mutating func append(
    _ name: some Collection<UInt8>, _ kind: EntryKind, _ fingerprint: Fingerprint?,
    failure: SystemError? = nil
  ) {
    let start = names.count
    names.append(contentsOf: name)
    entries.append(
      Entry(
        kind: kind, fingerprint: fingerprint, failure: failure, nameStart: start,
        nameEnd: names.count))
  }
}
