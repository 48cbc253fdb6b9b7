import SQLite

/// "phix" in ASCII: what marks a database as ours (PRAGMA application_id).
let applicationIdentifier: Int64 = 0x7068_6978

/// The steps that bring a database to its newest form, each in a transaction of its own.
/// Append; never edit one that has shipped.
let migrations: [[String]] = [
  [
    tablesOfVersion1, indexesOfVersion1, statisticsOfVersion1, feedTriggersOfVersion1,
    userTriggersOfVersion1, albumTriggersOfVersion1,
  ]
]

/// The newest version that this program writes (PRAGMA user_version).
let schemaVersion = migrations.count

/// Throws unless the database is empty, or one of ours that this program can read.
func refuseForeign(_ connection: Connection, at path: String) throws {
  let version: Int
  do {
    version = try userVersion(of: connection)
  } catch let error as SQLiteError where error.isNotADatabase {
    throw IndexError.foreignFile(path: path)
  }
  let application = try connection.integer("PRAGMA application_id")
  // Only a file without a mark is asked what is in it, for which SQLite has to compile its schema.
  let isOurs =
    try application == applicationIdentifier
    || application == 0 && version == 0
      && connection.integer("SELECT count(*) FROM sqlite_schema") == 0
  // No program of ours writes a version below 0.
  guard isOurs, version >= 0 else { throw IndexError.foreignFile(path: path) }
  guard version <= schemaVersion else {
    throw IndexError.newerVersion(path: path, found: version, known: schemaVersion)
  }
}

private func userVersion(of connection: Connection) throws -> Int {
  Int(try connection.integer("PRAGMA user_version") ?? 0)
}

/// Brings the database to the newest version, or to that of the given steps.
func migrate(_ connection: Connection, by migrations: [[String]] = migrations) throws {
  let version = try userVersion(of: connection)
  for (number, scripts) in migrations.enumerated().dropFirst(version) {
    try connection.transaction {
      // Another process may have done it while this one waited for the lock.
      guard try userVersion(of: connection) == number else { return }
      if number > 0 {
        for view in views { try connection.execute("DROP VIEW IF EXISTS \(view.name)") }
      }
      for script in scripts { try connection.execute(script) }
      for view in views { try connection.execute("CREATE VIEW \(view.name) AS \(view.definition)") }
      try connection.execute("PRAGMA application_id = \(applicationIdentifier)")
      try connection.execute("PRAGMA user_version = \(number + 1)")
      try connection.execute(
        "INSERT OR REPLACE INTO meta VALUES ('contract_version', '\(contractVersion)')")
    }
  }
}
