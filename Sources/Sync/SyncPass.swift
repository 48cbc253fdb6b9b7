package import Decoding
import Digests
package import IndexStore
package import Library
import Linux
package import Metadata
package import Model
package import Places

/// One pass over a root, or parts of it: looks at the disk and makes the index agree.
///
/// The steps, any of which may be the last one before a crash:
/// 1. survey: list every directory and compute its token;
/// 2. announce: forget the tokens of all directories that differ, before any of their rows change;
/// 3. compare: find the rows whose files are gone, and those whose files have another path now;
/// 4. move those rows;
/// 5. reconcile: read what is new or differs, directory by directory;
/// 6. settle: wait for files that may still be written to, and reconcile their directories again;
/// 7. adopt: what came with the bytes of a gone file is that file;
/// 8. rows whose files are no photos any more follow them, unless those are too many;
///    retire: rows that are gone on good evidence turn missing, unless they are too many;
/// 9. link the files of one shot; store the tokens; derive what changed without a file; guess places from other photos;
/// 10. verify some hashes, if that is asked for; compute content hashes and the tokens that follow from them.
package struct SyncPass: ~Copyable {
  let root: SyncRoot
  let scopes: [SyncScope]
  let scopeNumbers: [RelativePath: Int]
  let index: PhotoIndex
  let decoder: any Decoder
  let places: Atlas?
  let settings: SyncSettings
  let versions: ReaderVersions
  let attention: (any DirectoryAttention)?
  let clock: @Sendable () -> Timestamp
  let report: @Sendable (SyncEvent) -> Void

  var summary = SyncSummary()
  let salt: [UInt8]
  var hasher: TokenHasher
  /// What the index remembered of the directories when the pass began.
  var states: [RelativePath: DirectoryState] = [:]
  var survey = Survey()
  /// The directories whose rows may not agree with the disk, by their number in the survey.
  var dirty: [Int] = []
  /// Those whose tokens were forgotten: the dirty ones and all above them.
  var announced: Set<Int> = []
  /// The same of directories that the survey did not list, for they lie above its scopes.
  var announcedAbove: Set<RelativePath> = []
  var compared = ComparedRows()
  var gone = GoneRows()
  var movedTrees = MovedTrees()
  /// Arrivals that may be files which are gone elsewhere.
  var candidates: [PhotoReading] = []
  /// Photos that are none any more.
  var broken = BrokenPhotos()
  /// The files of rows whose changes are held, which are not read as long as they stay as they are.
  var heldFiles: [Int64: Fingerprint] = [:]
  /// Where rows are kept whose removal a person must confirm.
  var heldDirectories: Set<RelativePath> = []
  /// Where a file has other bytes than its row says, and could not be read.
  var unreadDirectories: Set<RelativePath> = []
  /// Directories that stay open because rows of theirs, or below, are kept without their files.
  var keptOpen: Set<Int> = []
  var hasRows = false
  /// Whether nothing is to be read again or hashed, for the disk may be dying.
  var isResting = false
  /// Readings that failed for the disk's sake, by file system, and are not in the index yet.
  var diskErrors: [String: Int] = [:]
  var transactionSize = TransactionSize()
  /// A row that goes leaves a dozen indexes, each at another page.
  var removalSize = TransactionSize(rows: 250, least: 50, most: 1000)

  package init(
    root: SyncRoot, scopes: [SyncScope] = [SyncScope(.root)], index: PhotoIndex,
    decoder: any Decoder, places: Atlas?, settings: SyncSettings,
    versions: ReaderVersions = .current,
    attention: (any DirectoryAttention)? = nil,
    clock: @escaping @Sendable () -> Timestamp,
    report: @escaping @Sendable (SyncEvent) -> Void
  ) {
    self.root = root
    self.scopes = scopes.map { $0.admitted(by: root.rules) }
    scopeNumbers = Dictionary(
      self.scopes.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    self.attention = attention
    self.index = index
    self.decoder = decoder
    self.places = places
    self.settings = settings
    self.versions = versions
    self.clock = clock
    self.report = report
    salt = tokenSalt(root.rules, versions)
    hasher = TokenHasher(salt: salt)
  }

  /// `kind` is what the table `scan` says of the pass; one without leaves no row there.
  package mutating func run(kind: String?) async throws -> SyncSummary {
    let scan = try await beginScan(kind)
    let rowsBefore = await index.photoRowsRead
    try await index.limitWaits()
    states = try await index.directoryStates(of: root.id)
    hasRows = try await index.hasPhotos(in: root.id)
    isResting = try await index.isResting(root.id)
    if let tree = try await openRoot() {
      do {
        try await sync(tree)
      } catch let error as RootLost {
        try await goOffline(error.message)
      }
    }
    summary.counts.pending = try await index.pendingCount(in: root.id)
    summary.photoRowsRead = await index.photoRowsRead - rowsBefore
    if let scan {
      try await index.finishScan(
        scan, of: root.id, result: summary.result.word, summary.counts)
    }
    return summary
  }

  private func beginScan(_ kind: String?) async throws -> Int64? {
    guard let kind else { return nil }
    return try await index.beginScan(of: root.id, kind: kind)
  }

  private mutating func sync(_ tree: RootTree) async throws {
    try await surveyAll(tree)
    try await index.bringOnline(root.id)
    try await findDirty()
    try await announce()
    try await compare(tree)
    try await moveRows(tree)
    if holdsChanges { heldFiles = try await index.heldFiles(of: root.id) }
    try await index.beginFirstLoad()
    try await reconcileAll(tree)
    try await index.endFirstLoad()
    try await adoptCandidates()
    try await judgeBroken(tree)
    try await retire()
    try await linkCompanions()
    try await storeTokens()
    try await derive()
    try await guessNearby()
    if !isResting { try await scrubFiles(tree) }
    if hashes, !isResting { try await hashContents(tree) } else { try await sumContents() }
    let survey = survey
    try await index.setUnreadable(summary.unreadable, of: root.id) { survey.covers($0) }
    try await index.closeInheritances()
    try await forgetLongMissing()
    if summary.hasChanges { summary.result = .changed }
  }
}

/// The salt of the change tokens: new rules and new readers make every one of them differ.
private func tokenSalt(_ rules: PhotoRules, _ versions: ReaderVersions) -> [UInt8] {
  var hasher = SHA256()
  hasher.update(rules.digest)
  hasher.update(Array(versions.digestible.utf8))
  return Array(hasher.finalize().bytes.prefix(16))
}

extension SyncSummary {
  fileprivate var hasChanges: Bool {
    counts.added + counts.updated + counts.moved + counts.removed + excluded + restored + hashed
      + forgotten > 0
  }
}
