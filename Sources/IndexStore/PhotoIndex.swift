import Linux
package import Model
import SQLite

/// The index: one SQLite file. This is its one writer.
///
/// Each call may wait for the disk, so run the task that calls it on `BlockingExecutor`; the actor
/// follows it there.
package actor PhotoIndex {
  let connection: Connection
  let path: String
  private(set) var catalog: (any PlaceCatalog)?
  private(set) var retryPlan: RetryPlan
  let now: @Sendable () -> Timestamp
  var deviceIDs: [DeviceIdentity: Int64] = [:]
  /// By the bytes of their names: two spellings of one word are two texts to SQLite.
  var lensIDs: [[UInt8]: Int64] = [:]
  var places: [Int: StoredPlace] = [:]
  /// Found when the first is asked for.
  var unitsByKey: [PlaceKey: Int]?
  var courtesy = Courtesy()
  /// How many rows of `photo` have been read, which an unchanged library must not cause.
  package var photoRowsRead = 0
  /// How many rows, of whatever table, this index has changed since it was opened.
  package var changeCount: Int { connection.changeCount }
  /// What came of it, if this index was made of a damaged one just now.
  package nonisolated let rescue: Rescue?

  /// Opens or creates the index, and brings it to the newest version. `patience` is how long another
  /// writer, a person at the `sqlite3` shell say, may hold us up.
  package init(
    path: String, catalog: (any PlaceCatalog)?, retryPlan: RetryPlan = RetryPlan(),
    patience: Duration = .seconds(30), now: @escaping @Sendable () -> Timestamp
  ) throws {
    self.path = path
    (connection, rescue) = try openOrRescue(at: path)
    connection.wait(forLocks: CInt(clamping: Int(patience / .milliseconds(1))))
    self.catalog = catalog
    self.retryPlan = retryPlan
    self.now = now
    if try connection.text("SELECT value FROM meta WHERE key = 'index_uuid'") == nil {
      try connection.run(insertMeta, [.text("index_uuid"), .text(randomIdentifier())])
    }
  }

  package func meta(_ key: String) throws -> String? {
    try connection.text("SELECT value FROM meta WHERE key = ?", [.text(key)])
  }

  package func setMeta(_ key: String, _ value: String) throws {
    try connection.run(insertMeta, [.text(key), .text(value)])
  }

  /// Takes over what places there are and what they are called, and how failed readings are
  /// repeated; rows and places are as before until they are relabelled.
  package func take(_ catalog: any PlaceCatalog, _ plan: RetryPlan) {
    self.catalog = catalog
    retryPlan = plan
    places = [:]
  }

  /// Brings the log's content into the database file, as far as no reader still needs it.
  package func checkpoint() throws {
    try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
  }

  /// Gives back what SQLite remembers of the file's pages; the kernel's cache still has them.
  package func rest() throws {
    try connection.execute("PRAGMA shrink_memory")
  }

  var nowInSeconds: Int64 { now().seconds }
}

private let insertMeta = SQL("INSERT OR REPLACE INTO meta VALUES (?, ?)")

/// How long an opening waits for another writer.
private let patienceMilliseconds: CInt = 30_000

func openIndex(at path: String) throws -> Connection {
  // The first that knows STRICT tables.
  guard sqliteVersion.number >= 3_037_000 else {
    throw IndexError.oldSQLite(found: sqliteVersion.text)
  }
  // Before SQLite makes the file: positions are private, and -wal and -shm take over its mode.
  try ensurePrivateFile(at: Array(path.utf8))
  let connection = try Connection(path: path, .readWrite)
  connection.wait(forLocks: patienceMilliseconds)
  // Before anything is written, be it only the journal mode: the file must be ours.
  try refuseForeign(connection, at: path)
  connection.keepLogFiles()
  // In memory, for else each insert, whose triggers may fail, writes pages to a statement journal.
  try connection.execute(
    """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 8000; PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = OFF;
    """)
  try migrate(connection)
  try restoreDeferredIndexes(connection)
  try tellOfRoots(connection)
  return connection
}
