import Decoding
import IndexStore
import Linux
import Model

@main
struct Main {
  static func main() {
    // Before anything else, while there is one thread.
    shareHeaps()
    if programArguments() == [Array("--decoder".utf8)] { endProcess(runDecoder(FileWork())) }
    ignoreBrokenPipes()
    endProcess(runToEnd { await obey().rawValue })
  }

  private static func obey() async -> ExitStatus {
    var database: String?
    do {
      let status = try await run(Invocation(programArguments()), &database)
      if let database { noteDamage(at: database) }
      return status
    } catch {
      let failure = Failure(error, database: database)
      report(failure)
      if let database { noteDamage(at: database) }
      return failure.status
    }
  }

  private static func run(
    _ invocation: Invocation, _ database: inout String?
  ) async throws -> ExitStatus {
    switch invocation.command {
    case .help: return try print(helpText)
    case .version: return try print("photoindexd \(version)\n")
    case .serve(let directories):
      let signals = try Signals([.terminate, .interrupt, .hangup])
      return try await Daemon(setting(invocation, &database), invocation).run(directories, signals)
    case .rescan(let directories):
      return try await Rescan(setting(invocation, &database), invocation).run(directories)
    case .status:
      return try await Status(setting(invocation, &database)).run(json: invocation.json)
    case .changesSince(let token):
      let (setting, json) = (try setting(invocation, &database), invocation.json)
      guard invocation.follows else { return try Changes(setting, json: json).run(since: token) }
      // Elsewhere, since signals reach the main thread while it has nothing to do.
      try await onThread {
        try Changes(setting, json: json).follow(since: token, Signals([.terminate, .interrupt]))
      }
      return .done
    case .snapshot(let path): return try snapshot(path, setting(invocation, &database))
    case .have(let directory):
      return try Have(setting(invocation, &database), directory, invocation).run()
    case .exportUser(let path): return try exportUserData(path, setting(invocation, &database))
    case .importUser(let path):
      return try await importUserData(path, setting(invocation, &database))
    case .tokens: return try printTokens(setting(invocation, &database))
    case .compareTokens(let file): return try compareTokens(file, setting(invocation, &database))
    case .locate(let position):
      return try Locate(setting(invocation, &database)).run(position, json: invocation.json)
    case .explain(let path): return try Explain(setting(invocation, &database)).run(path)
    case .checkConfiguration: return try checkConfiguration(setting(invocation, &database))
    case .printDatabase: return try print(setting(invocation, &database).database() + "\n")
    case .change(let change):
      return try await change.run(setting(invocation, &database), invocation)
    case .resume(let root): return try await resume(root, setting(invocation, &database))
    case .setTimeZone(let zone):
      return try await setTimeZone(zone, setting(invocation, &database))
    }
  }

  private static func setting(
    _ invocation: Invocation, _ database: inout String?
  ) throws -> Setting {
    let setting = try Setting(invocation)
    database = try setting.database()
    return setting
  }

  private static func print(_ text: String) throws -> ExitStatus {
    try printOutput(text)
    return .done
  }
}
