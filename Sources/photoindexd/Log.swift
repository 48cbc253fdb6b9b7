import Linux

/// Writes a line for an administrator to standard error: with its priority where the journal reads
/// it (sd-daemon(3)), else with the program's name.
func printLog(_ line: String, _ level: Configuration.LogLevel) {
  let isJournal = environment("JOURNAL_STREAM") != nil && !isTerminal(2)
  printError((isJournal ? "<\(level.priority)>" : "photoindexd: ") + line + "\n")
}

extension Configuration.LogLevel {
  /// As in syslog(3).
  fileprivate var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}
